/*
 * The table's page as its state has it: whatever happens goes through `change`, `update` shows what follows from it, and `begin`, `fillIn`
 * and `refresh` keep the form beside it. What is sent and when is decided in entry.js.
 */
import { field, fill, find, keysOnPage, signed } from "../dom.js";
import { fold, findOddities, whoPlays } from "../rules/score.js";
import { boxesOf } from "./boxes.js";
import { asksTheSame, fieldsOf, forgetDraft, isDraftOnlyHere, keepDraft } from "./draft.js";
import { dealerSeat, emptyForm, eyesInWords, fillOut, fillAgain, followLine, partiesTyped, seatPlays, typedEntry, writeDealer } from "./fields.js";
import { asDeal, editOf, wholeLines } from "./lines.js";
import { closeDrop, offerDrop, put, say, showBoxes, showFaults, showLive, showPoints, showRoles, spareNames, warn } from "./panels.js";
import { form, isShort, isSolo, presetDuty, refreshPills, seatPills, soloAsked } from "./pills.js";
import { seatTiles } from "./seating.js";
import { showHead, sheetOf } from "./sheet.js";
import { drawForSize } from "./sizes.js";
import { beginState, inForm, isBusy, isDrafting, isEditing, lineOf, linesBefore, linesNow, reduce } from "./state.js";
import { cueOf, explanationOf, headOf, headOfDeal, isFull, lacking, missing, nameOf, wonOf } from "./words.js";

/** What is the same at all tables has come in a file of its own. @type {PageData} */
export const page = JSON.parse(find("table-data").textContent ?? "");
Object.assign(page, { ...WORDS, lines: wholeLines(page.lines, keysOnPage()), labels: { ...WORDS.labels, ...page.labels }, kinds: { ...WORDS.kinds, ...page.kinds } });
page.rules.codes = WORDS.codes;
spareNames(page.names);
export const undoForm = /** @type {HTMLFormElement} */ (find("undo"));
const undoButton = find("undo-button");
const { texts } = page;
const showSheet = sheetOf(page, form.dataset);
/** @param {number} seat */
const seatName = (seat) => page.names[page.seats[seat]];
export const round = () => field(form, "round").value;
// Who sits there and has a column as far as the server knows: a new line-up that waits is in the form before that.
let served = { round: page.next.round, seats: page.seats, columns: page.columns };

// ---- the state ----

/** What the server would take back, as the page was served. */
const undoServed = () => ({
  change: field(undoForm, "change").value, what: String(find("undo-what").textContent), key: undoForm.dataset.key,
});
export let state = beginState(page, undoButton.hidden ? null : undoServed());
/** @type {Outbox | null} */
export let outbox = null;
/** What a button of a box does. @type {(act: Act, key: string) => void} */
let act = () => {};

/** @param {Action} action */
export function change(action) {
  const wasDrafting = isDrafting(state);
  state = reduce(state, action, page);
  // Entered, or thrown away.
  if (wasDrafting && !isDrafting(state)) forgetDraft();
}

/** Could the server be reached just now? @param {boolean} isReached */
export function hearReach(isReached) {
  if (state.isReached && !isReached) document.dispatchEvent(new CustomEvent("unreached", { detail: texts.no_net }));
  change({ type: "reached", isReached });
  showWarning();
}

/** What waits is there. @param {Outbox} opened @param {typeof act} acting */
export function attach(opened, acting) {
  outbox = opened;
  act = acting;
  for (const { names } of [...opened.entries, ...opened.others]) Object.assign(page.names, names);
  look();
  showTray();
}

export const isIdle = () => !isBusy(state) && !form.querySelector("details[open], .offered:not([data-done])") && !find("conflict").childElementCount;

/** @typedef {{lines?: Line[], next?: Next, undo?: Undo | null}} Told */

/** What the server says, and what waits now. @param {Told} [told] */
function look(told) {
  const { entries = [], others = [], held = null, isStuck = false, isUnread = false, isOnlyHere = false } = outbox ?? {};
  change({ type: "known", ...told, seats: served.seats, waits: { entries: [...entries], others: [...others], held, isStuck, isUnread, isOnlyHere } });
}

