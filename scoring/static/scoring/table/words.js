/*
 * What the table's page says: names, points and steps in words, the head of the next game, and the boxes of what was refused. It touches no
 * page: the state goes in, words come out.
 */
import { fill, signed } from "../dom.js";
import { asDeal } from "./ahead.js";
import { asksOf, rulesAt } from "../rules/facts.js";
import { bockSteps } from "../rules/outcome.js";
import { fold } from "../rules/score.js";
import { inForm, isBusy, lineOf } from "./state.js";

/** @typedef {Pick<PageData, "texts" | "names" | "seats" | "labels" | "kinds" | "rules" | "chain">} Page */

/** @param {Line} line @param {Page} page */
export const nameOf = (line, { texts }) => line.name ?? (line.number === null ? line.label : fill(texts.game, { n: line.number }));

/** @param {number} player @param {Page} page */
const called = (player, { names, texts }) => names[player] ?? texts.somebody;

/** @param {number[]} points @param {number[]} seats @param {Page} page */
const listed = (points, seats, page) => seats.map((player, place) => `${called(player, page)} ${signed(points[place])}`).join(", ");

/**
 * What is still to be tapped: the field and a sentence; nothing when the game is complete.
 * @param {Entry} entry
 * @param {Worth | Fault} result
 * @param {boolean} isSolo
 * @param {Page} page
 * @returns {[string, string] | null}
 */
export function missing({ form, facts, seats }, { error }, isSolo, { texts, rules }) {
  const out = seats.length - 4;
  if (facts.out && facts.out.length < out) return ["out", fill(texts.need_out, { out, n: out - facts.out.length })];
  if (form === "short") {
    if (!facts.winners?.length) return ["winners", texts.need_winners];
    if (facts.base === undefined) return ["base", texts.need_base];
  } else {
    const { decided, isRamsch } = asksOf(facts, seats.length, rules);
    if ((facts.re?.length ?? 0) < (isSolo ? 1 : 2)) return ["re", isRamsch ? texts.need_loser : isSolo ? texts.need_soloist : texts.need_re];
    if (decided === "hand" && !facts.winner) return ["winner", isRamsch ? texts.need_ramsch : texts.need_party];
    const hasEnd = facts.eyes !== undefined || facts.band || (decided === "both" && facts.winner);
    if (decided !== "hand" && !hasEnd) return ["eyes", texts.need_result];
  }
  const isTie = Number(facts.eyes ?? facts.band) === 120;
  return error && "last_said" in error ? ["last_said", isTie ? texts.need_last : texts.need_answer] : null;
}

/** What takes from the winner, as what the loser has or a Deckel, has a minus. @param {Worth} worth @param {Page} page */
export function stepsInWords({ steps, winner, bock_started: bocks }, { labels, texts }) {
  const brings = bocks ? [fill(bocks === 1 ? texts.brings_one : texts.brings, { n: bocks })] : [];
  return steps.map(({ code, party, add = 0, times, pay }) => {
    const label = labels[code] || code;
    if (times !== undefined) return times ? `${label} ×${times}` : label;
    if (pay !== undefined) return `${label} ${pay} ${texts.kasse}`;
    return `${label} ${party === (winner ?? "re") ? add : signed(-add)}`;
  }).concat(brings);
}

/** What a Bock of this level does to a game, as a sign. @param {number} level @param {Rules} rules @param {number} table */
export function bockSign(level, rules, table) {
  const [step] = bockSteps(rulesAt(rules, table).bock, {}, level);
  return step?.times ? `×${step.times}` : `+${step?.add ?? 0}`;
}

// ---- the head ----

/**
 * The texts of the head by the name of their place; nothing of what stays as it is.
 * @param {State} state
 * @param {Page} page
 * @returns {Record<string, string>}
 */
export function headOf(state, page) {
  const { texts, names } = page;
  const next = inForm(state);
  const { seats = page.seats } = next;
  /** @param {number[]} places */
  const list = (places) => places.map((seat) => names[seats[seat]]).join(", ");
  const factor = next.bock[0] > 1 ? ` (${bockSign(next.bock[0], page.rules, seats.length)})` : "";
  const { entries } = state.waits;
  const [one, many] = entries[0]?.refused ? [texts.asks, texts.ask] : [texts.waits, texts.wait];
  return {
    number: fill(texts.game, { n: next.number }),
    cycle: fill(texts.cycle, { n: next.cycle }),
    // Whoever is typing is told who dealt the game in the form.
    ...(!isBusy(state) && {
      dealer: list([next.dealer]), turn: "", leader: next.leader === null ? "" : list([next.leader]), out: list(next.out),
    }),
    owing: list(next.owing),
    soloist: next.soloist === null ? "" : list([next.soloist]),
    bock: next.bock.length ? fill(texts.bock, { n: next.bock.length }) + factor + originOf(next, page) : "",
    waiting: state.waits.isStuck ? (entries.length === 1 ? one : fill(many, { n: entries.length })) : "",
  };
}

