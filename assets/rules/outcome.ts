/*
 * Compute the winner of a game and the steps to its value. The same as rules/goals.py, rules/steps.py and rules/outcome.py. score.ts computes
 * the points of each seat.
 */
import { EARNERS, PARTIES, forGame, isBuiltIn, isCount, isObject, keys, otherParty, rowOf } from "./parsing.ts";

/** The limits of the Absagen; 0 is schwarz. */
export const LIMITS = [90, 60, 30, 0];
/**
 * The places of steps, in order. Steps at bock_game, said, limits, doublings and bock multiply; steps at paid are paid beside the value;
 * the others add.
 */
const PLACES = [
  "before", "bock_game", "special", "said", "limits", "doublings", "bock_only", "bock", "after", "bock_add", "paid",
];

// ---- the winner ----

/** Return whether a party has fewer eyes than `limit` + `more`; for limit 0, whether it is schwarz. */
export function isUnder({ eyes, noTrick, rules }: Pick<Played, "eyes" | "noTrick" | "rules">, party: Party, limit: number, more = 0) {
  if (limit === 0 && rules.schwarz_by === "tricks") return noTrick === party;
  return eyes[party] < (limit ? limit + more : 1);
}

/** Return whether Kontra needs 121 eyes, and the code of the reason. */
function goalOfKontra({ said: { re, kontra }, lastSaid, rules, isAlone }: Played): [boolean, string] {
  const mode = forGame(rules.kontra_121, isAlone);
  if (mode === "unless_re") return re ? [false, "re_said"] : [true, "re_silent"];
  if (mode === "always") return [true, "needs_121"];
  if (!kontra || mode === "never") return [false, "needs_120"];
  if (mode === "kontra_said" || !re) return [true, "said_121"];
  if (mode === "only_kontra") return [false, "also_said"];
  return lastSaid === "kontra" ? [true, "last_kontra"] : [false, "last_re"];
}

/** Return who has won by eyes, and why. */
function winnerByEyes(game: Played): { winner: Party | null; why: Reason[] } {
  const { said, eyes, rules } = game;
  // A missed Absage only costs points then: an Absage changes no goal.
  const onlyCosts = rules.missed_absage === "costs";
  const goals = onlyCosts ? [] : LIMITS;
  const [needs121, code] = goalOfKontra(game);
  const goal = { code, party: PARTIES[1] };
  const why = onlyCosts && PARTIES.some((party) => said[party] > 1) ? [{ code: "costs" }] : [];
  for (const party of PARTIES) {
    const rival = otherParty(party);
    const [ownLimit, rivalLimit] = [goals[said[party] - 2], goals[said[rival] - 2]];
    const winBy = (reason: Reason) => ({ winner: party, why: [...why, reason] });
    if (ownLimit !== undefined) {
      if (isUnder(game, rival, ownLimit)) return winBy({ party, code: "kept", announced: rules.codes.said[said[party]] });
    } else if (rivalLimit !== undefined) {
      if (!isUnder(game, party, rivalLimit)) return winBy({ party: rival, code: "missed", announced: rules.codes.said[said[rival]] });
    } else if (eyes[party] > 120) return winBy({ party, code: "half" });
    else if (eyes[party] === 120 && party === "kontra" && !needs121) return winBy(goal);
  }
  if (PARTIES.some((party) => goals[said[party] - 2] !== undefined)) return { winner: null, why: [{ code: "both_missed" }] };
  const winner = rules.tie_120 === "nobody" ? null : rules.tie_120;
  return { winner, why: [...why, goal, winner ? { code: "tie", party: winner } : { code: "tie_nobody" }] };
}

type Verdict = { winner: Party | null; why: Reason[]; coward?: Party; price?: number };

/**
 * Return the final winner and why. A party that won by eyes but announced too few levels (Feigheit) does not win: no party does, or the
 * other one. In that case `coward` is the party that had won, and a `price` of the rules replaces all steps but special points, the factor
 * of the kind and Bock.
 */
export function verdictOf(game: Played): Verdict {
  const { byHand, said } = game;
  const { cowardice } = game.rules;
  if (byHand) return { winner: byHand, why: [{ code: "by_hand" }] };
  const { winner, why } = winnerByEyes(game);
  if (!winner || !cowardice) return { winner, why };
  const reached = 1 + LIMITS.filter((limit) => isUnder(game, otherParty(winner), limit)).length;
  const { then, levels } = cowardice;
  const more = reached - said[winner];
  // Announcing one level fewer than was reached is never Feigheit, and needs no reason.
  if (more < 2) return { winner, why };
  why.push({ code: "levels", party: winner, reached, said: said[winner], more });
  if (more < levels) return { winner, why: [...why, { code: "coward_near", levels }] };
  const isPrice = isCount(then);
  why.push(isPrice ? { code: "coward_price", n: then, levels } : { code: `coward_${then}`, levels });
  return then === "nobody" ? { winner: null, why } : { winner: otherParty(winner), why, coward: winner, ...(isPrice && { price: then }) };
}

