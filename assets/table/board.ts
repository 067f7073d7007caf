/*
 * Connect the state of the table's page with the form: all changes go through `change`, `update` shows what follows from them, and `begin`,
 * `fillIn` and `refresh` fill the form. entry.ts decides what is sent and when.
 */
import { all, field, fill, find, keysOnPage, signed } from "../dom.ts";
import { findOddities, fold } from "../rules/score.ts";
import { fitsForm, forgetDraft, isDraftOnlyHere, keepDraft, readFields } from "./draft.ts";
import {
  clearForm, describeEyes, drawForSize, fillDraft, fillEntry, followLine, getDealerSeat, getParties, isPlaying, readEntry, seatTiles, writeBoth,
  writeDealer,
} from "./fields.ts";
import { getEdit, toDeal } from "./outbox.ts";
import { closeDrop, offerDrop, put, say, showBoxes, showFaults, showLive, showPoints, showRoles, spareNames, warn } from "./panels.ts";
import { form, getSoloQuestion, isShort, isSolo, presetDuty, refreshPills, seatPills } from "./pills.ts";
import { showHead, showSheet } from "./sheet.ts";
import { beginState, completeLines, findLine, findRoles, getGameInForm, getLines, getLinesBefore, isBusy, isDrafting, isEditing, NOTHING_WAITS, reduce } from "./state.ts";
import { buildBoxes, buildDealHead, buildHead, cueOf, describeMissing, describeWin, explainLine, getName, isFull, listMissing } from "./words.ts";

/** The data of this table; what all tables share is in a file of its own. */
export const page: PageData = JSON.parse(find("table-data").textContent ?? "");
Object.assign(page, { ...WORDS, lines: completeLines(page.lines, keysOnPage()), labels: { ...WORDS.labels, ...page.labels }, kinds: { ...WORDS.kinds, ...page.kinds } });
page.rules.codes = WORDS.codes;
all("#rows tr").forEach((row, place) => (row.dataset.key = page.lines.at(-1 - place)?.key));
spareNames(page.names);
export const undoForm = find("undo") as HTMLFormElement;
const undoButton = find("undo-button");
const { texts } = page;
const seatName = (seat: number) => page.names[page.seats[seat]];
export const round = () => field(form, "round").value;
// Players and columns as the server knows them; the form shows a waiting line-up before that.
let served = { round: page.next.round, seats: page.seats, columns: page.columns };

// ---- the state ----

const servedUndo = { change: field(undoForm, "change").value, what: String(find("undo-what").textContent), key: undoForm.dataset.key };
export let state = beginState(page, undoButton.hidden ? null : servedUndo);
export let outbox: Outbox | null = null;
/** The action of a button in a box. */
let act: (act: Act, key: string) => void = () => {};

export function change(action: Action) {
  const wasDrafting = isDrafting(state);
  state = reduce(state, action, page);
  // Saved or discarded.
  if (wasDrafting && !isDrafting(state)) forgetDraft();
}

/** Hear whether the server could be reached just now. */
export function hearReach(isReached: boolean) {
  if (state.isReached && !isReached) document.dispatchEvent(new CustomEvent("unreached", { detail: texts.no_net }));
  change({ type: "reached", isReached });
  showWarning();
}

/** Attach the outbox once it is open. */
export function attach(opened: Outbox, acting: typeof act) {
  outbox = opened;
  act = acting;
  for (const { names } of [...opened.entries, ...opened.others]) Object.assign(page.names, names);
  look();
  showTray();
}

export const isIdle = () => !isBusy(state) && !form.querySelector("details[open], .offered:not([data-done])") && !find("conflict").childElementCount;

type Told = { lines?: Line[]; next?: Next; undo?: Undo | null };

/** Take over the server's data and the waiting entries. */
function look(told?: Told) {
  const { entries, others, held, isStuck, isUnread, isOnlyHere } = outbox ?? NOTHING_WAITS;
  change({ type: "known", ...told, seats: served.seats, waits: { entries: [...entries], others: [...others], held, isStuck, isUnread, isOnlyHere } });
}

