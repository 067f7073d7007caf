/*
 * Build the boxes above the form: refused or tapped entries, changes of the server's lines, and entries of other authors. No access to the page:
 * state in, texts out.
 */
import { fill } from "../dom.js";
import { asksOf } from "../rules/parsing.js";
import { fold } from "../rules/score.js";
import { toDeal, isEdit } from "./lines.js";
import { findLine } from "./state.js";
import { getPlayerName, getLineName, joinExplanation, explainLine, listPoints, getName } from "./words.js";

/** @typedef {import("./words.js").Page} Page */

/**
 * Return the points of a line in the place of the server's line, so that equal games look equal.
 * @param {State} state
 * @param {Line} line
 * @param {Line} standing
 * @param {Page} page
 */
function computePoints({ lines }, line, standing, { rules, chain }) {
  const index = lines.findIndex(({ key }) => key === standing.key);
  const before = index < 0 ? lines : lines.slice(0, index);
  const worth = fold([...before, line].map(toDeal), rules, chain)[before.length];
  return worth.error ? line.points : worth.points;
}

/**
 * Return the steps of a line as the phone computes them; a line of the server among the server's lines.
 * @param {State} state
 * @param {Line} line
 * @param {Page} page
 */
function computeSteps({ lines, shown, standing }, { key }, page) {
  const isEdited = shown !== lines && standing.some((one) => one.key === key);
  const sheet = !isEdited && lines.some((one) => one.key === key) ? lines : standing;
  const index = sheet.findIndex((one) => one.key === key);
  const worth = fold(sheet.map(toDeal), page.rules, page.chain)[index];
  return worth.error ? [] : [joinExplanation(explainLine(toDeal(sheet[index]), worth, page))].filter(Boolean);
}

/**
 * Describe a line of the server while its page cannot be opened: content, steps and points.
 * @param {State} state
 * @param {Line} line
 * @param {Page} page
 */
export const describeLine = (state, line, page) => `${getLineName(line, page)}: ${describeContent(line, line.points, page, computeSteps(state, line, page))}`;

/**
 * Describe a line: its content and its points.
 * @param {Line} line
 * @param {number[]} points
 * @param {Page} page
 * @param {string[]} [steps]
 */
