/*
 * The texts of the table's page: names, points and steps in words, the head of the next game, and the boxes above the form; and amounts that people
 * type. No access to the page: state in, texts out.
 */
import { fill, minus, signed } from "../dom.ts";
import { bockSteps } from "../rules/outcome.ts";
import { asksOf, otherParty, rulesAt } from "../rules/parsing.ts";
import { explain } from "../rules/reasons.ts";
import { fold } from "../rules/score.ts";
import { describeOthers, isEdit } from "./outbox.ts";
import { findLine, getGameInForm, isBusy, isEditing } from "./state.ts";

type Page = Pick<PageData, "texts" | "names" | "seats" | "labels" | "kinds" | "sides" | "reasons" | "said" | "rules" | "chain" | "planned">;

/** Return the name of a line in a sentence. */
export const getLineName = (line: Line, { texts }: Page) =>
  line.name ?? (line.number === null ? line.label.replace("\u00ad", "") : fill(texts.game, { n: line.number }));

/** Return the name of a line, or of its waiting change. */
export const getName = (line: Line, page: Page) =>
  (line.edit ? fill(page.texts[`${line.edit}_of`], { label: getLineName(line, page) }) : getLineName(line, page));

const getPlayerName = (player: number, { names, texts }: Pick<Page, "names" | "texts">) => names[player] ?? texts.another_user;

const listPoints = (points: number[], seats: number[], page: Page) =>
  seats.map((player, place) => `${getPlayerName(player, page)} ${signed(points[place])}`).join(", ");

type Entered = Pick<OutboxEntry, "form" | "facts" | "seats">;

/** Return what is to be tapped first: the field, and the code of its text; null if the game is complete. */
function findMissing({ form, facts, seats }: Entered, { error }: Worth | Fault, isSolo: boolean, rules: Rules): [string, string] | null {
  if (facts.out && facts.out.length < seats.length - 4) return ["out", "out"];
  if (form === "short") {
    if (!facts.winners?.length) return ["winners", "winners"];
    if (facts.base === undefined) return ["base", "base"];
  } else {
    const { decided, isRamsch } = asksOf(facts, seats.length, rules);
    const marked = facts.re?.length ?? 0;
    if (marked < (isSolo ? 1 : 2)) return ["re", isRamsch ? "loser" : isSolo ? "soloist" : marked ? "partner" : "re"];
    if (facts.kind === "") return ["kind", "kind"];
    if (decided === "hand" && !facts.winner) return ["winner", isRamsch ? "ramsch" : "party"];
    const hasEnd = facts.eyes !== undefined || facts.band || (decided === "both" && facts.winner);
    if (decided !== "hand" && !hasEnd) return ["eyes", "result"];
  }
  const isTie = Number(facts.eyes ?? facts.band) === 120;
  return error && "last_said" in error ? ["last_said", isTie ? "last" : "answer"] : null;
}

/** Return what is to be tapped, fields with the codes of their texts: the first, and how the game ended where the first marks a player. */
export function listMissing(entry: Entered, result: Worth | Fault, isSolo: boolean, { rules }: Pick<Page, "rules">) {
  const first = findMissing(entry, result, isSolo, rules);
  if (!first || !["re", "winners"].includes(first[0])) return first ? [first] : [];
  const marked = { ...entry.facts, re: isSolo ? [0] : [0, 1], winners: [0] };
  const end = findMissing({ ...entry, facts: marked }, result, isSolo, rules);
  return end && ["base", "eyes", "winner"].includes(end[0]) ? [first, end] : [first];
}

/** Say in one line what is still to be tapped: whom to mark, and how the game ended; empty if it is complete. */
export function describeMissing(missing: [string, string][], { facts, seats }: Entered, page: Pick<Page, "texts" | "names">) {
  const { texts } = page;
  if (!missing.length) return "";
  if (missing[0][0] === "kind") return fill(texts.need_kind, { name: getPlayerName(seats[Number(facts.re?.[0])], page) });
  const parts = missing.map(([, code]) => fill(texts[`lacks_${code}`], { n: seats.length - 4 - (facts.out?.length ?? 0) }));
  return fill(texts.lacks, { what: parts.join(", ") });
}

/** Return what the next tap on a tile is for: "re" (one of two) or "one"; empty if the next tap goes elsewhere. */
export const cueOf = ([[place, code] = ["", ""]]: [string, string][]) =>
  (!["re", "winners"].includes(place) ? "" : ["re", "partner"].includes(code) ? "re" : "one");