/** Take over the server's data and refresh everything that follows from it. */
export function update(told?: Told) {
  look(told);
  document.dispatchEvent(new CustomEvent("known", { detail: { ...page, ...served, lines: state.lines, next: state.next } }));
  showHead(buildHead(state, page));
  const complete = document.getElementById("complete");
  if (complete) complete.hidden = !isFull(state, page);
  showSheet(state, page, form.dataset);
  showUndo();
  showTray();
  if (!isBusy(state)) showNext();
}

/** Warn while the phone cannot reach the server or cannot store entries. */
function showWarning() {
  const { isUnread, isOnlyHere } = state.waits;
  const storage = isOnlyHere || isDraftOnlyHere() ? texts.only_here : isUnread ? texts.unread : "";
  warn([state.isReached ? state.trouble : texts.no_net, storage].filter(Boolean).join(" · "));
}

function showTray() {
  showWarning();
  showBoxes(buildBoxes(state, page, { kind: isShort ? "short" : "played", round: round() }), act);
}

/** Show the next dealer and the points of the last line, while the form is empty. */
function showNext() {
  const { dealer, leader } = getGameInForm(state);
  showRoles(dealer, leader, form.dataset);
  const last = getLines(state).at(-1);
  const isHere = last?.seats.join() === page.seats.join();
  showPoints(isHere && last ? last.points.map((points, seat) => ({ seat, points: last.out.includes(seat) && !points ? "–" : signed(points) })) : [], true);
}

/** Show the undo of the last entry, whether it waits or is saved. */
function showUndo() {
  const last = state.waits.entries.at(-1);
  const line = last && findLine(state, last.key);
  const what = line ? getName(line, page) : last ? texts.line_up : state.undo?.what;
  undoButton.hidden = !what;
  field(undoForm, "change").value = String(state.undo?.change ?? "");
  put(find("undo-what"), what ?? "");
}

// ---- points at once ----

export function computeWorth(entry: OutboxEntry) {
  const before = getLinesBefore(state);
  return fold([...before, toDeal(entry)], page.rules, page.chain)[before.length];
}

// A cached page may have fewer lines than the phone.
export const isKept = "kept" in document.documentElement.dataset;
// The last content that was asked about: the question stays until the content changes.
let asked = "";
// The content of the form when the page brought a message or a draft: the message stays until something is typed, even if the form is for another
// game by then.
let back = "";
// The last content that was refused: the reason stays until the content changes.
let refusedAs = "";
const formNow = () => JSON.stringify(readFields(form));

/** Return what is still to be tapped: the fields with their codes, and a sentence. */
export function findMissingInput(entry: OutboxEntry, worth: Worth | Fault): { missing: [string, string][]; need: string } {
  const solo = getSoloQuestion();
  if (solo) return { missing: [["kind", ""]], need: solo };
  const missing = listMissing(entry, worth, isSolo(), page);
  return { missing, need: describeMissing(missing, entry, page) };
}

const typedIn = ({ facts }: OutboxEntry) => JSON.stringify(facts);
const gameIn = (entry: OutboxEntry) => entry.key + typedIn(entry);

/** Ask once about what is odd in an entry. @returns whether it is asked now */
export function askAboutOddities(entry: OutboxEntry): boolean {
  const odd = findOddities(toDeal(entry), page.rules, getGameInForm(state).owing);
  if (!odd.length || asked === gameIn(entry)) return false;
  asked = gameIn(entry);
  say([...odd.map((code) => texts[`odd_${code}`]), texts.odd].join(" "), true);
  return true;
}

/** Show why the form is refused, until it changes. @param isUnfinished  only something is missing */
export function refuse(errors: Record<string, string>, isUnfinished = false) {
  showFaults(form, errors);
  refusedAs = formNow();
  const text = [...new Set(Object.values(errors))].join(" ");
  if (isUnfinished) say("", true, { head: text });
  else say(text, true);
}