function describeContent({ seats, facts }, points, page, steps = []) {
  const { labels, kinds } = page;
  /** @param {number[]} places */
  const names = (places) => places.map((place) => getPlayerName(seats[place], page)).join(", ");
  const { re, winners, eyes, band, winner, kind = "", base, reason } = facts;
  const isSolo = re?.length === 1 && !asksOf(facts, seats.length, page.rules).isRamsch;
  const sides = page.sides[isSolo ? "solo" : "partner"];
  /** @param {Party} party */
  const announced = (party) => {
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

/** @param {string} party @param {Record<string, number> | undefined} counts @param {Record<string, string>} labels */
const specials = (party, counts, labels) => Object.entries(counts ?? {}).map(([special, count]) => `${party} ${labels[special] ?? labels[`special:${special}`]} ${count}`.trim());

/**
 * Return the boxes above the form: each refused or tapped entry with its buttons, and entries that other users typed here.
 * @param {State} state
 * @param {Page} page
 * @param {{kind: Form, round: string}} form  the line in the form
 * @returns {Box[]}
 */
export function buildBoxes(state, page, form) {
  const { entries, others, held } = state.waits;
  const boxes = entries.filter(({ key, refused }) => refused || key === held).map((entry) => buildBox(state, entry, page, form));
  const { edit, mending } = state;
  if (edit && mending && !entries.some(({ key }) => key === mending)) boxes.push(buildFormBox(state, edit, mending, page));
  if (!others.length) return boxes;
  const { texts } = page;
  const names = [...new Set(others.map(({ typist }) => typist?.name || texts.another_user))].join(", ");
  const sentences = [fill(texts.others, { names, n: others.length })];
  return [...boxes, { role: "status", sentences, close: 0, points: "", buttons: [{ text: texts.adopt, act: "adopt", key: "" }] }];
}

/**
 * @param {State} state
 * @param {OutboxEntry} entry
 * @param {Page} page
 * @param {{kind: Form, round: string}} form
 * @returns {Box}
 */
function buildBox(state, entry, page, form) {
  if (entry.before) return buildSeatsBox(state, entry, page);
  if (isEdit(entry)) return buildEditBox(state, entry, page, form);
  const { key, form: kind, facts, refused } = entry;
  const { texts } = page;
  const line = /** @type {Line} */ (findLine(state, key));
  const standing = refused?.standing;
  const isOfOthers = entry.round !== form.round;
  const isBehind = refused?.after !== undefined;
  const ofOthers = isOfOthers && !standing ? [refused ? texts.others_now : texts.of_others] : [];
  /** @type {Box["buttons"]} */
  const buttons = [];
  /** @param {string} text @param {Act} act */
  const offer = (text, act) => buttons.push({ text, act, key });
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
    const there = fill(texts.standing, { label: getName(standing, page), what: describeContent(standing, standing.points, page) });
    return { role, sentences: [...refused.sentences, typed, there], close: refused.sentences.length, points: "", buttons };
  }
  const what = fill(refused ? texts.not_taken : texts.held, { label: getName(line, page) });
  const points = [...computeSteps(state, line, page), listPoints(line.points, line.seats, page)].join(" ");
  return { role, sentences: [what, ...(refused?.sentences ?? []), ...ofOthers], close: 1, points, buttons };
}

/**
 * Return the box of a refused line-up. If its players have games that wait, it can be discarded only if it is impossible.
 * @param {State} state
 * @param {OutboxEntry} entry
 * @param {Page} page
 * @returns {Box}
 */
function buildSeatsBox({ waits: { entries } }, { key, seats, refused }, { texts, names }) {
  const typed = fill(texts.seat_typed, { names: seats.map((player) => names[player]).join(", ") });
  const isNeeded = entries.some(({ round }) => round === key);
  /** @type {Box["buttons"]} */
  const buttons = [{ text: refused?.before ? texts.seat_anyway : texts.again, act: "again", key }];
  if (!isNeeded || !refused?.before) buttons.push({ text: texts.discard, act: "discard", key });
  return { role: "alert", sentences: [...(refused?.sentences ?? []), typed], close: 1, points: "", buttons };
}

/**
 * Return the box for a change of a server's line that is in the form.
 * @param {State} state
 * @param {Edit} edit
 * @param {string} mending  the key of that line
 * @param {Page} page
 * @returns {Box}
 */
function buildFormBox(state, { beside }, mending, page) {
  const { texts } = page;
  const line = findLine(state, mending);
  const sentence = fill(beside === undefined ? texts.correcting : texts.inserting, { label: line ? getLineName(line, page) : "" });
  return { role: "status", sentences: [sentence], close: 0, points: "", buttons: [{ text: texts.leave, act: "leave", key: mending }] };
}

/**
 * Return the box for a refused or tapped change of a server's line: the typed version, the present one, and the choice between them.
 * @param {State} state
 * @param {OutboxEntry} entry
 * @param {Page} page
 * @param {{kind: Form, round: string}} form
 * @returns {Box}
 */
function buildEditBox(state, entry, page, { kind }) {
  const { key, beside, form, seats, refused } = entry;
  const { texts } = page;
  const line = findLine(state, key);
  const label = line ? getName(line, page) : "";
  const isDeletion = form === "deletion";
  const standing = refused?.standing;
  const there = beside ?? key;
  const isGone = refused && !standing && !state.lines.some((one) => one.key === there);
  /** @type {Box["buttons"]} */
  const buttons = [];
  /** @param {string} text @param {Act} act */
  const offer = (text, act) => buttons.push({ text, act, key });
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
    const now = standing ? [fill(texts.standing, { label: getLineName(standing, page), what: describeContent(standing, standing.points, page) })] : [];
    const head = standing || isGone ? [] : [fill(texts.not_taken, { label })];
    const sentences = [...head, ...refused.sentences, ...what.map((one) => fill(texts.typed, { what: one })), ...now];
    return { role, sentences, close: head.length + refused.sentences.length, points: "", buttons };
  }
  const steps = line && !isDeletion ? [...computeSteps(state, line, page), listPoints(line.points, line.seats, page)] : [];
  return { role, sentences: [fill(isDeletion ? texts.kept : texts.held, { label })], close: 1, points: steps.join(" "), buttons };
}