// ---- the steps ----

/** Return the Absagen that a party has announced, each later one including the earlier ones. */
const absagenOf = ({ said, rules }: Played, party: Party) =>
  LIMITS.slice(0, Math.max(said[party] - 1, 0)).map((limit, index) => ({ limit, code: rules.codes.said[index + 2] }));

/** Return the price of a setting that may have several, by key. */
const priceOf = (setting: Price | Record<string, Price>, key: number | string): Price =>
  (isObject(setting) && !("times" in setting) ? (setting as Record<string, Price>)[key] ?? 0 : setting);

/** Return the worth of the Ansage of a party. */
function worthOfAnsage({ rules: { re_kontra: worth }, said, lastSaid }: Played, party: Party, winner: Party | null) {
  if (worth.won) return winner === party ? worth.won : worth.lost;
  if (worth.first) return said[otherParty(party)] && lastSaid === party ? worth.answer : worth.first;
  return worth[party] ?? worth;
}

/**
 * With `specials_in_solo: by_kind` all special points count in solos with one of these words; in a Farbsolo only these count, in all other
 * solos only the Doppelkopf.
 */
const ORDINARY_TRUMPS = ["trumpfsolo", "quiet"];
const IN_FARBSOLO = ["doppelkopf", "karlchen", "karlchen_gefangen"];
/**
 * Return whether a special point counts in a game. `words` are the kind and its groups, the widest first; `like` is the built-in kind
 * whose rules the kind follows.
 */
function specialCounts({ words, like, rules }: Played, special: string) {
  const { kinds } = rowOf(rules, special);
  if (kinds) return kinds.some((word: string) => words.includes(word));
  const [sort] = words;
  if (sort !== "solo" || rules.specials_in_solo === "all") return sort !== "ramsch";
  if (rules.specials_in_solo === "none") return false;
  return ORDINARY_TRUMPS.some((word) => words.includes(word)) || (like.startsWith("farbsolo_") ? IN_FARBSOLO.includes(special) : special === "doppelkopf");
}

/** Return functions that collect [place, step] in `steps`. They leave out steps without effect; without a winner `put` adds no doublings. */
function collector(winner: Party | null) {
  const steps: [string, Step][] = [];
  const double = (code: string, times: number, place = "doublings") => {
    if (times > 1) steps.push([place, { code, times }]);
  };
  /** Add `count` times a price: points for a party at `place`, or a doubling at `doublingPlace`. */
  const put = (code: string, party: Party | null, worth: Price, count = 1, place = "before", doublingPlace = "doublings") => {
    const { add = 0, times = 1 } = isObject(worth) ? worth : { add: worth };
    if (winner) double(code, times ** count, doublingPlace);
    if (party && add * count > 0) steps.push([place, { code, party, [place === "paid" ? "pay" : "add"]: add * count }]);
  };
  return { put, double, steps };
}

type Put = ReturnType<typeof collector>["put"];

/** Add the limits of the winner, or of both parties. */
function putLimits(game: Played, { winner, coward }: Verdict, put: Put) {
  const { rules, said } = game;
  for (const party of PARTIES) {
    if (winner === otherParty(party)) continue;
    // After Feigheit the winner gets the limits that the other party had reached.
    const loser = coward ? party : otherParty(party);
    LIMITS.forEach((limit, index) => {
      const isReached = isUnder(game, loser, limit, loser === "re" ? rules.re_limit_more : 0);
      const isMissed = winner && !coward && rules.limit_counts !== "reached" && said[loser] - 2 >= index;
      const both = rules.limit_counts === "reached_and_missed" ? 2 : 1;
      const count = isReached && isMissed ? both : Number(isReached || isMissed);
      const code = limit ? "under_" + limit : "no_trick";
      if (rules.limits.includes(limit)) put(code, party, priceOf(rules.limit, limit), count, "before", "limits");
    });
  }
}

/** Add Re, Kontra and the Absagen. */
function putAnnouncements(game: Played, { winner }: Verdict, put: Put) {
  const { rules, said, eyes, byHand } = game;
  for (const party of PARTIES) {
    if (said[party]) put(party + "_said", winner, worthOfAnsage(game, party, winner), 1, "before", "said");
  }
  const onlyCosts = rules.missed_absage === "costs" && !byHand;
  for (const party of PARTIES) {
    for (const { code, limit } of absagenOf(game, party)) {
      const worth = priceOf(rules.absage, code);
      const isKept = isUnder(game, otherParty(party), limit);
      const favoured = onlyCosts ? (isKept ? party : otherParty(party)) : winner;
      if (!onlyCosts || isKept || !isObject(worth)) put(`${party}_${code}`, favoured, worth, 1, "before", "said");
    }
  }
  for (const party of PARTIES) {
    const against = absagenOf(game, otherParty(party));
    const counted = rules.against_absage === "highest" ? against.slice(-1) : rules.against_absage === "cumulative" ? against : [];
    for (const { code, limit } of counted) if (eyes[party] >= limit + 30) put("against_" + code, party, rules.against);
  }
}