/** Start the page. Messages of the served page stay; in a cached page they are outdated and removed. */
export function start() {
  if (!isKept && find("live-steps").textContent?.trim()) back = typedIn(readEntry(page.seats));
  refresh();
}

/** Say the state anew after the solos opened or closed. */
export function sayAnew() {
  back = refusedAs = "";
  refresh();
}

/** End the message about a restored draft when the form is used, even if only a panel is opened. */
export function stopSayingBack() {
  if (back) sayAnew();
}

/** Refresh everything that follows from the form. */
export function refresh() {
  refreshPills();
  presetDuty(getGameInForm(state).owing);
  const entry = readEntry(page.seats);
  const worth = computeWorth(entry);
  const { missing, need: lacks } = findMissingInput(entry, worth);
  const need = lacks || (worth.error ? texts.check : "");
  const isOver = isFull(state, page) && !isBusy(state);
  // On the tiles if the next tap belongs there.
  const cue = isOver ? "" : cueOf(missing);
  form.dataset.cue = cue;
  put(find("cue"), cue && fill(texts.tap, { what: texts[`lacks_${missing[0][1]}`] }));
  const whole = worth.error || need ? null : worth;
  // The button is filled as soon as the game is complete.
  form.classList.toggle("whole", whole !== null);
  if (asked !== gameIn(entry) && refusedAs !== formNow() && back !== typedIn(entry)) {
    asked = back = refusedAs = "";
    showFaults(form, {});
    if (!whole) say("", false, { head: isOver ? texts.is_full : need });
    else {
      const { steps, summed, brief, reasons, shares } = explainLine(toDeal(entry), whole, page);
      const head = describeWin({ ...entry, ...whole }, page);
      // Two lines have room for so many steps; those that are summed up follow with the tap that opens the message.
      const [shown, more] = steps.length > 6 && summed.length ? [brief, [`${summed.join(", ")}.`]] : [steps, []];
      say(shown.map((step, index) => (index < shown.length - 1 ? `${step},` : step)), false, { head, beside: describeEyes(entry.facts), more: [...more, ...reasons, ...shares].join(" ") });
    }
  }
  const live = (whole?.points ?? []).flatMap((points, seat) => (points || isPlaying(seat) ? [{ seat, name: seatName(seat), points: signed(points) }] : []));
  showLive(live, getParties(entry.facts, page.seats.length));
  if (!isBusy(state)) showNext();
  const draft = getStoredDraft();
  const wasOnlyHere = isDraftOnlyHere();
  if (isDrafting(state) && draft) keepDraft(draft);
  if (wasOnlyHere !== isDraftOnlyHere()) showWarning();
}

// ---- the next game ----

/** Show an empty form for the next game. If the line-up has changed, the form is rebuilt. */
export function begin(next = state.next) {
  look({ next });
  const isSeated = String(state.upcoming.round) === round() || sit();
  if (!isSeated && !state.upcoming.seats) return location.reload();
  change({ type: "emptied" });
  update({ next });
  const { upcoming, unfinished } = state;
  clearForm(upcoming);
  find("conflict").replaceChildren();
  closeDrop();
  refusedAs = "";
  showFaults(form, {});
  refresh();
  if (!isSeated) say(texts.other_size, true);
  if (!unfinished) return;
  // Continue what was being typed before something else came into the form.
  takeUp(unfinished, !unfinished.after || findLine(state, unfinished.after) ? unfinished.after : upcoming.after);
}

/** Show who plays, sits out and leads if this seat deals the game in the form. */
export function showDeal(dealer: number) {
  const { out, leader } = findRoles(page.seats.length, dealer, page.rules);
  seatPills(out);
  showHead(buildDealHead({ dealer, leader, out }, getGameInForm(state).dealer, page));
  showRoles(dealer, leader, form.dataset);
}

