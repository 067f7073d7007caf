/*
 * Score the lines of a sheet with their Bock, or return the invalid fields. It repeats scoring/rules with the same settings, so that the table
 * shows points at once and offline; the server's answer always wins. It does not touch the page.
 */
import { EARNERS, FIELDS, MAX_POINTS, PARTIES, dealStays, forGame, isCount, otherParty, parseGame, rulesAt, seatsOf } from "./parsing.ts";
import { LIMITS, bockSteps, foldSteps, isUnder, outcomeOf } from "./outcome.ts";

export { nextDealer, whoPlays } from "./parsing.ts";

const MAX_VALUE = 10_000_000;
// Numbers up to this are exact.
const MAX_INTERMEDIATE = 1e15;

// ---- the share-out ----

/** Return the points per seat. In a solo, players who sit out count as opponents, unless the rules give them nothing. */
function shareOut({ rules, isAlone, table, players }: Played | Short, re: number[], value: number, winner: Party | null) {
  const { sitter, soloist_share: share } = rules;
  const counting = forGame(rules.counting, isAlone);
  const opponents = (sitter === "nothing" ? players.length : table) - 1;
  const forRe = isAlone ? value * (share === "opponents" ? opponents : share) : value;
  const forSitters: Record<string, number> = { nothing: 0, kontra: -value, re: value, winners: winner === "re" ? value : winner ? -value : 0 };
  const forSitter = forSitters[isAlone && sitter !== "nothing" ? "kontra" : sitter];
  return seatsOf(table).map((seat) => {
    const points = re.includes(seat) ? forRe : players.includes(seat) ? -value : forSitter;
    const counted = counting === "winners" ? Math.max(points, 0) : counting === "losers" ? Math.min(points, 0) : points;
    return counted + 0;
  });
}

/** Add what special points pay, from the Kasse or from the other party, shared evenly; an odd cent goes to the Kasse. */
function payOut(rules: Rules, parties: Record<Party, number[]>, steps: Step[], points: number[]) {
  for (const { party, pay } of steps) {
    if (!party || !pay) continue;
    const payers = rules.special_payer === "players" ? parties[otherParty(party)] : [];
    const each = payers.length ? Math.floor((pay * payers.length) / parties[party].length) : pay;
    for (const seat of parties[party]) points[seat] += each;
    for (const seat of payers) points[seat] -= pay;
  }
}

const split = (players: number[], side: number[]) => [true, false].map((isIn) => players.filter((seat) => side.includes(seat) === isIn));

function scorePlayed(game: Played, level: number) {
  const [re, kontra] = split(game.players, game.re);
  const { winner, steps, value } = outcomeOf(game, level);
  const points = shareOut(game, re, value, winner);
  payOut(game.rules, { re, kontra }, steps, points);
  return { winner, winners: winner ? { re, kontra }[winner] : [], value, points, steps };
}

/** Score a short form: a soloist is Re, two partners may be either party; `value` is the winners'. */
function scoreShort(game: Short, level: number) {
  const [winners, losers] = split(game.players, game.winners);
  const isLost = game.isAlone && winners.length > 1;
  const winner: Party | null = game.isAlone ? (isLost ? "kontra" : "re") : null;
  const base = game.base ? [{ code: "base", add: game.base }] : [];
  const steps = [...base, ...bockSteps(game.rules.bock, {}, level)];
  const value = foldSteps(steps);
  const points = isLost ? shareOut(game, losers, -value, "kontra") : shareOut(game, winners, value, "re");
  return { winner, winners, value, points, steps };
}

const scoreGame = (game: Played | Short, level: number) => (game.form === "short" ? scoreShort(game, level) : scorePlayed(game, level));

// ---- the Bock chain: the levels, uncapped, of the Bock games still to come ----

/** Return whether this special point was entered. */
const isEntered = ({ specials }: Played | Short, name: string) => specials && EARNERS.some((earner) => specials[earner][name]);
const isSoloGame = ({ words }: Played | Short) => words[0] === "solo";

