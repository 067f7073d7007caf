/*
 * Predict the sheet with the entries that wait on this phone: the line of each entry behind the server's lines, and the next game. Computed by
 * the rules and replaced by the server's answer. No access to the page.
 */
import { rulesAt } from "../rules/parsing.js";
import { fold, openBock, usesUpNoBock, whoPlays } from "../rules/score.js";
import { amend, refold } from "./amended.js";
import { toDeal, isEdit } from "./lines.js";
import { getNextDeal, computeProgress, getSoloist } from "./turns.js";

/**
 * Predict the sheet: all lines in their future order, the waiting ones, and the next game behind them. A line for an earlier line-up goes behind
 * the lines of that line-up. `shown` are the server's lines as they will be, including deleted and inserted ones.
 * @param {Line[]} lines  the server's lines
 * @param {Next} next  the server's next game
 * @param {OutboxEntry[]} entries
 * @param {Pick<PageData, "rules" | "chain" | "texts" | "seats">} page  `seats`: the players, as the server knows them
 * @returns {{standing: Line[], shown: Line[], waiting: WaitingLine[], upcoming: Next}}
 */
export function lookAhead(lines, next, entries, { rules, chain, texts, seats }) {
  /** @type {WaitingLine[]} */
  const waiting = [];
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
 * @param {OutboxEntry} entry
 * @param {Line[]} lines
 * @param {Next} ahead
 * @param {Rules} rules
 * @param {number[]} chain
 * @returns {{line: Line, next: Next}}
 */
function predictLine(entry, lines, ahead, rules, chain) {
  const { form, dealer, facts, note, key, seats } = entry;
  const table = seats.length;
  const typed = { form, table, dealer, facts };
  const before = lines.map(toDeal);
  const found = /** @type {Worth | Fault} */ (fold([...before, typed], rules, chain).at(-1));
  const nothing = { points: Array(table).fill(0), winners: [], winner: null, value: 0, bock: 0, bock_started: 0 };
  const isGame = form === "played" || form === "short";
  const soloist = getSoloist(form, facts);
  /** @type {Line} */
  const line = {
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
 * @param {Next} ahead
 * @param {Line} line
 * @param {Rules} rules
 * @returns {Next["bock_runs"]}
 */
function predictRuns({ bock: levels, bock_runs: runs, number }, line, rules) {
  const { bock } = rulesAt(rules, line.table);
  if (!bock) return runs;
  const isBeside = bock.overlap === "stack" || levels[0] > 1;
  const uses = usesUpNoBock(toDeal(line), rules) ? 0 : 1;
  /** @type {Next["bock_runs"]} */
  const used = runs.map(([origin, left], index) => [origin, left - (isBeside || index === 0 ? uses : 0)]);
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

/**
 * Fill up parallel runs, the longest first. A game raises the run that is too short for it.
 * @param {Next["bock_runs"][]} sides
 * @param {number} origin
 * @param {number} count
 * @param {number} games
 * @param {number} cap
 * @returns {Next["bock_runs"]}
 */
function fillRuns(sides, origin, count, games, cap) {
  /** @param {Next["bock_runs"]} side */
  const leftOf = (side = []) => side.reduce((sum, [, left]) => sum + left, 0);
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