/** Say who won how much; for a solo what each side gets, if all opponents get the same. Empty if there are no parties. */
export function describeWin(
  { form, facts, seats, winner, value, points }: Pick<Line, "form" | "facts" | "seats" | "winner" | "value" | "points">,
  { texts, rules }: Pick<Page, "texts" | "rules">,
) {
  const asks = form === "played" && asksOf(facts, seats.length, rules);
  if (!asks || asks.isRamsch) return "";
  if (!winner) return texts.nobody_won;
  const n = minus(winner === "kontra" ? -value : value);
  if (!asks.isAlone) return fill(texts[`${winner}_won`], { n });
  const soloist = Number(facts.re?.[0]);
  const [each, ...others] = new Set(points.filter((got, seat) => got && seat !== soloist));
  if (!each || others.length) return fill(texts[`${winner}_won_alone`], { n });
  const [won, lost] = winner === "re" ? [minus, signed] : [signed, minus];
  return fill(texts[`${winner}_won_each`], { n: won(points[soloist]), each: lost(each) });
}

/**
 * Explain a line: its steps, why its party won, and how the value became points. `brief` has one step for the `summed` ones, the points before the
 * first factor; without a factor none are summed up.
 */
export function explainLine(
  line: Deal, worth: Worth, { labels, texts, sides, reasons, said, rules }: Pick<Page, "labels" | "texts" | "sides" | "reasons" | "said" | "rules">,
) {
  const { steps, winner, bock_started: bocks } = worth;
  const brings = bocks ? [fill(bocks === 1 ? texts.brings_one : texts.brings, { n: bocks })] : [];
  const explained = explain(line, rules, worth);
  if (!explained) return { steps: brings, summed: [], brief: brings, reasons: [], shares: [], isHalf: false };
  const own = sides[explained.sides];
  // What takes from the winner counts against it.
  const gains = steps.map(({ party, add = 0 }) => (!party || party === (winner ?? "re") ? add : -add));
  const told = steps.map(({ code, times, pay }, index) => {
    const name = explained.names[index];
    const label = fill(labels[name] ?? name, { party: own[code.split("_")[0]] ?? "" });
    if (times === 0) return label;
    const amount = times ? `×${times}` : pay === undefined ? signed(gains[index]) : fill(reasons[`step_${explained.payer}`], { n: pay });
    return `${label}: ${amount}`;
  });
  const sentence = ({ code, party = "re", announced = "", points = 0, others = 0, ...numbers }: Reason) => {
    const them = `${code}_them`;
    const text = reasons[explained.sides === "solo" && party === "kontra" && them in reasons ? them : code];
    return fill(text, { ...numbers, party: own[party], other: own[otherParty(party)], announced: said[announced] ?? "", points: signed(points), others: signed(others) });
  };
  const isHalf = explained.reasons[0].code === "half";
  const factor = steps.findIndex(({ times }) => times !== undefined);
  const isSummed = factor > 1 && steps.slice(0, factor).every(({ pay }) => pay === undefined);
  const summed = isSummed ? told.slice(0, factor) : [];
  const sum = gains.slice(0, summed.length).reduce((total, gain) => total + gain, 0);
  const brief = [...(isSummed ? [fill(texts.points_in_all, { n: signed(sum) })] : []), ...told.slice(summed.length), ...brings];
  return { steps: [...told, ...brings], summed, brief, reasons: explained.reasons.map(sentence), shares: explained.shares.map(sentence), isHalf };
}

/** Join an explanation into one line. The reason about half of the eyes comes behind the steps, since the eyes have been read before. */
export function joinExplanation({ steps, reasons, shares, isHalf }: ReturnType<typeof explainLine>) {
  const counted = steps.length ? [`${steps.join(", ")}.`] : [];
  return [...(isHalf ? [...counted, ...reasons] : [...reasons, ...counted]), ...shares].join(" ");
}

/** Return the sign for the effect of a Bock of this level. */
export function getBockSign(level: number, rules: Rules, table: number) {
  const [step] = bockSteps(rulesAt(rules, table).bock, {}, level);
  return step?.times ? `×${step.times}` : `+${step?.add ?? 0}`;
}

// ---- the head ----

/** Return whether all planned games were played before the one in the form. */
export const isFull = (state: State, { planned }: Pick<PageData, "planned">) => Boolean(planned) && getGameInForm(state).number > planned;