/** What the server says, and all that follows from it and from what waits. @param {Told} [told] */
export function update(told) {
  look(told);
  document.dispatchEvent(new CustomEvent("known", { detail: { ...page, ...served, lines: state.lines, next: state.next } }));
  showHead(headOf(state, page));
  const complete = document.getElementById("complete");
  if (complete) complete.hidden = !isFull(state, page);
  showSheet(state);
  showUndo();
  showTray();
  if (!isBusy(state)) showNext();
}

/** What the phone cannot do as long as this holds: reach the server, or store what is typed. */
function showWarning() {
  const { isUnread, isOnlyHere } = state.waits;
  const storage = isOnlyHere || isDraftOnlyHere() ? texts.only_here : isUnread ? texts.unread : "";
  warn([state.isReached ? state.trouble : texts.no_net, storage].filter(Boolean).join(" · "));
}

function showTray() {
  showWarning();
  showBoxes(boxesOf(state, page, { kind: isShort ? "short" : "played", round: round() }), act);
}

/** Nothing is typed yet: who deals next, and what the last line gave. */
function showNext() {
  const { dealer, leader } = inForm(state);
  showRoles(dealer, leader, form.dataset);
  const last = linesNow(state).at(-1);
  const isHere = last?.seats.join() === page.seats.join();
  showPoints(isHere && last ? last.points.map((points, seat) => ({ seat, points: last.out.includes(seat) && !points ? "–" : signed(points) })) : [], true);
}

/** The last thing entered, wherever it is by now. */
function showUndo() {
  const last = state.waits.entries.at(-1);
  const line = last && lineOf(state, last.key);
  const what = line ? nameOf(line, page) : last ? texts.line_up : state.undo?.what;
  undoButton.hidden = !what;
  field(undoForm, "change").value = String(state.undo?.change ?? "");
  put(find("undo-what"), what ?? "");
}

// ---- points at once ----

/** @param {OutboxEntry} entry */
export function worthOf({ form: kind, dealer, facts, seats }) {
  const before = linesBefore(state).map(asDeal);
  return fold([...before, { form: kind, table: seats.length, dealer, facts }], page.rules, page.chain)[before.length];
}

// A page that this phone has kept may know fewer lines than the phone.
export const isKept = "kept" in document.documentElement.dataset;
// What was asked about last, as it was typed: the question stands until something else is.
let asked = "";
// What was in the form when the server said something with the page, or when it came back half typed: that is said until something is typed,
// whichever game the form is for by then.
let back = "";
// What was refused last, as it was typed: why stands until something else is.
let refusedAs = "";
const formNow = () => JSON.stringify(fieldsOf(form));

/** What is still to be tapped: the field and a sentence. @param {OutboxEntry} entry @param {Worth | Fault} worth @returns {[string, string] | null} */
export function missingNow(entry, worth) {
  const solo = soloAsked();
  if (solo) return ["kind", solo];
  const found = missing(entry, worth, isSolo(), page);
  return found && [found[0], lacking(entry, worth, isSolo(), page)];
}

/** @param {OutboxEntry} entry */
const typedIn = ({ facts }) => JSON.stringify(facts);
/** @param {OutboxEntry} entry */
const gameIn = (entry) => entry.key + typedIn(entry);

/** Asks once about what is odd in an entry. @param {OutboxEntry} entry @returns {boolean} is it asked now? */
export function asksOdd(entry) {
  const { form: kind, dealer, facts, seats } = entry;
  const odd = findOddities({ form: kind, table: seats.length, dealer, facts }, page.rules, inForm(state).owing);
  if (!odd.length || asked === gameIn(entry)) return false;
  asked = gameIn(entry);
  say([...odd.map((code) => texts[`odd_${code}`]), texts.odd].join(" "), true);
  return true;
}

/**
 * Says why what is in the form is refused, until something else is typed.
 * @param {Record<string, string>} errors
 * @param {boolean} [isUnfinished]  something is missing, and that is all
 */
