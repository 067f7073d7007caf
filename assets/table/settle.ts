/*
 * Change lines: the buttons of the boxes, taps on waiting lines, and the undo of the last entry; and without a network also lines of the server,
 * which can be explained, corrected, deleted or preceded on this phone. These changes are sent like a game (outbox.ts).
 */
import { all, field, fill, find, make, makeButton, onEnter } from "../dom.ts";
import { takeFocus } from "../focus.ts";
import { addEntry, begin, computeWorth, fillIn, isIdle, outbox, page, round, state, undoForm, update } from "./board.ts";
import { fitsForm } from "./draft.ts";
import { closeOffered, makeGroup, makeToggle, offerDrawer } from "./drawers.ts";
import { followLine } from "./fields.ts";
import { isEdit, makeKey } from "./outbox.ts";
import { say } from "./panels.ts";
import { asksOut, form, isShort } from "./pills.ts";
import { getLineAddress } from "./sheet.ts";
import { findLine, isBusy, lookAhead } from "./state.ts";
import { describeLine, getLineName, getName } from "./words.ts";

const redealing = find("redeal") as HTMLFormElement;

/** Run the action of a button in a box. */
export function settle(what: Act, key: string) {
  if (!outbox) return;
  if (["again", "leave"].includes(what) && state.mending === key) begin();
  if (what === "again") outbox.again(key);
  if (what === "mend") hold(key);
  if (what === "open") location.assign(`?form=${isShort ? "played" : "short"}`);
  if (what === "discard") takeOut(key);
  if (what === "anew") enterAnew(key);
  if (what === "leave") {
    outbox.held = null;
    update();
    outbox.send();
  }
  if (what === "adopt") {
    outbox.adopt();
    // The earlier entry goes first: the next game is another one now.
    if (isIdle()) begin();
  }
}

/** Remove a waiting entry. A game that is being typed behind it follows the line before. */
function takeOut(key: string) {
  if (state.mending === key) begin();
  const gone = outbox?.entries.find((entry) => entry.key === key);
  const after = outbox?.discard(key) ?? "";
  const was = gone?.form === "deletion" ? gone.after : key;
  for (const place of [form, redealing]) if (field(place, "after").value === was) field(place, "after").value = after;
  if (isIdle()) begin();
}

/** Add the content of a change as a new line behind the last one, because its line is gone. */
function enterAnew(key: string) {
  const found = outbox?.entries.find((entry) => entry.key === key);
  if (!found) return;
  const { form: kind, dealer, note, facts, seats } = found;
  takeOut(key);
  const { after, round: next } = state.upcoming;
  addEntry({ key: makeKey(), after, round: String(next), form: kind, dealer, note, facts, seats });
}

/** Hold a waiting entry that was tapped on the sheet: it can be edited or removed, and is not sent meanwhile. */
export async function hold(key: string) {
  if (outbox?.flight && outbox.entries[0].key === key) await outbox.flight;
  const entry = outbox?.entries.find((one) => one.key === key);
  if (!outbox || !entry || outbox.held === key) return;
  outbox.held = key;
  const isHere = isEdit(entry) ? fitsForm(entry, page) : entry.round === round();
  if (entry.form === field(form, "form").value && isHere) fillIn(entry);
  update();
  find("outbox").scrollIntoView({ block: "center" });
  takeFocus(find("outbox"), all(`#rows tr[data-key="${key}"] a`)[0]);
  outbox.send();
}

/** Undo the last entry: remove it from the outbox while it waits. If it is being sent, wait for the answer first. */
export async function undo(event: Event) {
  const last = outbox?.entries.at(-1);
  if (!outbox || !last) return;
  event.preventDefault();
  if (outbox.flight && outbox.entries.length === 1) await outbox.flight;
  if (!outbox.entries.includes(last)) return undoForm.requestSubmit();
  takeOut(last.key);
  say(page.texts.taken_back);
}

// ---- lines of the server ----

/** Return the key of the line before this one, as they will stand. */
const getKeyBefore = ({ key }: Line) => state.standing[state.standing.findIndex((one) => one.key === key) - 1]?.key ?? "";

const buildDeletion = (line: Line): OutboxEntry => ({
  key: line.key, version: line.version, to: `${getLineAddress(line)}delete/`, round: "", after: getKeyBefore(line), form: "deletion", dealer: null,
  note: "", facts: {}, seats: line.seats,
});

/** Add an entry about a line of the server; what is in the form stays. */
function enter(entry: OutboxEntry) {
  addEntry(entry);
  const changed = findLine(state, entry.key);
  if (changed) say(fill(page.texts.kept, { label: getName(changed, page) }));
}