/** Return the texts of the head by the name of their place, without those that stay. */
export function buildHead(state: State, page: Page): Record<string, string> {
  const { texts, names, planned } = page;
  const next = getGameInForm(state);
  const isComplete = isFull(state, page);
  const { seats = page.seats } = next;
  const list = (places: number[]) => places.map((seat) => names[seats[seat]]).join(", ");
  const factor = next.bock[0] > 1 ? ` (${getBockSign(next.bock[0], page.rules, seats.length)})` : "";
  const cycle = isComplete ? "" : fill(texts.cycle, { n: next.cycle });
  const left = next.bock.length ? fill(texts.bock, { n: next.bock.length }) + factor : "";
  const { entries } = state.waits;
  const [one, many] = entries[0]?.refused ? [texts.asks, texts.ask] : [texts.waits, texts.wait];
  return {
    number: fill(isComplete ? texts.full : planned ? texts.game_of : texts.game, { n: next.number - Number(isComplete), planned }),
    cycle,
    round: cycle,
    // While typing, the head shows who dealt the game in the form.
    ...(!isBusy(state) && buildDealHead(next, next.dealer, { names, seats })),
    owing: next.owing.length < seats.length ? list(next.owing.filter((seat) => seat !== next.soloist))
      : next.soloist === null ? texts.all : texts.all_others,
    owes: list(next.owing),
    soloist: next.soloist === null ? "" : list([next.soloist]),
    bock_left: left,
    bock: left && left + describeOrigin(next, page),
    waiting: state.waits.isStuck ? (entries.length === 1 ? one : fill(many, { n: entries.length })) : "",
  };
}

/** Return the head of a deal. @param turn  the seat whose turn it is */
export function buildDealHead({ dealer, leader, out }: Pick<Next, "dealer" | "leader" | "out">, turn: number, { names, seats }: Pick<Page, "names" | "seats">) {
  const list = (places: number[]) => places.map((seat) => names[seats[seat]]).join(", ");
  return { dealer: list([dealer]), turn: dealer === turn ? "" : list([turn]), leader: leader === null ? "" : list([leader]), out: list(out) };
}

/** Describe the games that started the coming Bock games; if they follow one another, each with its number of games. */
function describeOrigin({ bock, bock_runs: runs, bock_origin: told }: Next, page: Page) {
  const count = runs.reduce((sum, [, left]) => sum + left, 0);
  if (runs.length > 1 && count === bock.length) return `: ${runs.map(([game, left]) => `${left} ${describeGames([game], page)}`).join(", ")}`;
  const origin = describeGames(runs.map(([game]) => game), page) || told;
  return origin ? ` ${origin}` : "";
}

/** Name games of this sheet by number, and those of an earlier evening by the server's words. */
function describeGames(games: (number | string)[], { texts: { bock_game: one, bock_games: several } }: Page) {
  const own = [...new Set(games.filter((game) => typeof game === "number"))].sort((a, b) => a - b);
  const earlier = games.filter((game) => typeof game === "string");
  return [...new Set(earlier), ...(own.length ? [fill(own.length > 1 ? several : one, { n: own.join(", ") })] : [])].join(", ");
}

/** Return the points of a line in the place of the server's line, so that equal games look equal. */
function computePoints({ lines }: State, line: Line, standing: Line, { rules, chain }: Page) {
  const index = lines.findIndex(({ key }) => key === standing.key);
  const before = index < 0 ? lines : lines.slice(0, index);
  const worth = fold([...before, line], rules, chain)[before.length];
  return worth.error ? line.points : worth.points;
}

/** Return the steps of a line as the phone computes them; a line of the server among the server's lines. */
function computeSteps({ lines, shown, standing }: State, { key }: Line, page: Page) {
  const isEdited = shown !== lines && standing.some((one) => one.key === key);
  const sheet = !isEdited && lines.some((one) => one.key === key) ? lines : standing;
  const index = sheet.findIndex((one) => one.key === key);
  // Another phone deleted the line that a waiting entry changes.
  if (index < 0) return [];
  const worth = fold(sheet, page.rules, page.chain)[index];
  return worth.error ? [] : [joinExplanation(explainLine(sheet[index], worth, page))].filter(Boolean);
}

/** Describe a line of the server while its page cannot be opened: content, steps and points. */
export const describeLine = (state: State, line: Line, page: Page) =>
  `${getLineName(line, page)}: ${describeContent(line, line.points, page, computeSteps(state, line, page))}`;