/**
 * The head where this seat deals the game in the form.
 * @param {number} dealer
 * @param {number[]} playing
 * @param {number} turn  whose deal it would be
 * @param {Page} page
 */
export function headOfDeal(dealer, playing, turn, { names, seats }) {
  const order = seats.map((_, step) => (dealer + 1 + step) % seats.length);
  /** @param {number[]} places */
  const list = (places) => places.map((seat) => names[seats[seat]]).join(", ");
  return {
    dealer: list([dealer]),
    turn: dealer === turn ? "" : list([turn]),
    leader: list(order.filter((seat) => playing.includes(seat)).slice(0, 1)),
    out: list(order.filter((seat) => !playing.includes(seat))),
  };
}

/**
 * The games that started the Bock games to come: where they follow one another, each with how many it brings.
 * @param {Next} next
 * @param {Page} page
 */
function originOf({ bock, bock_runs: runs, bock_origin: told }, page) {
  const count = runs.reduce((sum, [, left]) => sum + left, 0);
  if (runs.length > 1 && count === bock.length) return `: ${runs.map(([game, left]) => `${left} ${fromGames([game], page)}`).join(", ")}`;
  const origin = fromGames(runs.map(([game]) => game), page) || told;
  return origin ? ` ${origin}` : "";
}

/**
 * Games of this sheet come by number; those of an earlier evening as the server puts it.
 * @param {(number | string)[]} games
 * @param {Page} page
 */
function fromGames(games, { texts: { bock_game: one, bock_games: several } }) {
  const own = [...new Set(games.filter((game) => typeof game === "number"))].sort((a, b) => a - b);
  const earlier = games.filter((game) => typeof game === "string");
  return [...new Set(earlier), ...(own.length ? [fill(own.length > 1 ? several : one, { n: own.join(", ") })] : [])].join(", ");
}

// ---- what was refused or tapped ----

/**
 * What a line would be worth in the place of the one that stands there: only then the same game looks the same.
 * @param {State} state
 * @param {Line} line
 * @param {Line} standing
 * @param {Page} page
 */
function pointsBeside({ lines }, line, standing, { rules, chain }) {
  const index = lines.findIndex(({ key }) => key === standing.key);
  const before = index < 0 ? lines : lines.slice(0, index);
  const worth = fold([...before, line].map(asDeal), rules, chain)[before.length];
  return worth.error ? line.points : worth.points;
}

/**
 * How a line is counted, as this phone computes it: one that the server has among those that it has.
 * @param {State} state
 * @param {Line} line
 * @param {Page} page
 */
function stepsTyped({ lines, standing }, { key }, page) {
  const sheet = lines.some((one) => one.key === key) ? lines : standing;
  const worth = fold(sheet.map(asDeal), page.rules, page.chain)[sheet.findIndex((one) => one.key === key)];
  return worth.error ? [] : stepsInWords(worth, page);
}

/**
 * A line that the server has, for whoever cannot open its page: what was typed, how it is counted and what it brought.
 * @param {State} state
 * @param {Line} line
 * @param {Page} page
 */
export const storyOf = (state, line, page) => `${nameOf(line, page)}: ${typedAndWorth(line, line.points, page, stepsTyped(state, line, page))}`;

/**
 * A line as somebody typed it, and what it comes to.
 * @param {Line} line
 * @param {number[]} points
 * @param {Page} page
 * @param {string[]} [steps]
 */
function typedAndWorth({ seats, facts }, points, page, steps = []) {
  const { labels, kinds } = page;
  /** @param {number[]} places */
  const names = (places) => places.map((place) => called(seats[place], page)).join(", ");
  const { re, winners, eyes, band, winner, kind = "", base, reason } = facts;
  const told = [];
  if (re) {
    const result = winner ? `${labels.won}: ${partyName(winner)}` : band ? `Re ${band.replace("-", "–")}` : `Re ${eyes} : ${240 - Number(eyes)} Kontra`;
    told.push(`Re ${names(re)}`, kind === "normal" ? "" : kinds[kind], result);
  }
  if (winners) told.push(`${labels.won}: ${names(winners)}`, `${labels.base} ${base}`);
  told.push(labels[`re_${facts.re_said}`], ...specials("Re", facts.re_specials, labels));
  told.push(labels[`kontra_${facts.kontra_said}`], ...specials("Kontra", facts.kontra_specials, labels));
  told.push(...specials("", facts.game_specials, labels));
  return [...told, reason, ...steps, listed(points, seats, page)].filter(Boolean).join(" · ");
}