/** Offer changes of a tapped line in its note, while the server cannot be reached. @param place  that was tapped */
export function offerEdits(note: HTMLElement, line: Line, place: HTMLElement) {
  note.textContent = page.texts.no_net;
  note.append(make("span", describeLine(state, line, page), "story"));
  // An earlier entry about this line has to be decided first.
  if (!line.version || [...state.waits.entries, ...state.waits.others].some(({ key }) => key === line.key)) return;
  const { form: kind, seats, facts, key, version, dealer, note: remark } = line;
  const keys = make("span", undefined, "pills");
  const offer = (text: string, work: () => void) => keys.append(makeButton(text, "key", work));
  const write = (entry: OutboxEntry, edit: Edit) => {
    note.remove();
    fillIn(entry, edit);
    takeFocus(form);
  };
  const entry = { key, after: "", round: "", form: kind, dealer, note: remark, facts, seats };
  const to = getLineAddress(line);
  const correction = { key, version, to, round: "" };
  const insertion = { beside: key, to: `${to}insert/`, round: "", after: getKeyBefore(line) };
  const isAsked = fitsForm({ seats }, page);
  // The form does not ask who sat out despite the dealer.
  const isSimple = !facts.out || asksOut();
  const { correct, insert, strike: out } = page.texts;
  if (isAsked && isSimple && kind === field(form, "form").value) offer(correct, () => write(entry, correction));
  if (["penalty", "correction", "redeal"].includes(kind)) {
    offer(correct, () => {
      note.remove();
      offerByHand(line, (typed) => {
        const mended = { ...entry, ...correction, facts: typed };
        if (computeWorth(mended).error) return say(page.texts.check, true);
        closeOffered();
        enter(mended);
      });
    });
  }
  if (isAsked && page.seats_people) offer(insert, () => write({ ...entry, dealer: null, note: "", facts: {} }, insertion));
  offer(out, () => ask(note, line));
  note.append(keys);
  takeFocus(note, place);
}

/** Ask before a deletion, with its effects. */
function ask(note: HTMLElement, line: Line) {
  const entry = buildDeletion(line);
  const then = lookAhead(state.lines, state.next, [...state.waits.entries, entry], { ...page, seats: state.seats });
  const changed = listOtherChanges(state, then, entry, page);
  const keys = make("span", undefined, "pills");
  const yes = makeButton(page.texts.strike, "key", () => {
    note.remove();
    strike(line);
  });
  keys.append(yes, makeButton(page.texts.leave, "key", () => note.remove()));
  note.replaceChildren(fill(page.texts.ask_strike, { label: getLineName(line, page) }), " ", changed, keys);
  takeFocus(note);
}

function strike(line: Line) {
  const entry = buildDeletion(line);
  enter(entry);
  // A game that is being typed takes its place.
  if (isBusy(state) && field(form, "after").value === line.key) followLine(entry.after);
}

/** Delete the last added line here, since the server cannot be reached for an undo. Return whether it was done. */
export function takeBack(note: HTMLElement) {
  const line = state.lines.find(({ key }) => key === state.undo?.key);
  const { entries = [], others = [] } = outbox ?? {};
  if (!line || others.some(({ key }) => key === line.key)) return false;
  // One tap may open the note twice.
  if (!entries.length) strike(line);
  note.textContent = `${page.texts.no_net} · ${page.texts.taken_back}`;
  return true;
}

/** Return the games whose worth changes by this. */
export function listOtherChanges(was: Pick<State, "standing">, now: Pick<State, "standing">, { key }: OutboxEntry, of: PageData) {
  const worth = new Map(was.standing.map((line) => [line.key, line.points.join()]));
  const games = now.standing.filter((line) => line.key !== key && (worth.get(line.key) ?? line.points.join()) !== line.points.join());
  return games.length ? fill(of.texts.also_changed, { games: games.map((line) => getLineName(line, of)).join(", ") }) : "";
}

/** Edit a penalty, a correction by hand or a new deal in a drawer. @param done  receives the typed facts */
function offerByHand({ key, form: kind, seats, facts: { points = [], seat, reason = "" } }: Line, done: (facts: Facts) => void) {
  const { names, texts } = page;
  const link = form.querySelector('.beside [href="?form=penalty"]') as HTMLAnchorElement;
  offerDrawer(link, "by-hand", (panel) => {
    const rows = make("div", undefined, "by-hand");
    panel.append(rows);
    const places = kind === "redeal" ? [] : seats.map((player, place) => placeOf(rows, names[player], String(points[place])));
    for (const label of all("label", rows)) label.translate = false;
    for (const place of places) Object.assign(place, { type: "number", step: "1", required: true });
    const why = placeOf(rows, texts.reason, reason);
    why.maxLength = field(form, "note").maxLength;
    why.required = kind !== "redeal";
    let guilty = seat;
    const pills = seats.map((player, place) => makeToggle(names[player], place === guilty, () => {
      guilty = guilty === place ? undefined : place;
      pills.forEach((one, other) => (one.ariaPressed = String(other === guilty)));
    }));
    if (!places.length) panel.append(makeGroup(texts.because, pills));
    const give = () => {
      const said = why.value.trim() ? { reason: why.value.trim() } : {};
      const typed = places.length ? { points: places.map(({ value }) => Number(value)) } : guilty === undefined ? {} : { seat: guilty };
      if ([...places, why].every((place) => place.reportValidity())) done({ ...typed, ...said });
    };
    onEnter(rows, give);
    panel.append(makeButton(texts.correct, "key", give));
  }, all(`#rows tr[data-key="${key}"] a`)[0] ?? link);
}

function placeOf(rows: HTMLElement, called: string, value: string) {
  const label = make("label", called);
  const place = make("input", undefined, "form-control");
  place.id = label.htmlFor = `by-hand-${rows.children.length}`;
  place.value = value;
  rows.append(label, place);
  return place;
}
