/*
 * What one game is worth, decided on the phone: who won, the steps that lead to the points, and the points of each seat. The same as
 * rules/outcome.py.
 */
import { MOST_SPECIALS, PARTIES, QUIET_SOLOS, forGame, isObject, other, seatsOf } from "./facts.js";

const ABSAGEN = [
  { code: "no90", limit: 90 },
  { code: "no60", limit: 60 },
  { code: "no30", limit: 30 },
  { code: "schwarz", limit: 0 },
];
const { keys } = Object;

// ---- the winner ----

/** @param {Pick<Played, "eyes" | "noTrick" | "rules">} game @param {Party} party @param {number} limit */
export function isUnder({ eyes, noTrick, rules }, party, limit) {
  if (limit === 0 && rules.schwarz_by === "tricks") return noTrick === party;
  return eyes[party] < (limit || 1);
}

/** @param {Played} game */
function kontraNeeds121({ said: { re, kontra }, lastSaid, rules, solo }) {
  /** @type {Record<string, unknown>} */
  const needs = {
    never: false,
    only_kontra: kontra && !re,
    kontra_said: kontra,
    kontra_last: kontra && (!re || lastSaid === "kontra"),
    always: true,
  };
  return needs[forGame(rules.kontra_121, solo)];
}

/** @param {Played} game @returns {Party | null} */
function winnerOf(game) {
  const { said, eyes, rules } = game;
  /** @param {Party} party */
  const reaches = (party) => {
    const own = ABSAGEN[said[party] - 2];
    const broken = ABSAGEN[said[other(party)] - 2];
    if (own) return isUnder(game, other(party), own.limit);
    if (broken) return !isUnder(game, party, broken.limit);
    return eyes[party] > (party === "re" || kontraNeeds121(game) ? 120 : 119);
  };
  const isTie = said.re < 2 && said.kontra < 2 && rules.tie_120 !== "nobody";
  return PARTIES.find(reaches) || (isTie ? rules.tie_120 : null);
}

// ---- the steps ----

/** @param {string} code @param {number} count @returns {Step} */
const times = (code, count) => ({ code, times: count });
/** @param {Played} game @param {Party} party */
const announced = (game, party) => ABSAGEN.slice(0, Math.max(game.said[party] - 1, 0));

/** @param {Played} game @param {string} special */
function specialCounts({ solo, kind, rules }, special) {
  if (!solo || rules.specials_in_solo === "all") return true;
  if (rules.specials_in_solo === "none") return false;
  return kind === "trumpfsolo" || QUIET_SOLOS.includes(kind) || special === "doppelkopf" ||
    (kind.startsWith("farbsolo_") && special.startsWith("karlchen"));
}

/**
 * The lines as [step, when]; "special" is a special point before. What needs a winner and has none is left out.
 * @param {Played} game
 * @param {Party | null} winner
 */
function linesOf(game, winner) {
  const { rules, said, eyes, solo, kind, specials } = game;
  /** @type {[Step, string][]} */
  const lines = [];
  /** @param {string} code @param {Party | null} party @param {number} count */
  const put = (code, party, count, when = "before") => {
    if (party && count > 0) lines.push([{ code, party, [when === "paid" ? "pay" : "add"]: count }, when]);
  };
  put("won", winner, rules.won);
  for (const party of PARTIES) {
    const missed = winner && rules.limit_counts !== "reached" ? announced(game, other(party)) : [];
    for (const absage of ABSAGEN) {
      const { limit } = absage;
      const counts = winner !== other(party) && rules.limits.includes(limit);
      if (counts && (isUnder(game, other(party), limit) || missed.includes(absage))) {
        put(limit ? "under_" + limit : "no_trick", party, rules.limit);
      }
    }
  }
  for (const party of PARTIES) if (said[party]) put(party + "_said", winner, rules.re_kontra.add);
  for (const party of PARTIES) {
    for (const { code } of announced(game, party)) put(party + "_" + code, winner, rules.absage);
  }
  for (const party of PARTIES) {
    const against = announced(game, other(party));
    const counted = rules.against_absage === "highest" ? against.slice(-1) : rules.against_absage === "cumulative" ? against : [];
    for (const absage of counted) {
      if (eyes[party] >= absage.limit + 30) put("against_" + absage.code, party, 1);
    }
  }
  const group = solo ? "solo" : kind === "armut" ? "armut" : "partner";
  const isGegen = winner === "kontra" && rules.gegen_in.includes(group);
  if (isGegen) put("gegen_die_alten", winner, rules.gegen_die_alten, rules.gegen_when);
  const point = rules.solo_point;
  if (point && point.kinds.includes(kind)) put("solo_point", winner, point.points, point.when);
  const when = rules.specials_when === "before" ? "special" : rules.specials_when;
  for (const special of keys(MOST_SPECIALS).filter((name) => specialCounts(game, name))) {
    for (const party of PARTIES) put(special, party, specials[party][special] * rules.specials[special], when);
  }
  return lines;
}