/** @param {string} party @param {Record<string, number> | undefined} counts @param {Record<string, string>} labels */
const specials = (party, counts, labels) => Object.entries(counts ?? {}).map(([special, count]) => `${party} ${labels[special] ?? labels[`special:${special}`]} ${count}`.trim());

/** @param {string} party */
const partyName = (party) => (party === "re" ? "Re" : "Kontra");

/**
 * The boxes above the entry: each entry that was refused or tapped, with what can be done about it, and what others typed here.
 * @param {State} state
 * @param {Page} page
 * @param {{kind: Form, round: string}} form  what the form is for
 * @returns {Box[]}
 */
export function boxesOf(state, page, form) {
  const { entries, others, held } = state.waits;
  const boxes = entries.filter(({ key, refused }) => refused || key === held).map((entry) => boxOf(state, entry, page, form));
  if (!others.length) return boxes;
  const { texts } = page;
  const names = [...new Set(others.map(({ typist }) => typist?.name || texts.somebody))].join(", ");
  const sentences = [fill(texts.others, { names, n: others.length })];
  return [...boxes, { role: "status", sentences, close: 0, points: "", buttons: [{ text: texts.adopt, act: "adopt", key: "" }] }];
}

/**
 * @param {State} state
 * @param {Entry} entry
 * @param {Page} page
 * @param {{kind: Form, round: string}} form
 * @returns {Box}
 */
function boxOf(state, entry, page, form) {
  if (entry.before) return boxOfSeats(state, entry, page);
  const { key, form: kind, facts, refused } = entry;
  const { texts } = page;
  const line = /** @type {Line} */ (lineOf(state, key));
  const standing = refused?.standing;
  const isOfOthers = entry.round !== form.round;
  const isBehind = refused?.after !== undefined;
  const ofOthers = isOfOthers && !standing ? [refused ? texts.others_now : texts.of_others] : [];
  /** @type {Box["buttons"]} */
  const buttons = [];
  /** @param {string} text @param {Act} act */
  const offer = (text, act) => buttons.push({ text, act, key });
  if (refused) offer(isBehind ? texts.other : texts.again, "again");
  // Where its people are not those in the form, it is not mended there.
  if (!isOfOthers && kind !== form.kind && (facts.re || facts.winners)) offer(texts.mend, "open");
  if (!isOfOthers && kind === form.kind && state.mending !== key) offer(texts.mend, "mend");
  offer(isBehind ? texts.same : texts.discard, "discard");
  if (!refused) offer(texts.leave, "leave");
  const role = refused ? "alert" : "status";
  if (refused && standing) {
    const typed = fill(texts.typed, { what: typedAndWorth(line, pointsBeside(state, line, standing, page), page) });
    const there = fill(texts.standing, { label: nameOf(standing, page), what: typedAndWorth(standing, standing.points, page) });
    return { role, sentences: [...refused.sentences, typed, there], close: refused.sentences.length, points: "", buttons };
  }
  const what = fill(refused ? texts.not_taken : texts.held, { label: nameOf(line, page) });
  const points = [...stepsTyped(state, line, page), listed(line.points, line.seats, page)].join(" · ");
  return { role, sentences: [what, ...(refused?.sentences ?? []), ...ofOthers], close: 1, points, buttons };
}

/**
 * People who could not sit down. What was played by them already would be nobody's without it: then it is thrown away only where it cannot be.
 * @param {State} state
 * @param {Entry} entry
 * @param {Page} page
 * @returns {Box}
 */
function boxOfSeats({ waits: { entries } }, { key, seats, refused }, { texts, names }) {
  const typed = fill(texts.seat_typed, { names: seats.map((player) => names[player]).join(", ") });
  const isNeeded = entries.some(({ round }) => round === key);
  /** @type {Box["buttons"]} */
  const buttons = [{ text: refused?.before ? texts.seat_anyway : texts.again, act: "again", key }];
  if (!isNeeded || !refused?.before) buttons.push({ text: texts.discard, act: "discard", key });
  return { role: "alert", sentences: [...(refused?.sentences ?? []), typed], close: 1, points: "", buttons };
}
