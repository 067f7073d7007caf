/*
 * Predict the sheet with the entries that wait on this phone: the line of each new entry, the server's lines after waiting changes, and the next game.
 * Computed by the rules and replaced by the server's answer. No access to the page.
 */
import { rulesAt } from "../rules/parsing.ts";
import { fold, nextDealer, openBock, usesUpNoBock, whoPlays } from "../rules/score.ts";
import { isEdit, toDeal } from "./lines.ts";

type Ahead = Pick<State, "standing" | "shown" | "waiting" | "upcoming">;

/**
 * Predict the sheet: all lines in their future order, the waiting ones, and the next game behind them. A line for an earlier line-up goes behind
 * the lines of that line-up. `shown` are the server's lines as they will be, including deleted and inserted ones.
 * @param lines  the server's lines
 * @param next  the server's next game
 * @param page  `seats`: the players, as the server knows them
 */
export function lookAhead(
  lines: Line[], next: Next, entries: OutboxEntry[], { rules, chain, texts, seats }: Pick<PageData, "rules" | "chain" | "texts" | "seats">,
): Ahead {
  const waiting: WaitingLine[] = [];
  const standing = [...lines];
  let shown = lines;
  let upcoming = next;
  const known = new Set(lines.map(({ key }) => key));
  for (const entry of entries) {
    if (isEdit(entry)) {
      shown = amend(entry, shown, standing, waiting, texts);
      continue;
    }
    if (known.has(entry.key)) continue;
    if (entry.before) {
      upcoming = { ...upcoming, round: entry.key, seats: entry.seats, ...getNextDeal(standing, entry.seats, rules) };
      continue;
    }
    const place = standing.findIndex(({ key }) => key === entry.after) + 1;
    const isBetween = entry.round !== String(next.round) && place < standing.length;
    const behind = isBetween ? standing.splice(place) : [];
    const followed = predictLine(entry, standing, upcoming, rules, chain);
    const { line } = followed;
    const label = line.label || texts[entry.form];
    // Only the server knows its number.
    const told = isBetween && line.number !== null ? { number: null, label: texts.earlier, name: texts.earlier_game } : { label };
    waiting.push({ ...line, ...told, waiting: true, ahead: upcoming, refused: entry.refused ?? null });
    standing.push(line, ...behind);
    const bock = openBock(standing.map(toDeal), rules, chain);
    // Only the server knows which game brought which Bock there.
    upcoming = isBetween ? { ...followed.next, bock, bock_runs: [], after: upcoming.after } : followed.next;
  }
  if (shown === lines) return { standing, shown, waiting, upcoming };
  return refold({ standing, shown, waiting, upcoming }, upcoming.seats ?? seats, rules, chain);
}

/**
 * Return the line of an entry behind `lines` (`chain` was open before them) and the next game. A game of an earlier line-up does not move the
 * present deal.
 */
function predictLine(entry: OutboxEntry, lines: Line[], ahead: Next, rules: Rules, chain: number[]): { line: Line; next: Next } {
  const { form, dealer, facts, note, key, seats } = entry;
  const table = seats.length;
  const typed = { form, table, dealer, facts };
  const before = lines.map(toDeal);
  const found = fold([...before, typed], rules, chain).at(-1) as Worth | Fault;
  const nothing = { points: Array(table).fill(0), winners: [], winner: null, value: 0, bock: 0, bock_started: 0 };
  const isGame = form === "played" || form === "short";
  const soloist = getSoloist(form, facts);
  const line: Line = {
    ...(found.error ? nothing : found), key, form, table, dealer, facts, note, seats, soloist, version: 0,
    number: isGame ? ahead.number : null, cycle: ahead.cycle, ends_cycle: false, label: isGame ? String(ahead.number) : "",
    out: isGame ? seats.map((_, seat) => seat).filter((seat) => !(whoPlays(table, dealer, rules) ?? []).includes(seat)) : [],
  };
  const bock = openBock([...before, typed], rules, chain);
  const number = ahead.number + (isGame ? 1 : 0);
  const bock_runs = found.error ? ahead.bock_runs : predictRuns(ahead, line, rules);
  if (entry.round !== String(ahead.round)) return { line, next: { ...ahead, number, bock, bock_runs, bock_origin: "", after: key } };
  if (dealer !== null && dealer !== ahead.dealer) line.turn = ahead.dealer;
  line.ends_cycle = computeProgress(lines, seats, rules).cycle < computeProgress([...lines, line], seats, rules).cycle;
  const { round, seats: waiting } = ahead;
  return {
    line,
    next: { number, bock, bock_runs, bock_origin: "", after: key, round, ...(waiting && { seats: waiting }), ...getNextDeal([...lines, line], seats, rules) },
  };
}