export function refuse(errors, isUnfinished = false) {
  showFaults(form, errors);
  refusedAs = formNow();
  const text = [...new Set(Object.values(errors))].join(" ");
  if (isUnfinished) say("", true, { head: text });
  else say(text, true);
}

/** What the server said with the page stays; what it said to somebody once is no news in a page that this phone has kept. */
export function start() {
  if (!isKept && find("live-steps").textContent?.trim()) back = typedIn(typedEntry(page.seats));
  refresh();
}

/** What was said before the solos opened or closed is over. */
export function sayAnew() {
  back = refusedAs = "";
  refresh();
}

/** That something has come back is news until the form is used again, if only to look into a panel. */
export function stopSayingBack() {
  if (back) sayAnew();
}

/** Everything that follows from what is typed. */
export function refresh() {
  refreshPills();
  presetDuty(inForm(state).owing);
  const entry = typedEntry(page.seats);
  const worth = worthOf(entry);
  const [place = "", need = worth.error ? texts.check : ""] = missingNow(entry, worth) ?? [];
  const isOver = isFull(state, page) && !isBusy(state);
  // On the tiles, if the next tap goes there.
  const [, code = ""] = missing(entry, worth, isSolo(), page) ?? [];
  form.dataset.cue = isOver ? "" : cueOf(place, code);
  put(find("cue"), form.dataset.cue && fill(texts.tap, { what: texts[`lacks_${code}`] }));
  const whole = worth.error || need ? null : worth;
  // The button is filled as soon as there is something to enter.
  form.classList.toggle("whole", whole !== null);
  if (asked !== gameIn(entry) && refusedAs !== formNow() && back !== typedIn(entry)) {
    asked = back = refusedAs = "";
    showFaults(form, {});
    if (!whole) say("", false, { head: isOver ? texts.is_full : need });
    else {
      const { steps, reasons, shares } = explanationOf(asDeal({ ...entry, table: entry.seats.length }), whole, page);
      const head = wonOf({ ...entry, ...whole }, page);
      say(steps.map((step, index) => (index < steps.length - 1 ? `${step},` : step)), false, { head, beside: eyesInWords(entry.facts), more: [...reasons, ...shares].join(" ") });
    }
  }
  const live = (whole?.points ?? []).flatMap((points, seat) => (points || seatPlays(seat) ? [{ seat, name: seatName(seat), points: signed(points) }] : []));
  showLive(live, partiesTyped(entry.facts, page.seats.length));
  if (!isBusy(state)) showNext();
  const draft = draftKept();
  const wasOnlyHere = isDraftOnlyHere();
  if (isDrafting(state) && draft) keepDraft(draft);
  if (wasOnlyHere !== isDraftOnlyHere()) showWarning();
}

// ---- the next game ----

/** An empty form for the next game. Where others sit at the table than this page knows, it is built anew. */
export function begin(next = state.next) {
  look({ next });
  const isSeated = String(state.upcoming.round) === round() || sit();
  if (!isSeated && !state.upcoming.seats) return location.reload();
  change({ type: "emptied" });
  update({ next });
  const { upcoming, unfinished } = state;
  emptyForm(upcoming, page.seats.map((_, seat) => seat).filter((seat) => !upcoming.out.includes(seat)));
  find("conflict").replaceChildren();
  closeDrop();
  refusedAs = "";
  showFaults(form, {});
  refresh();
  if (!isSeated) say(texts.other_size, true);
  if (!unfinished) return;
  // On with what was being typed before something else came into the form.
  takeUp(unfinished, !unfinished.after || lineOf(state, unfinished.after) ? unfinished.after : upcoming.after);
}

/** Who plays, sits out and leads where this seat deals the game in the form. @param {number} dealer */
export function showDeal(dealer) {
  const playing = whoPlays(page.seats.length, dealer, page.rules) ?? [...page.seats.keys()];
  const order = page.seats.map((_, step) => (dealer + 1 + step) % page.seats.length);
  seatPills(playing);
  showHead(headOfDeal(dealer, playing, inForm(state).dealer, page));
  showRoles(dealer, order.find((seat) => playing.includes(seat)) ?? null, form.dataset);
}