/** The doublings but Bock; with nobody winning only the solo's. @param {Played} game @param {Party | null} winner */
function doublings({ rules, said, solo }, winner) {
  const lost = rules.lost_announcement;
  /** @type {Step[]} */
  const steps = [];
  /** @param {unknown} holds @param {string} code @param {number} count */
  const put = (holds, code, count) => holds && count > 1 && steps.push(times(code, count));
  for (const party of PARTIES) put(winner && said[party], party + "_said", rules.re_kontra?.times);
  put(solo, "solo", rules.solo_times);
  put(winner && said[other(winner)] > (lost?.when === "absage" ? 1 : 0), "lost_announcement", lost?.times);
  return steps;
}

/**
 * `favours` is {party}, {} where nobody knows it, null where nobody won.
 * @param {Rules} rules
 * @param {{party?: Party} | null} favours
 * @param {number} level
 * @returns {Step[]}
 */
function bockSteps({ bock }, favours, level) {
  if (!level) return [];
  if (!isObject(bock.effect)) return [times("bock", 2 ** level)];
  const add = bock.effect.add * level;
  return favours && add ? [{ code: "bock", ...favours, add }] : [];
}

/** What the steps come to, as Re sees it. @param {Step[]} steps */
const foldSteps = (steps) => steps.reduce((value, { times: factor = 1, add = 0, party }) =>
  value * factor + (party === "kontra" ? -add : add), 0) + 0;

/** @param {Played} game @param {Party | null} winner @param {number} level */
function stepsOf(game, winner, level) {
  const { rules } = game;
  const lines = linesOf(game, winner);
  /** @param {string} place */
  const placed = (place) => lines.filter(([, when]) => when === place).map(([step]) => step);
  if (!winner && rules.nobody_wins === "zero") return placed("paid");
  const bock = bockSteps(rules, winner && { party: winner }, level);
  const isEarly = rules.bock?.effect === "game";
  const steps = [
    ...placed("before"),
    ...(isEarly ? bock : []),
    ...placed("special"),
    ...doublings(game, winner),
    ...placed("bock_only"),
    ...(isEarly ? [] : bock),
    ...placed("after"),
    ...placed("paid"),
  ];
  const value = foldSteps(steps);
  const isNegative = winner === "re" ? value < 0 : winner && value > 0;
  return isNegative && rules.negative === "zero" ? [...steps, times("negative", 0)] : steps;
}

// ---- the share-out ----

/**
 * Points per seat. In a solo a sitter who is not left out counts as an opponent.
 * @param {Played | Short} game
 * @param {number[]} re
 * @param {number} value
 * @param {Party | null} winner
 */
function shareOut({ rules, solo, table, players }, re, value, winner) {
  const { sitter, soloist_share: share } = rules;
  const counting = forGame(rules.counting, solo);
  const opponents = (sitter === "nothing" ? players.length : table) - 1;
  const forRe = solo ? value * (share === "opponents" ? opponents : share) : value;
  const asWinner = winner === "re" ? value : winner ? -value : 0;
  const forSitter = sitter === "nothing" ? 0 : solo || sitter === "kontra" ? -value : asWinner;
  return seatsOf(table).map((seat) => {
    const points = re.includes(seat) ? forRe : players.includes(seat) ? -value : forSitter;
    const counted = counting === "winners" ? Math.max(points, 0) : counting === "losers" ? Math.min(points, 0) : points;
    return counted + 0;
  });
}

/**
 * The Kasse pays special points, or the other party does, shared evenly; an odd cent goes to the Kasse.
 * @param {Rules} rules
 * @param {Record<Party, number[]>} parties
 * @param {Step[]} steps
 * @param {number[]} points
 */
function payOut(rules, parties, steps, points) {
  for (const { party, pay } of steps) {
    if (!party || !pay) continue;
    const payers = rules.special_payer === "players" ? parties[other(party)] : [];
    const each = payers.length ? Math.floor((pay * payers.length) / parties[party].length) : pay;
    for (const seat of parties[party]) points[seat] += each;
    for (const seat of payers) points[seat] -= pay;
  }
}

/** @param {number[]} players @param {number[]} side */
const split = (players, side) => [true, false].map((isIn) => players.filter((seat) => side.includes(seat) === isIn));

/** @param {Played} game @param {number} level */
function scorePlayed(game, level) {
  const [re, kontra] = split(game.players, game.re);
  const winner = winnerOf(game);
  const steps = stepsOf(game, winner, level);
  const value = foldSteps(steps);
  const points = shareOut(game, re, value, winner);
  payOut(game.rules, { re, kontra }, steps, points);
  return { winner, winners: winner ? { re, kontra }[winner] : [], value, points, steps };
}

/**
 * The short form: a soloist is Re, of two partners nobody knows; `value` is the winners'.
 * @param {Short} game
 * @param {number} level
 */
function scoreShort(game, level) {
  const [winners, losers] = split(game.players, game.winners);
  const isLost = game.solo && winners.length > 1;
  /** @type {Party | null} */
  const winner = game.solo ? (isLost ? "kontra" : "re") : null;
  const base = game.base ? [{ code: "base", add: game.base }] : [];
  const steps = [...base, ...bockSteps(game.rules, {}, level)];
  const value = foldSteps(steps);
  const points = isLost ? shareOut(game, losers, -value, "kontra") : shareOut(game, winners, value, "re");
  return { winner, winners, value, points, steps };
}

/** @param {Played | Short} game @param {number} level */
export const scoreGame = (game, level) => (game.form === "short" ? scoreShort(game, level) : scorePlayed(game, level));