/** Describe a line: its content and its points. */
function describeContent({ seats, facts }: Line, points: number[], page: Page, steps: string[] = []) {
  const { labels, kinds } = page;
  const names = (places: number[]) => places.map((place) => getPlayerName(seats[place], page)).join(", ");
  const { re, winners, eyes, band, winner, kind = "", base, reason } = facts;
  const isSolo = re?.length === 1 && !asksOf(facts, seats.length, page.rules).isRamsch;
  const sides = page.sides[isSolo ? "solo" : "partner"];
  const announced = (party: Party) => {
    const said = facts[`${party}_said`];
    const code = said === "said" ? `${party}_said${isSolo ? "_alone" : ""}` : `said_${said}`;
    return code in labels ? fill(labels[code], { party: sides[party] }) : undefined;
  };
  const told = [];
  if (re) {
    const result = winner ? `${labels.won}: ${sides[winner]}` : band ? `${sides.re} ${band.replace("-", "–")}` : `${sides.re} ${eyes} : ${240 - Number(eyes)} ${sides.kontra}`;
    told.push(`${sides.re} ${names(re)}`, kind === "normal" ? "" : kinds[kind], result);
  }
  if (winners) told.push(`${labels.won}: ${names(winners)}`, `${labels.base} ${base}`);
  told.push(announced("re"), ...specials(sides.re, facts.re_specials, labels));
  told.push(announced("kontra"), ...specials(sides.kontra, facts.kontra_specials, labels));
  told.push(...specials("", facts.game_specials, labels));
  const typed = [...told, reason].filter(Boolean).join(" · ");
  const brought = listPoints(points, seats, page);
  return steps.length ? `${typed}. ${steps.join(" ")} ${brought}` : [typed, brought].filter(Boolean).join(" · ");
}

/** Describe the line of the server that is in the way. */
const describeStanding = (line: Line, page: Page) =>
  fill(page.texts.standing, { label: getLineName(line, page), what: describeContent(line, line.points, page) });

const specials = (party: string, counts: Record<string, number> | undefined, labels: Record<string, string>) =>
  Object.entries(counts ?? {}).map(([special, count]) => `${party} ${labels[special] ?? labels[`special:${special}`]} ${count}`.trim());

/**
 * Return the boxes above the form: each refused or tapped entry with its buttons, and entries that other users typed here.
 * @param form  the line in the form
 */
export function buildBoxes(state: State, page: Page, form: { kind: Form; round: string }): Box[] {
  const { entries, others, held } = state.waits;
  const boxes = entries.filter(({ key, refused }) => refused || key === held).map((entry) => buildBox(state, entry, page, form));
  const { texts } = page;
  // A change of a server's line is in the form.
  if (isEditing(state)) {
    const key = String(state.mending);
    const line = findLine(state, key);
    const sentence = fill(state.edit?.beside === undefined ? texts.correcting : texts.inserting, { label: line ? getLineName(line, page) : "" });
    boxes.push({ role: "status", sentences: [sentence], close: 0, points: "", buttons: [{ text: texts.leave, act: "leave", key }] });
  }
  if (!others.length) return boxes;
  return [...boxes, { role: "status", sentences: [describeOthers(others, texts)], close: 0, points: "", buttons: [{ text: texts.adopt, act: "adopt", key: "" }] }];
}

function buildBox(state: State, entry: OutboxEntry, page: Page, form: { kind: Form; round: string }): Box {
  if (entry.before) return buildSeatsBox(state, entry, page);
  if (isEdit(entry)) return buildEditBox(state, entry, page, form);
  const { key, form: kind, facts, refused } = entry;
  const { texts } = page;
  const line = findLine(state, key) as Line;
  const standing = refused?.standing;
  const isOfOthers = entry.round !== form.round;
  const isBehind = refused?.after !== undefined;
  const ofOthers = isOfOthers && !standing ? [refused ? texts.others_now : texts.of_others] : [];
  const buttons: Box["buttons"] = [];
  const offer = (text: string, act: Act) => buttons.push({ text, act, key });
  if (isBehind) offer(texts.same, "discard");
  if (refused) offer(isBehind ? texts.other : texts.again, "again");
  // It cannot be edited in the form if that is for other players.
  if (!isOfOthers && kind !== form.kind && (facts.re || facts.winners)) offer(texts.mend, "open");
  if (!isOfOthers && kind === form.kind && state.mending !== key) offer(texts.mend, "mend");
  if (!isBehind) offer(texts.discard, "discard");
  if (!refused) offer(texts.leave, "leave");
  const role = refused ? "alert" : "status";
  if (refused && standing) {
    const typed = fill(texts.typed, { what: describeContent(line, computePoints(state, line, standing, page), page) });
    return { role, sentences: [...refused.sentences, typed, describeStanding(standing, page)], close: refused.sentences.length, points: "", buttons };
  }
  const what = fill(refused ? texts.not_taken : texts.held, { label: getName(line, page) });
  const points = [...computeSteps(state, line, page), listPoints(line.points, line.seats, page)].join(" ");
  return { role, sentences: [what, ...(refused?.sentences ?? []), ...ofOthers], close: 1, points, buttons };
}