/**
 * An entry back in the form, as it was typed; saving it puts it in its place again. So is a line that the server has, with what makes of it
 * an `edit` of that line.
 * @param {OutboxEntry} entry
 */
export function fillIn(entry, edit = editOf(entry)) {
  const { key, seats } = entry;
  const unfinished = state.mending ? state.unfinished : isBusy(state) ? draftNow() : null;
  change({ type: "mending", key, unfinished: null });
  begin();
  if (edit && seats.join() !== page.seats.join()) sitAs(seats, key);
  change({ type: "mending", key, unfinished, edit });
  showHead(headOf(state, page));
  write({ ...entry, dealer: entry.dealer ?? inForm(state).dealer });
  showTray();
  form.querySelector("fieldset")?.scrollIntoView({ block: "nearest" });
}

/** @param {OutboxEntry} entry */
function write(entry) {
  writeDealer(entry.dealer);
  showDeal(Number(entry.dealer));
  fillOut(entry);
  refresh();
}

// ---- what is half typed ----

/** As it is in the form, behind the line that it follows. */
export function draftNow(after = field(form, "after").value) {
  return { typed: fieldsOf(form), after, seats: page.seats, lines: state.lines.map(({ key }) => ({ key })) };
}

/** A line that the server has is kept with what was being typed before it came into the form; what waits is in the outbox. */
function draftKept() {
  const { mending, edit, unfinished } = state;
  if (!mending) return draftNow();
  return edit && isEditing(state) ? { ...draftNow(), edit, behind: unfinished } : unfinished;
}

/** What is in the form has come back, and that is said until something is typed. @param {string} text */
export function sayBack(text) {
  say(text);
  back = typedIn(typedEntry(page.seats));
  offerDrop(texts.discard, () => {
    forgetDraft();
    begin();
  });
}

/** @param {Draft} draft @param {string} after */
export function takeUp({ typed }, after) {
  change({ type: "taken up" });
  fillAgain(typed);
  followLine(after);
  showDeal(Number(dealerSeat()));
  refresh();
}

// ---- who sits there ----

/** Who sits there from the next game on. */
export const seatsNext = () => state.upcoming.seats ?? served.seats;

/** Has nobody sat down, as far as the server knows? @param {Pick<News, "seats" | "columns">} news */
export const areServed = ({ seats, columns }) => seats.join() === served.seats.join() && columns.join() === served.columns.join();

/** Those who play next sit in the form, where this phone knows them and it asks them the same. */
function sit() {
  const { round: next, seats = next === served.round ? served.seats : null } = state.upcoming;
  if (!seats || !asksTheSame({ seats }, page)) return false;
  sitAs(seats, String(next));
  return true;
}

/** Everybody with a column: whoever has one for the server, played what waits, or sits there now. @param {number[]} seats */
const columnsWith = (seats) => [...new Set([...served.columns, ...(outbox?.entries ?? []).flatMap((entry) => (entry.before ? [] : entry.seats)), ...seats])];

/** @param {number[]} seats @param {string} next  their round */
export function sitAs(seats, next) {
  page.seats = seats;
  page.columns = columnsWith(seats);
  for (const place of [form, /** @type {HTMLFormElement} */ (find("redeal"))]) field(place, "round").value = next;
  const names = seats.map((player) => page.names[player]);
  seatTiles(names, seats);
  drawForSize(names, page);
  // Each with their own total.
  update();
}

/**
 * Those who sat down here sit there for the server as well: in a round of its own, and under its ids.
 * @param {{round: number, people: number[], next: Next, seats: number[], columns: number[]}} told
 * @param {OutboxEntry} entry
 */
export function hearSeated({ round: number, people, next, seats, columns }, entry) {
  people.forEach((player, place) => (page.names[player] = page.names[entry.seats[place]]));
  served = { round: next.round, seats, columns };
  if (round() === entry.key) sitAs(people, String(number));
  else page.columns = columnsWith(page.seats);
  update({ next });
  if (isBusy(state)) refresh();
}