/** The triggers of a Bock; for a short form only some can hold. */
const TRIGGERS: Record<string, (game: Played | Short, winner: Party | null) => unknown> = {
  lost_announcement: ({ said }, winner) => said && PARTIES.some((party) => party !== winner && said[party]),
  lost_solo: (game, winner) => isSoloGame(game) && winner === "kontra",
  tie_120: ({ eyes }) => eyes?.re === 120,
  herzstich: (game) => isEntered(game, "herzstich"),
  zero_game: (game) => scoreGame(game, 0).value === 0,
  schwarz: (game, winner) => game.eyes && winner && isUnder(game, otherParty(winner), 0),
  manual: ({ startsBock }) => startsBock,
  lost_re: ({ said }, winner) => said?.re && winner !== "re",
  lost_kontra: ({ said }, winner) => said?.kontra && winner !== "kontra",
  both_said: ({ said }) => said?.re && said.kontra,
  won_solo: (game, winner) => isSoloGame(game) && winner === "re",
  // Handled in followEntry.
  redeal: () => false,
};

function holds(trigger: string, game: Played | Short, winner: Party | null) {
  const [what, key] = trigger.split(":");
  if (!key) return TRIGGERS[trigger](game, winner);
  return what === "kind" ? game.words.includes(key) : isEntered(game, key);
}

function countStartedBocks(game: Played | Short) {
  const { triggers, per_game: perGame } = game.rules.bock;
  const { winner } = scoreGame(game, 0);
  const holding = triggers.filter((trigger: string) => holds(trigger, game, winner));
  if (perGame === "one") return Math.min(holding.length, 1);
  return holding.reduce((sum: number, trigger: string) => sum + (trigger === "manual" ? game.startsBock : 1), 0);
}

/** Raise `games` games to come that are below `cap` by one level, for each Bock. */
function filled(open: number[], cap: number, count: number, games: number) {
  const levels = [...open];
  for (let bock = 0; bock < count; bock += 1) {
    for (let game = 0, left = games; left > 0; game += 1) {
      const level = levels[game] ?? 0;
      if (level >= cap) continue;
      levels[game] = level + 1;
      left -= 1;
    }
  }
  return levels;
}

/** Return the chain with `count` more Bocks, and how many games they added. */
function startBock(open: number[], { length, overlap, cap }: Rules, count: number, table: number) {
  const games = length > 0 ? length : table;
  const fresh = (levels: number): number[] => Array(levels).fill(1);
  if (!count || (overlap === "ignore" && open.length)) return { open, started: 0 };
  if (overlap === "append") return { open: [...open, ...fresh(count * games)], started: count * games };
  if (overlap === "fill") return { open: filled(open, cap, count, games), started: count * games };
  if (overlap !== "stack") return { open: fresh(games), started: games };
  const stacked = seatsOf(Math.max(open.length, games)).map((game) => (open[game] || 0) + (game < games ? count : 0));
  return { open: stacked, started: count * games };
}

const capped = (open: number[], bock: Rules | null) => (bock ? open.map((level) => Math.min(level, bock.cap)) : []);

/** Return whether a game is exempt from the level of a Bock, and whether it uses up none. */
function inBockOf(game: Played | Short, line: Deal) {
  const { bock, in_bock: own = "plays", per_kind: rows } = game.rules;
  const isExempt = game.form === "played" && game.duty && !bock.duty_solo_uses && !rows.duty?.in_bock;
  const inBock = isExempt ? "skips" : own;
  return {
    isPlain: inBock === "plain" || inBock === "skips",
    usesNone: inBock === "skips" || inBock === "keeps" || (bock.length === "deal" && dealStays(line, game.rules)),
  };
}

/** Return whether this line uses up no Bock game. */
export function usesUpNoBock(line: Deal, settings: Rules) {
  const game = FIELDS[line.form] ? parseGame(line, settings) : null;
  return !game || game.error || !game.rules.bock || inBockOf(game, line).usesNone;
}

function followGame(game: Played | Short, line: Deal, open: number[]) {
  const { bock } = game.rules;
  const result = (level: number, started: number, left: number[]): { result: Worth; open: number[] } =>
    ({ result: { ...scoreGame(game, level), bock: level, bock_started: started, open: capped(left, bock) }, open: left });
  if (!bock) return result(0, 0, open);
  const { isPlain, usesNone } = inBockOf(game, line);
  const isExempt = isPlain && open.length > 0 && line.facts.bock === undefined;
  const level = line.facts.bock ?? (isPlain ? 0 : capped(open, bock)[0] || 0);
  const next = startBock(usesNone ? open : open.slice(1), bock, countStartedBocks(game), game.table);
  const played = result(level, next.started, next.open);
  if (isExempt) played.result.isExempt = true;
  return played;
}

type Followed = { result: Worth | Fault; open: number[] };