/**
 * Return the games that started the open Bock games behind a line, each with the number of Bock games left: parallel if Böcke are stacked, else one
 * after the other. If both apply, the games cannot be told apart.
 */
function predictRuns({ bock: levels, bock_runs: runs, number }: Next, line: Line, rules: Rules): Next["bock_runs"] {
  const { bock } = rulesAt(rules, line.table);
  if (!bock) return runs;
  const isBeside = bock.overlap === "stack" || levels[0] > 1;
  const uses = usesUpNoBock(toDeal(line), rules) ? 0 : 1;
  const used: Next["bock_runs"] = runs.map(([origin, left], index) => [origin, left - (isBeside || index === 0 ? uses : 0)]);
  const open = used.filter(([, left]) => left > 0);
  if (!line.bock_started) return open;
  // A redeal names the game before it.
  const origin = line.number ?? number - 1;
  const games = bock.length > 0 ? bock.length : line.table;
  if (bock.overlap === "fill") {
    return levels.length && !runs.length ? [] : fillRuns(isBeside ? open.map((run) => [run]) : [open], origin, line.bock_started / games, games, bock.cap);
  }
  if (bock.overlap === "stack") return [...open, [origin, games]];
  return [...(bock.overlap === "append" ? open : []), [origin, line.bock_started]];
}

/** Fill up parallel runs, the longest first. A game raises the run that is too short for it. */
function fillRuns(sides: Next["bock_runs"][], origin: number, count: number, games: number, cap: number): Next["bock_runs"] {
  const leftOf = (side: Next["bock_runs"] = []) => side.reduce((sum, [, left]) => sum + left, 0);
  for (let bock = 0; bock < count; bock += 1) {
    sides.sort((one, other) => leftOf(other) - leftOf(one));
    const lefts = Array.from({ length: cap }, (_, level) => leftOf(sides[level]));
    const end = lefts[cap - 1] + games;
    for (const [level, left] of lefts.entries()) {
      const raised = Math.min(level ? lefts[level - 1] : end, end) - left;
      if (raised > 0) sides[level] = [...(sides[level] ?? []), [origin, raised]];
    }
  }
  const open = sides.filter((side) => side.length);
  return open.length > 1 && open.some((side) => side.length > 1) ? [] : open.flat();
}

/**
 * Apply an entry about a line of the server; return the lines to show. If that line is gone or has changed, the entry only waits for a decision of
 * the user.
 * @param standing  changed in place
 * @param waiting  grows if there is no line to show it at
 */
export function amend(entry: OutboxEntry, shown: Line[], standing: Line[], waiting: WaitingLine[], texts: Record<string, string>) {
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
      waiting.push(line as WaitingLine);
      return [...shown];
    }
    standing.splice(place, 0, line);
    return shown.flatMap((one) => (one.key === beside ? [line, one] : [one]));
  }
  const isDone = old.version === version && !refused;
  const line: Line = { ...old, ...waits, edit: form === "deletion" ? "deletion" : "correction", ...(isDone && form !== "deletion" && typed) };
  if (isDone && form === "deletion") standing.splice(place, 1);
  else standing[place] = line;
  return shown.map((one) => (one.key === key ? line : one));
}

