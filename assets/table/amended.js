/*
 * Predict the server's lines after the waiting changes: corrected, deleted, or with a line inserted before them; and all lines behind them. No
 * access to the page.
 */
import { fold, openBock, whoPlays } from "../rules/score.js";
import { toDeal } from "./lines.js";
import { getNextDeal, getSoloist } from "./turns.js";

/**
 * Apply an entry about a line of the server; return the lines to show. If that line is gone or has changed, the entry only waits for a decision of
 * the user.
 * @param {OutboxEntry} entry
 * @param {Line[]} shown
 * @param {Line[]} standing  changed in place
 * @param {WaitingLine[]} waiting  grows if there is no line to show it at
 * @param {Record<string, string>} texts
 */
export function amend(entry, shown, standing, waiting, texts) {
  const { key, beside, version, form, dealer, facts, note, seats, refused = null } = entry;
  const place = standing.findIndex((line) => line.key === (beside ?? key));
  const old = standing[place];
  if (beside !== undefined && shown.some((line) => line.key === key)) return shown;
  const waits = { waiting: true, refused };
  const typed = { form, dealer, facts, note };
  if (!old && form === "deletion") return shown;
  if (!old || beside !== undefined) {
    const table = seats.length;
    const line = { ...EMPTY, ...typed, ...waits, key, seats, table, label: texts[form] ?? "–", points: Array(table).fill(0) };
    if (!old) {
      waiting.push(/** @type {WaitingLine} */ (line));
      return [...shown];
    }
    standing.splice(place, 0, line);
    return shown.flatMap((one) => (one.key === beside ? [line, one] : [one]));
  }
  const isDone = old.version === version && !refused;
  /** @type {Line} */
  const line = { ...old, ...waits, edit: form === "deletion" ? "deletion" : "correction", ...(isDone && form !== "deletion" && typed) };
  if (isDone && form === "deletion") standing.splice(place, 1);
  else standing[place] = line;
  return shown.map((one) => (one.key === key ? line : one));
}

const EMPTY = {
  version: 0, number: null, cycle: 1, ends_cycle: false, out: [], soloist: null, winner: null, winners: [], value: 0, bock: 0, bock_started: 0,
};

/**
 * Recompute worth, numbers and the next dealer after a line before them changed.
 * @param {{standing: Line[], shown: Line[], waiting: WaitingLine[], upcoming: Next}} found
 * @param {number[]} seats  the players behind all of them
 * @param {Rules} rules
 * @param {number[]} chain
 */
export function refold({ standing, shown, waiting, upcoming }, seats, rules, chain) {
  const worths = fold(standing.map(toDeal), rules, chain);
  const deals = [...standing, { seats }].map((line, place) => getNextDeal(standing.slice(0, place), line.seats, rules));
  let games = 0;
  const lines = standing.map((line, place) => {
    const { form, table, dealer, facts, turn: _, name: __, ...rest } = line;
    const isGame = form === "played" || form === "short";
    if (isGame) games += 1;
    const playing = facts.out ? null : whoPlays(table, dealer, rules);
    /** @type {Line} */
    const found = {
      ...rest, ...(worths[place].error ? { points: Array(table).fill(0), winners: [], value: 0 } : worths[place]), form, table, dealer, facts,
      soloist: getSoloist(form, facts), number: isGame ? games : null, label: isGame ? String(games) : line.label,
      out: !isGame ? [] : (facts.out ?? (playing ? line.seats.flatMap((_, seat) => (playing.includes(seat) ? [] : [seat])) : [])),
      cycle: deals[place].cycle, ends_cycle: deals[place + 1].cycle > deals[place].cycle,
      ...(dealer !== null && dealer !== deals[place].dealer && { turn: deals[place].dealer }),
    };
    return found;
  });
  /** @template {Line} Some @param {Some} line @returns {Some} */
  const now = (line) => /** @type {Some} */ (lines.find(({ key }) => key === line.key) ?? line);
  const isGone = upcoming.after && !lines.some(({ key }) => key === upcoming.after);
  const behind = { ...predictNext(lines, seats, rules, chain), round: upcoming.round, ...(upcoming.seats && { seats }) };
  return {
    standing: lines, shown: shown.map((line) => (standing.some(({ key }) => key === line.key) ? now(line) : line)),
    waiting: waiting.map((line) => ({ ...line, ...now(line) })), upcoming: isGone ? behind : { ...behind, after: upcoming.after },
  };
}

/**
 * Return the next game behind these lines for these players. Only the server knows which game brought which Bock.
 * @param {Line[]} lines
 * @param {number[]} seats
 * @param {Rules} rules
 * @param {number[]} chain
 * @returns {Next}
 */
export function predictNext(lines, seats, rules, chain) {
  const number = lines.filter((line) => line.number !== null).length + 1;
  const bock = openBock(lines.map(toDeal), rules, chain);
  return { number, bock, bock_runs: [], bock_origin: "", after: lines.at(-1)?.key ?? "", round: "", ...getNextDeal(lines, seats, rules) };
}