/**
 * Put an entry back into the form as it was typed; saving it replaces it. A line of the server gets an `edit`, which makes it a change of that
 * line.
 */
export function fillIn(entry: OutboxEntry, edit = getEdit(entry)) {
  const { key, seats } = entry;
  const unfinished = state.mending ? state.unfinished : isBusy(state) ? getDraft() : null;
  change({ type: "mending", key, unfinished: null });
  begin();
  if (edit && seats.join() !== page.seats.join()) sitAs(seats, key);
  change({ type: "mending", key, unfinished, edit });
  showHead(buildHead(state, page));
  write({ ...entry, dealer: entry.dealer ?? getGameInForm(state).dealer });
  showTray();
  form.querySelector("fieldset")?.scrollIntoView({ block: "nearest" });
}

function write(entry: OutboxEntry) {
  writeDealer(entry.dealer);
  showDeal(Number(entry.dealer));
  fillEntry(entry);
  refresh();
}

/** Add an entry that is not typed in the form; what is in the form stays. */
export function addEntry(entry: OutboxEntry) {
  outbox?.add(entry);
  (isBusy(state) ? update : begin)();
}

// ---- what is half typed ----

/** Return the form as a draft, behind the line that it follows. */
export function getDraft(after = field(form, "after").value) {
  return { typed: readFields(form), after, seats: page.seats, lines: state.lines.map(({ key }) => ({ key })) };
}

/** Return the draft to store. For a line of the server it includes what was being typed before; waiting entries are in the outbox. */
function getStoredDraft() {
  const { mending, edit, unfinished } = state;
  if (!mending) return getDraft();
  return edit && isEditing(state) ? { ...getDraft(), edit, behind: unfinished } : unfinished;
}

/** Say that the form has been restored, until something is typed. */
export function sayBack(text: string) {
  say(text);
  back = typedIn(readEntry(page.seats));
  offerDrop(texts.discard, () => {
    forgetDraft();
    begin();
  });
}

export function takeUp({ typed }: Draft, after: string) {
  change({ type: "taken up" });
  fillDraft(typed);
  followLine(after);
  showDeal(Number(getDealerSeat()));
  refresh();
}

// ---- who sits there ----

/** Return the players of the next game. */
export const getNextSeats = () => state.upcoming.seats ?? served.seats;

/** Return whether the server's line-up has not changed. */
export const isServedLineUp = ({ seats, columns }: Pick<News, "seats" | "columns">) =>
  seats.join() === served.seats.join() && columns.join() === served.columns.join();

/** Seat the players of the next game in the form, if the phone knows their names and the form fits their number. */
function sit() {
  const { round: next, seats = next === served.round ? served.seats : null } = state.upcoming;
  if (!seats || !fitsForm({ seats }, page)) return false;
  sitAs(seats, String(next));
  return true;
}

/** Return all players with a column: the server's columns, players of waiting games, and the present players. */
const listColumns = (seats: number[]) =>
  [...new Set([...served.columns, ...(outbox?.entries ?? []).flatMap((entry) => (entry.before ? [] : entry.seats)), ...seats])];

/** @param next  the id of their round */
export function sitAs(seats: number[], next: string) {
  page.seats = seats;
  page.columns = listColumns(seats);
  writeBoth("round", next);
  const names = seats.map((player) => page.names[player]);
  seatTiles(names, seats);
  drawForSize(names, page);
  // Each player has a total.
  update();
}

/** Take over the ids that the server gave to a new line-up and its round. */
export function takeOverLineUp({ round: number, people, next, seats, columns }: Seated, entry: OutboxEntry) {
  people.forEach((player, place) => (page.names[player] = page.names[entry.seats[place]]));
  served = { round: next.round, seats, columns };
  if (round() === entry.key) sitAs(people, String(number));
  else page.columns = listColumns(page.seats);
  update({ next });
  if (isBusy(state)) refresh();
}