const EMPTY = {
  version: 0, number: null, cycle: 1, ends_cycle: false, out: [], soloist: null, winner: null, winners: [], value: 0, bock: 0, bock_started: 0,
};

/** Recompute worth, numbers and the next dealer after a line before them changed. @param seats  the players behind all of them */
export function refold({ standing, shown, waiting, upcoming }: Ahead, seats: number[], rules: Rules, chain: number[]) {
  const worths = fold(standing.map(toDeal), rules, chain);
  const deals = [...standing, { seats }].map((line, place) => getNextDeal(standing.slice(0, place), line.seats, rules));
  let games = 0;
  const lines = standing.map((line, place) => {
    const { form, table, dealer, facts, turn: _, name: __, ...rest } = line;
    const isGame = form === "played" || form === "short";
    if (isGame) games += 1;
    const playing = facts.out ? null : whoPlays(table, dealer, rules);
    const found: Line = {
      ...rest, ...(worths[place].error ? { points: Array(table).fill(0), winners: [], value: 0 } : worths[place]), form, table, dealer, facts,
      soloist: getSoloist(form, facts), number: isGame ? games : null, label: isGame ? String(games) : line.label,
      out: !isGame ? [] : (facts.out ?? (playing ? line.seats.flatMap((_, seat) => (playing.includes(seat) ? [] : [seat])) : [])),
      cycle: deals[place].cycle, ends_cycle: deals[place + 1].cycle > deals[place].cycle,
      ...(dealer !== null && dealer !== deals[place].dealer && { turn: deals[place].dealer }),
    };
    return found;
  });
  const now = <Some extends Line>(line: Some): Some => (lines.find(({ key }) => key === line.key) ?? line) as Some;
  const isGone = upcoming.after && !lines.some(({ key }) => key === upcoming.after);
  const behind = { ...predictNext(lines, seats, rules, chain), round: upcoming.round, ...(upcoming.seats && { seats }) };
  return {
    standing: lines, shown: shown.map((line) => (standing.some(({ key }) => key === line.key) ? now(line) : line)),
    waiting: waiting.map((line) => ({ ...line, ...now(line) })), upcoming: isGone ? behind : { ...behind, after: upcoming.after },
  };
}

/** Return the next game behind these lines for these players. Only the server knows which game brought which Bock. */
export function predictNext(lines: Line[], seats: number[], rules: Rules, chain: number[]): Next {
  const number = lines.filter((line) => line.number !== null).length + 1;
  const bock = openBock(lines.map(toDeal), rules, chain);
  return { number, bock, bock_runs: [], bock_origin: "", after: lines.at(-1)?.key ?? "", round: "", ...getNextDeal(lines, seats, rules) };
}

/**
 * Return the progress after these lines (rules/deal.py, play/queries.py): the next dealer, and the ids of the players who have dealt in this cycle
 * and who have played a Pflichtsolo. After a change of line-up the next of the old order who still sits there deals.
 */
export function computeProgress(lines: Line[], seats: number[], rules: Rules) {
  let [turn, cycle, sitting] = [0, 1, lines[0]?.seats ?? seats];
  let dealt: Set<number> = new Set();
  let fulfilled: Set<number> = new Set();
  function move(now: number[]) {
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

export function getSoloist(form: Form, { re, winners, solo }: Facts) {
  if (form === "played") return re?.length === 1 ? re[0] : null;
  return form === "short" && solo && winners?.length === 1 ? winners[0] : null;
}

/**
 * Return who deals, sits out and leads behind these lines. After the planned rounds, players who owe a Pflichtsolo play it.
 * @param players  the present players
 */
export function getNextDeal(lines: Line[], players: number[], rules: Rules) {
  const { turn, cycle, fulfilled } = computeProgress(lines, players, rules);
  const table = players.length;
  const seats = [...players.keys()];
  const owing = seats.filter((seat) => rules.duty_solo && !fulfilled.has(players[seat]));
  const listOrder = (dealer: number) => seats.map((step) => (dealer + 1 + step) % table);
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
