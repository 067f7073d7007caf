/*
 * Explain a game by codes: the same as rules/reasons.py. The sentences come with the page.
 */
import { FIELDS, PARTIES, forGame, isBuiltIn, otherParty, parseGame } from "./parsing.ts";
import { LIMITS, isUnder, verdictOf } from "./outcome.ts";
import { usesUpNoBock } from "./score.ts";

const LIMIT_CODES = ["under_90", "under_60", "under_30", "no_trick"];
const CALLED_ALONE = ["re_said", "kontra_said", "lost"];

/** Return the explanation of a game; null for other lines and invalid games. */
export function explain(line: Deal, settings: Rules, worth: Worth): ExplanationCodes | null {
  const game = FIELDS[line.form] ? parseGame(line, settings) : null;
  if (!game || game.error) return null;
  const shares = sharesOf(game, worth);
  const unraised = worth.isExempt ? [{ code: usesUpNoBock(line, settings) ? "bock_skips" : "bock_plain" }] : [];
  if (game.form === "short") {
    return { sides: game.isAlone ? "solo" : "short", names: worth.steps.map(({ code }) => code), payer: game.rules.special_payer, reasons: [{ code: "short" }, ...unraised], shares };
  }
  const sides = game.words[0];
  const names = worth.steps.map((step) => stepCode(game, sides, step));
  const { why } = verdictOf(game);
  const reasons = [...(sides === "ramsch" ? [{ code: `ramsch_${worth.winner}` }] : why), ...remarksOf(game, worth), ...unraised];
  return { sides, names, payer: game.rules.special_payer, reasons, shares };
}

/** Return the other settings that decided about the steps. */
function remarksOf(game: Played, { winner, steps, bock }: Worth): Reason[] {
  const { rules, eyes } = game;
  const { price } = verdictOf(game);
  const has = (code: string) => steps.some((step) => step.code === code);
  const isSpecial = ({ code, add }: Step) => add && (code.startsWith("special:") || isBuiltIn(rules, code));
  const reasons: Reason[] = [];
  if (!winner) reasons.push({ code: `nobody_${rules.nobody_wins}` });
  else if (eyes.re === 120 && price === undefined && !rules.won_at_120) reasons.push({ code: "no_won" });
  if (rules.re_limit_more && has(`under_${eyes.re}`)) reasons.push({ code: "limit_more", party: "re", n: eyes.re });
  if (has("highest")) reasons.push({ code: "highest", n: rules.highest });
  if (!bock) return reasons;
  const isPlain = !winner && rules.nobody_wins === "net" && (rules.bock.drawn === "plain" || rules.bock.effect.add !== undefined);
  if (isPlain) reasons.push({ code: "bock_drawn" });
  else if (has("bock") && rules.bock.effect === "game" && steps.some(isSpecial)) reasons.push({ code: "bock_game" });
  return reasons;
}

/** Return the code of a step's name. It depends on whether a limit was reached or missed, whether an Absage was kept, and on the sort of game. */
function stepCode(game: Played, sides: string, { code }: Step) {
  const { byHand, rules } = game;
  const limit = LIMIT_CODES.indexOf(code);
  if (limit >= 0) return code + limitMissed(game, limit);
  const [party, announced] = code.split("_");
  const index = rules.codes.said.indexOf(announced);
  if (index > 1 && party !== "against") {
    const isKept = byHand || isUnder(game, otherParty(party as Party), LIMITS[index - 2]);
    return `${isKept ? "said" : "missed"}_${announced}`;
  }
  if (sides === "solo" && CALLED_ALONE.includes(code)) return `${code}_alone`;
  return sides === "ramsch" && byHand === "kontra" && ["won", "lost"].includes(code) ? `${code}_ramsch` : code;
}

