/*
 * A sheet on the phone: facts and a rule set in, what every line is worth and the Bock games that follow out, or the fields that are
 * refused. It is the pipeline of scoring/rules again over the same settings, so that the table sees points at once and without a net; the
 * server's answer always wins. It touches no page.
 */
import { FIELDS, MOST_POINTS, PARTIES, dealStays, isCount, other, readGame, rulesAt, seatsOf } from "./facts.js";
import { isUnder, scoreGame } from "./outcome.js";

export { nextDealer, whoPlays } from "./facts.js";

const MOST_VALUE = 10_000_000;

// ---- the Bock chain: the levels, uncapped, of the Bock games still to come ----

/** What starts a Bock; of a short game only what both forms know. @type {Record<string, (game: any, winner: Party | null) => unknown>} */
const TRIGGERS = {
  lost_announcement: ({ said }, winner) => said && PARTIES.some((party) => party !== winner && said[party]),
  lost_solo: ({ solo }, winner) => solo && winner === "kontra",
  tie_120: ({ eyes }) => eyes?.re === 120,
  herzstich: ({ specials }) => specials && PARTIES.some((party) => specials[party].herzstich),
  zero_game: (game) => scoreGame(game, 0).value === 0,
  schwarz: (game, winner) => game.eyes && winner && isUnder(game, other(winner), 0),
  manual: ({ startsBock }) => startsBock,
};

/** @param {Played | Short} game */
function bocksStarted(game) {
  const { triggers, per_game: perGame } = game.rules.bock;
  const { winner } = scoreGame(game, 0);
  const holding = triggers.filter((/** @type {string} */ trigger) => TRIGGERS[trigger](game, winner));
  if (perGame === "one") return Math.min(holding.length, 1);
  return holding.reduce((/** @type {number} */ sum, /** @type {string} */ trigger) => sum + (trigger === "manual" ? game.startsBock : 1), 0);
}

/**
 * The chain with so many new Bocks in it, and how many games they added.
 * @param {number[]} open
 * @param {Rules} bock
 * @param {number} count
 * @param {number} table
 */
function startBock(open, { length, overlap }, count, table) {
  const games = length > 0 ? length : table;
  /** @param {number} levels @returns {number[]} */
  const fresh = (levels) => Array(levels).fill(1);
  if (!count || (overlap === "ignore" && open.length)) return { open, started: 0 };
  if (overlap === "append") return { open: [...open, ...fresh(count * games)], started: count * games };
  if (overlap !== "stack") return { open: fresh(games), started: games };
  const stacked = seatsOf(Math.max(open.length, games)).map((game) => (open[game] || 0) + (game < games ? count : 0));
  return { open: stacked, started: count * games };
}

/** @param {number[]} open @param {Rules | null} bock */
const capped = (open, bock) => (bock ? open.map((level) => Math.min(level, bock.cap)) : []);

/** @param {Played | Short} game @param {Deal} line @param {number[]} open */
function followGame(game, line, open) {
  const { bock } = game.rules;
  /** @param {number} level @param {number} started @param {number[]} left @returns {{result: Worth, open: number[]}} */
  const followed = (level, started, left) =>
    ({ result: { ...scoreGame(game, level), bock: level, bock_started: started, open: capped(left, bock) }, open: left });
  if (!bock) return followed(0, 0, open);
  const isPlain = game.form === "played" && game.duty && !bock.duty_solo_uses;
  const usesNone = isPlain || (bock.length === "deal" && dealStays(line, game.rules));
  const level = line.facts.bock ?? (isPlain ? 0 : capped(open, bock)[0] || 0);
  const next = startBock(usesNone ? open : open.slice(1), bock, bocksStarted(game), game.table);
  return followed(level, next.started, next.open);
}

/**
 * Penalty, correction, redeal: points as written, Bock untouched.
 * @param {Deal} line
 * @param {Rules} settings
 * @param {number[]} open
 * @returns {{result: Worth | Fault, open: number[]}}
 */
function followEntry({ form, table, facts }, settings, open) {
  /** @type {number[]} */
  const points = form === "redeal" ? Array(table).fill(0) : facts.points ?? [];
  const isRight = Array.isArray(points) && points.length === table &&
    points.every((entry) => isCount(Math.abs(entry), MOST_POINTS));
  if (!isRight) return { result: { error: { points: "refused" } }, open };
  const nothing = { winner: null, winners: [], value: 0, steps: [], bock: 0, bock_started: 0 };
  const result = { ...nothing, points, open: capped(open, rulesAt(settings, table).bock) };
  return { result, open };
}

/**
 * One line after the chain so far. A refused line leaves the chain as it was.
 * @param {Deal} line
 * @param {Rules} settings
 * @param {number[]} open
 * @returns {{result: Worth | Fault, open: number[]}}
 */
export function follow(line, settings, open) {
  if (!FIELDS[line.form]) return followEntry(line, settings, open);
  const game = readGame(line, settings);
  if (game.error) return { result: game, open };
  const next = followGame(game, line, open);
  if (Math.abs(next.result.value) <= MOST_VALUE) return next;
  return { result: { error: { [line.form === "short" ? "base" : "line"]: "refused" } }, open };
}

/**
 * A result for every line of a table in order; `open` is carried over from an earlier evening.
 * @param {Deal[]} lines
 * @param {Rules} settings
 * @param {number[]} [open]
 */
export function fold(lines, settings, open = []) {
  return lines.map((line) => {
    const next = follow(line, settings, open);
    open = next.open;
    return next.result;
  });
}

/**
 * The levels of the Bock games to come after these lines.
 * @param {Deal[]} lines
 * @param {Rules} settings
 * @param {number[]} [open]
 */
export function openBock(lines, settings, open = []) {
  return fold(lines, settings, open).reduce((left, result) => (result.error ? left : result.open), capped(open, settings.bock));
}
