/*
 * Without a network: explain a tapped line, and correct, delete or precede it on this phone, or undo the last added one. These changes are sent
 * like a game (outbox.js).
 */
import { field, fill, make, makeButton } from "../dom.js";
import { takeFocus } from "../focus.js";
import { lookAhead } from "./ahead.js";
import { begin, fillIn, outbox, page, state, update, computeWorth } from "./board.js";
import { describeLine } from "./boxes.js";
import { isByHand, offerByHand } from "./byhand.js";
import { fitsForm } from "./draft.js";
import { closeOffered } from "./drawers.js";
import { followLine } from "./fields.js";
import { buildCorrection, buildDeletion, buildInsertion } from "./lines.js";
import { say } from "./panels.js";
import { asksOut, form } from "./pills.js";
import { getLineAddress } from "./sheet.js";
import { isBusy, findLine } from "./state.js";
import { getLineName, getName } from "./words.js";

/** @param {Line} line  the key of the line before it, as they will stand */
const getKeyBefore = ({ key }) => state.standing[state.standing.findIndex((one) => one.key === key) - 1]?.key ?? "";

/**
 * Offer changes of a tapped line in its note, while the server cannot be reached.
 * @param {HTMLElement} note
 * @param {Line} line
 * @param {HTMLElement} place  that was tapped
 */
export function offerEdits(note, line, place) {
  note.textContent = page.texts.no_net;
  note.append(make("span", describeLine(state, line, page), "story"));
  // An earlier entry about this line has to be decided first.
  if (!line.version || [...state.waits.entries, ...state.waits.others].some(({ key }) => key === line.key)) return;
  const { form: kind, seats, facts, key } = line;
  const keys = make("span", undefined, "pills");
  /** @param {string} text @param {() => void} work */
  const offer = (text, work) => keys.append(makeButton(text, "key", work));
  /** @param {OutboxEntry} entry @param {Edit} edit */
  const write = (entry, edit) => {
    note.remove();
    fillIn(entry, edit);
    takeFocus(form);
  };
  const entry = { key, after: "", round: "", form: kind, dealer: line.dealer, note: line.note, facts, seats };
  const isAsked = fitsForm({ seats }, page);
  // The form does not ask who sat out despite the dealer.
  const isSimple = !facts.out || asksOut();
  const to = getLineAddress(line);
  const { correct, insert, strike: out } = page.texts;
  if (isAsked && isSimple && kind === field(form, "form").value) offer(correct, () => write(entry, buildCorrection(line, to)));
  if (isByHand(line)) {
    offer(correct, () => {
      note.remove();
      offerByHand(line, page, (typed) => mend({ ...entry, ...buildCorrection(line, to), facts: typed }));
    });
  }
  const forgotten = { ...entry, dealer: null, note: "", facts: {} };
  if (isAsked && page.seats_people) offer(insert, () => write(forgotten, buildInsertion(line, to, getKeyBefore(line))));
  offer(out, () => ask(note, line));
  note.append(keys);
  takeFocus(note, place);
}

/** Edit an entry in the drawer; the form keeps its content. @param {OutboxEntry} entry */
function mend(entry) {
  if (computeWorth(entry).error) return say(page.texts.check, true);
  closeOffered();
  outbox?.add(entry);
  (isBusy(state) ? update : begin)();
  const mended = findLine(state, entry.key);
  if (mended) say(fill(page.texts.kept, { label: getName(mended, page) }));
}

/** Ask before a deletion, with its effects. @param {HTMLElement} note @param {Line} line */
function ask(note, line) {
  const entry = buildDeletion(line, getLineAddress(line), getKeyBefore(line));
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

/** @param {Line} line */
function strike(line) {
  const entry = buildDeletion(line, getLineAddress(line), getKeyBefore(line));
  outbox?.add(entry);
  if (isBusy(state)) {
    update();
    // A game that is being typed takes its place.
    if (field(form, "after").value === line.key) followLine(entry.after);
  } else begin();
  const struck = findLine(state, line.key);
  if (struck) say(fill(page.texts.kept, { label: getName(struck, page) }));
}

/**
 * Delete the last added line here, since the server cannot be reached for an undo. Return whether it was done.
 * @param {HTMLElement} note
 */
export function takeBack(note) {
  const line = state.lines.find(({ key }) => key === state.undo?.key);
  const { entries = [], others = [] } = outbox ?? {};
  if (!line || others.some(({ key }) => key === line.key)) return false;
  // One tap may open the note twice.
  if (!entries.length) strike(line);
  note.textContent = `${page.texts.no_net} · ${page.texts.taken_back}`;
  return true;
}

/**
 * Return the games whose worth changes by this.
 * @param {Pick<State, "standing">} was
 * @param {Pick<State, "standing">} now
 * @param {OutboxEntry} entry
 * @param {PageData} of
 */
export function listOtherChanges(was, now, { key }, of) {
  const worth = new Map(was.standing.map((line) => [line.key, line.points.join()]));
  const games = now.standing.filter((line) => line.key !== key && (worth.get(line.key) ?? line.points.join()) !== line.points.join());
  return games.length ? fill(of.texts.also_changed, { games: games.map((line) => getLineName(line, of)).join(", ") }) : "";
}