/** @param index  of the limit */
function limitMissed(game: Played, index: number) {
  const { rules, said } = game;
  const { winner, coward } = verdictOf(game);
  if (!winner || coward || rules.limit_counts === "reached") return "";
  const loser = otherParty(winner);
  if (said[loser] - 2 < index) return "";
  if (!isUnder(game, loser, LIMITS[index], loser === "re" ? rules.re_limit_more : 0)) return "_missed";
  return rules.limit_counts === "reached_and_missed" ? "_both" : "";
}

// ---- from the value to points ----

function sharesOf(game: Played | Short, { winner, value: worth, points: told, steps }: Worth): Reason[] {
  const { rules, isAlone, players, table } = game;
  const isLost = game.form === "short" && isAlone && game.winners.length > 1;
  const isIn = (seat: number) => (game.form === "short" ? game.winners.includes(seat) !== isLost : game.re.includes(seat));
  const sides: Record<Party, number[]> = { re: players.filter(isIn), kontra: players.filter((seat) => !isIn(seat)) };
  const value = isLost ? -worth : worth;
  const paid = paidOf(rules, sides, steps);
  const points = [...told];
  for (const { party, points: own, others } of paid) {
    for (const seat of sides[party]) points[seat] -= own;
    for (const seat of sides[otherParty(party)]) points[seat] -= others;
  }
  if (!value) return winner || game.form === "short" || rules.nobody_wins === "net" ? [{ code: "zero" }, ...paid] : paid;
  const first = game.form === "short" || isAlone ? "re" : winner ?? "re";
  const ends = { party: first, points: points[sides[first][0]], others: points[sides[otherParty(first)][0]] };
  const sitter = [...Array(table).keys()].find((seat) => !players.includes(seat));
  const counting = forGame(rules.counting, isAlone);
  const reasons: Reason[] = [isAlone ? { ...forOne(rules, value, ends.points, sitter === undefined || rules.sitter === "nothing" ? players.length - 1 : table - 1), ...ends } : { code: "each", ...ends }];
  if (rules.unit === "cents" || counting !== "plus_minus") reasons.push({ code: `${rules.unit}_${counting}` });
  if (sitter !== undefined) {
    const short: Record<string, string> = game.form === "short" ? { re: "winners", kontra: "losers" } : {};
    const code = isAlone && rules.sitter !== "nothing" ? "opponents" : short[rules.sitter] ?? rules.sitter;
    reasons.push({ code: `out_${code}`, points: points[sitter] });
  }
  return [...reasons, ...paid];
}

/** Return what a player who plays against all others gets or pays. */
function forOne({ soloist_share: share }: Rules, value: number, points: number, opponents: number) {
  const isEach = share === "opponents";
  if (points !== value * (isEach ? opponents : share)) return { code: "alone" };
  return isEach ? { code: value > 0 ? "alone_from" : "alone_to", n: opponents } : { code: `alone_${share}` };
}

/** Return what special points bring each player of the party, and what the Kasse or each opponent pays. */
function paidOf(rules: Rules, sides: Record<Party, number[]>, steps: Step[]) {
  const reasons: (Reason & { party: Party; points: number; others: number })[] = [];
  for (const party of PARTIES) {
    const [earners, payers] = [sides[party].length, sides[otherParty(party)].length];
    const amounts = steps.flatMap((step) => (step.pay && step.party === party ? [step.pay] : []));
    const sum = amounts.reduce((all, amount) => all + amount, 0);
    if (!sum) continue;
    if (rules.special_payer !== "players") {
      reasons.push({ code: earners > 1 ? "paid_kasse" : "paid_kasse_one", party, points: sum, others: 0 });
      continue;
    }
    const each = amounts.reduce((all, amount) => all + Math.floor((amount * payers) / earners), 0);
    reasons.push({ code: earners === 1 ? "paid_to_one" : payers === 1 ? "paid_by_one" : "paid", party, points: each, others: -sum });
    const rest = sum * payers - each * earners;
    if (rest) reasons.push({ code: "paid_rest", party, points: 0, others: 0, n: rest });
  }
  return reasons;
}