/** Return the box of a refused line-up. If its players have games that wait, it can be discarded only if it is impossible. */
function buildSeatsBox({ waits: { entries } }: State, { key, seats, refused }: OutboxEntry, { texts, names }: Page): Box {
  const typed = fill(texts.seat_typed, { names: seats.map((player) => names[player]).join(", ") });
  const isNeeded = entries.some(({ round }) => round === key);
  const buttons: Box["buttons"] = [{ text: refused?.before ? texts.seat_anyway : texts.again, act: "again", key }];
  if (!isNeeded || !refused?.before) buttons.push({ text: texts.discard, act: "discard", key });
  return { role: "alert", sentences: [...(refused?.sentences ?? []), typed], close: 1, points: "", buttons };
}

/** Return the box for a refused or tapped change of a server's line: the typed version, the present one, and the choice between them. */
function buildEditBox(state: State, entry: OutboxEntry, page: Page, { kind }: { kind: Form; round: string }): Box {
  const { key, beside, form, seats, refused } = entry;
  const { texts } = page;
  const line = findLine(state, key);
  const label = line ? getName(line, page) : "";
  const isDeletion = form === "deletion";
  const standing = refused?.standing;
  const there = beside ?? key;
  const isGone = refused && !standing && !state.lines.some((one) => one.key === there);
  const buttons: Box["buttons"] = [];
  const offer = (text: string, act: Act) => buttons.push({ text, act, key });
  if (isGone && seats.join() === page.seats.join()) offer(texts.anew, "anew");
  if (refused && !isGone) offer(standing ? (isDeletion ? texts.strike : texts.mine) : texts.again, "again");
  if (form === kind && !isGone && state.mending !== key) offer(texts.mend, "mend");
  offer(standing ? texts.leave : texts.discard, "discard");
  if (!refused) offer(texts.leave, "leave");
  const typed = line && { ...line, form, facts: entry.facts, dealer: entry.dealer, seats };
  const points = typed && standing && !isDeletion ? computePoints(state, typed, standing, page) : line?.points;
  const what = !typed || !points ? [] : [isDeletion ? label : describeContent(typed, points, page)];
  const role = refused ? "alert" : "status";
  if (refused) {
    const now = standing ? [describeStanding(standing, page)] : [];
    const head = standing || isGone ? [] : [fill(texts.not_taken, { label })];
    const sentences = [...head, ...refused.sentences, ...what.map((one) => fill(texts.typed, { what: one })), ...now];
    return { role, sentences, close: head.length + refused.sentences.length, points: "", buttons };
  }
  const steps = line && !isDeletion ? [...computeSteps(state, line, page), listPoints(line.points, line.seats, page)] : [];
  return { role, sentences: [fill(isDeletion ? texts.kept : texts.held, { label })], close: 1, points: steps.join(" "), buttons };
}

// ---- amounts as people write them, read as cash/rules/money.py does ----

const WRITTEN_AMOUNT =
  /^(?:(?:€|EUR|Euro) ?)?(?:(\d{1,9})|(\d{1,3}([ .,'’])\d{3}(?:\3\d{3})?))?(?:([.,])(\d{1,2}|--?|–|—))?(?: ?(?:€|EUR|Euro))?$/i;
const MOST_FINED = 1000000;

/** Whole minutes, or cents of an amount; null where it is none. */
export function parseAmount(text: string, asks: TillFine["asks"]) {
  if (asks === "minutes") return /^\d{1,4}$/.test(text) && Number(text) <= 1440 ? Number(text) : null;
  const [, plain = "", grouped = "", gap, point, behind = ""] = text.trim().replace(/\s+/g, " ").match(WRITTEN_AMOUNT) ?? [];
  if (point && point === gap) return null;
  // 1.234 may be more than a thousand or little more than one.
  if ((gap === "." || gap === ",") && !point && grouped.split(gap).length === 2) return null;
  const amount = Number((plain || grouped).replace(/\D/g, "")) * 100 + (Number(behind.padEnd(2, "0")) || 0);
  return amount >= 1 && amount <= MOST_FINED ? amount : null;
}
