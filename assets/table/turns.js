/*
 * Compute who deals, sits out, leads and owes a Pflichtsolo behind the lines of a sheet, like rules/deal.py and play/queries.py. No access to
 * the page.
 */
import { nextDealer, whoPlays } from "../rules/score.js";
import { toDeal } from "./lines.js";

/**
 * Return the progress after these lines (rules/deal.py, play/queries.py): the next dealer, and the ids of the players who have dealt in this cycle
 * and who have played a Pflichtsolo. After a change of line-up the next of the old order who still sits there deals.
 * @param {Line[]} lines
 * @param {number[]} seats
 * @param {Rules} rules
 */
export function computeProgress(lines, seats, rules) {
  let [turn, cycle, sitting] = [0, 1, lines[0]?.seats ?? seats];
  /** @type {Set<number>} */
  let dealt = new Set();
  /** @type {Set<number>} */
  let fulfilled = new Set();
  /** @param {number[]} now */
  function move(now) {
    const order = sitting.map((_, step) => now.indexOf(sitting[(turn + step) % sitting.length]));
    if (now.join() !== sitting.join()) turn = order.find((seat) => seat >= 0) ?? 0;
    sitting = now;
    [dealt, fulfilled] = [dealt, fulfilled].map((some) => new Set(now.filter((player) => some.has(player))));
    count();
  }
  /** End the cycle once all players have dealt. */
  function count() {
    if (dealt.size < sitting.length) return;
    dealt.clear();
    cycle += 1;
  }
  for (const line of lines) {
    move(line.seats);
    if (line.dealer === null) continue;
    if (line.facts.duty && line.soloist !== null) fulfilled.add(sitting[line.soloist]);
    turn = nextDealer([toDeal(line)], line.table, rules);
    if (turn !== line.dealer) dealt.add(sitting[line.dealer]);
    count();
  }
  move(seats);
  return { turn, cycle, fulfilled };
}

/** @param {Form} form @param {Facts} facts */
export function getSoloist(form, { re, winners, solo }) {
  if (form === "played") return re?.length === 1 ? re[0] : null;
  return form === "short" && solo && winners?.length === 1 ? winners[0] : null;
}

/**
 * Return who deals, sits out and leads behind these lines. After the planned rounds, players who owe a Pflichtsolo play it.
 * @param {Line[]} lines
 * @param {number[]} players  the present players
 * @param {Rules} rules
 */
export function getNextDeal(lines, players, rules) {
  const { turn, cycle, fulfilled } = computeProgress(lines, players, rules);
  const table = players.length;
  const seats = [...players.keys()];
  const owing = seats.filter((seat) => rules.duty_solo && !fulfilled.has(players[seat]));
  /** @param {number} dealer */
  const listOrder = (dealer) => seats.map((step) => (dealer + 1 + step) % table);
  let dealer = turn;
  let soloist = null;
  if (owing.length && cycle > rules.duty_solo.rounds) {
    soloist = listOrder(dealer).find((seat) => owing.includes(seat)) ?? null;
    dealer = (Number(soloist) - 1 + table) % table;
  }
  const playing = whoPlays(table, dealer, rules);
  const out = playing ? seats.filter((seat) => !playing.includes(seat)) : [];
  const leader = soloist ?? (playing ? listOrder(dealer).find((seat) => playing.includes(seat)) ?? null : null);
  return { cycle, owing, dealer, out, leader, soloist };
}