/** Follow a penalty, a correction or a redeal: points as typed; only a redeal can start a Bock, if it is a trigger. */
function followEntry({ form, table, facts }: Deal, settings: Rules, open: number[]): Followed {
  const points: number[] = form === "redeal" ? Array(table).fill(0) : facts.points ?? [];
  const isRight = Array.isArray(points) && points.length === table &&
    points.every((entry) => isCount(Math.abs(entry), MAX_POINTS));
  if (!isRight) return { result: { error: { points: "refused" } }, open };
  const { bock } = rulesAt(settings, table);
  const isTrigger = form === "redeal" && bock?.triggers.includes(form);
  const next = isTrigger ? startBock(open, bock, 1, table) : { open, started: 0 };
  const nothing = { winner: null, winners: [], value: 0, steps: [], bock: 0 };
  return { result: { ...nothing, points, bock_started: next.started, open: capped(next.open, bock) }, open: next.open };
}

/** Score one line after the chain so far. An invalid line does not change the chain. */
export function follow(line: Deal, settings: Rules, open: number[]): Followed {
  if (!FIELDS[line.form]) return followEntry(line, settings, open);
  const game = parseGame(line, settings);
  if (game.error) return { result: game, open };
  const next = followGame(game, line, open);
  const { steps } = next.result;
  if (steps.some((_, index) => Math.abs(foldSteps(steps.slice(0, index + 1))) > MAX_INTERMEDIATE)) {
    return { result: { error: { kind: "refused" } }, open };
  }
  if (Math.abs(next.result.value) <= MAX_VALUE) return next;
  return { result: { error: { [line.form === "short" ? "base" : "line"]: "refused" } }, open };
}

/** Score all lines of a table in order; `open` is carried over from an earlier evening. */
export function fold(lines: Deal[], settings: Rules, open: number[] = []) {
  return lines.map((line) => {
    const next = follow(line, settings, open);
    open = next.open;
    return next.result;
  });
}

/** Return the levels of the Bock games to come after these lines. */
export function openBock(lines: Deal[], settings: Rules, open: number[] = []) {
  return fold(lines, settings, open).reduce((left, result) => (result.error ? left : result.open), capped(open, settings.bock));
}

// ---- odd but possible ----

const LAST_TRICK = ["karlchen", "karlchen_gefangen", "fuchs_am_ende", "fuchs_am_ende_gefangen"];

/** Return sorted codes of what is odd about a game. An odd game is valid. @param owing  the seats that owed a Pflichtsolo before it, if known */
export function findOddities(line: Deal, settings: Rules, owing?: number[]): string[] {
  const game = FIELDS[line.form] ? parseGame(line, settings) : null;
  if (!game || game.error || game.form !== "played") return [];
  const { eyes, said, specials, rules, duty } = game;
  const { band } = line.facts;
  const mayBeDuty = owing && rules.duty_solo && game.words.includes("announced");
  const isOwing = owing?.includes(game.re[0]);
  const count = (party: Party, ...names: string[]) => names.reduce((sum, name) => sum + (specials[party][name] ?? 0), 0);
  const both = (...names: string[]) => count("re", ...names) + count("kontra", ...names);
  // A band begins with Re's fewest eyes, which are Kontra's most.
  const most = { ...eyes, ...(band && { re: Number(band.split("-").at(-1)) }) };
  const exact = band ? { re: NaN, kontra: NaN } : eyes;
  const odd: Record<string, boolean> = {
    doppelkopf: PARTIES.some((party) => most[party] < 40 * count(party, "doppelkopf")),
    eyes: PARTIES.some((party) => exact[party] > 0 && exact[party] < (rules.deck === 40 ? 8 : 2)),
    foxes: both("fuchs", "fuchs_am_ende") > 2 || both("fuchs_am_ende", "fuchs_am_ende_gefangen") > 2,
    // Tournament rules: only a Pflichtsolo leaves the deal where it is, and it comes first.
    free_solo: Boolean(mayBeDuty && !duty && isOwing && rules.deal_stays.includes("duty_solo")),
    karlchen: both("karlchen", "karlchen_gefangen") > 2,
    last_trick: PARTIES.every((party) => count(party, ...LAST_TRICK)),
    second_duty: Boolean(mayBeDuty && duty && !isOwing),
    sides: PARTIES.some((party) => said[party] > 1 && said[otherParty(party)] < 2 && exact[party] < (LIMITS[said[party] - 2] || 1)),
  };
  return Object.keys(odd).filter((code) => odd[code]);
}