/** Add Gegen die Alten and the Solopunkt. */
function putExtras({ rules, words, kind, like }: Played, { winner }: Verdict, put: Put) {
  const isGegen = winner === "kontra" && rules.gegen_in.includes(like === "armut" ? like : words[0]);
  if (isGegen) put("gegen_die_alten", winner, rules.gegen_die_alten, 1, rules.gegen_when);
  const point = rules.solo_point;
  if (point && (point.kinds.includes(kind) || point.kinds.includes(like))) put("solo_point", winner, point.points, 1, point.when);
}

/** Add the special points; those of the game go to the winner. */
function putSpecials(game: Played, { winner }: Verdict, put: Put) {
  const { rules, specials } = game;
  const place = rules.specials_when === "before" ? "special" : rules.specials_when;
  for (const earner of EARNERS) {
    for (const special of keys(rules.specials)) {
      const count = specials[earner][special];
      if (!count || !specialCounts(game, special)) continue;
      const { points } = rowOf(rules, special);
      const code = isBuiltIn(rules, special) ? special : "special:" + special;
      const party = earner === "game" ? winner : earner;
      // A list has the points of the first, the second and so on; its last entry counts for all further ones.
      const sum = Array.isArray(points) && [...Array(count).keys()].reduce((all, one) => all + (points[one] ?? points.at(-1)), 0);
      put(code, party, sum === false ? points : sum, sum === false ? count : 1, place);
    }
  }
}

/**
 * Return the step of a Bock level, or no step. A Bock that adds points adds them for the winner: `{ party }`, or `{}` in a short form, or
 * null if no party has won.
 */
export function bockSteps(bock: Rules, winner: { party?: Party } | null, level: number): Step[] {
  if (!level) return [];
  if (!isObject(bock.effect)) return [{ code: "bock", times: bock.factor === "linear" ? level + 1 : bock.factor ** level }];
  const add = bock.effect.add * level;
  return winner && add ? [{ code: "bock", ...winner, add }] : [];
}

/** Return Re's value after these steps. */
export const foldSteps = (steps: Step[]) => steps.reduce((value, { times: factor = 1, add = 0, party }) =>
  value * factor + (party === "kontra" ? -add : add), 0) + 0;

/** Return all steps in order, except the two that depend on their sum (highest, negative). */
function stepsOf(game: Played, verdict: Verdict, level: number) {
  const { rules, said, eyes, words } = game;
  const { winner, coward, price } = verdict;
  const { put, double, steps } = collector(winner);
  if (price === undefined) {
    if (rules.won_at_120 || eyes.re !== 120) put(coward ? "cowardice" : "won", winner, rules.won);
    putLimits(game, verdict, put);
    putAnnouncements(game, verdict, put);
    putExtras(game, verdict, put);
  } else put("cowardice", winner, price);
  putSpecials(game, verdict, put);
  const isSolo = words[0] === "solo";
  double(isSolo ? "solo" : "kind", rules.times ?? (isSolo ? rules.solo_times : 1));
  if (price === undefined && winner) {
    const { lost_announcement: lost } = rules;
    if (winner === "kontra") double("lost", rules.lost_times);
    const isCounted = lost && (lost.when !== "re" || winner === "kontra");
    if (isCounted && said[otherParty(winner)] > (lost.when === "absage" ? 1 : 0)) double("lost_announcement", lost.times);
  }
  const { bock } = rules;
  if (winner || bock?.drawn !== "plain") {
    const place = isObject(bock?.effect) ? "bock_add" : bock?.effect === "game" ? "bock_game" : "bock";
    for (const step of bockSteps(bock, winner && { party: winner }, level)) steps.push([place, step]);
  }
  const places = !winner && rules.nobody_wins === "zero" ? ["paid"] : PLACES;
  return places.flatMap((place) => steps.filter(([where]) => where === place).map(([, step]) => step));
}

/** Return the winner of a game at this level, all steps, and Re's value. */
export function outcomeOf(game: Played, level: number) {
  const { highest, negative } = game.rules;
  const verdict = verdictOf(game);
  const { winner } = verdict;
  const steps = stepsOf(game, verdict, level);
  const sum = foldSteps(steps);
  const beyond = highest === null ? 0 : Math.abs(sum) - highest;
  if (beyond > 0) steps.push({ code: "highest", party: sum > 0 ? "kontra" : "re", add: beyond });
  const isNegative = winner === "re" ? sum < 0 : winner && sum > 0;
  if (isNegative && negative === "zero") steps.push({ code: "negative", times: 0 });
  return { winner, steps, value: foldSteps(steps) };
}
