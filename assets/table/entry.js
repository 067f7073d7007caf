/*
 * The thumb at the table: what is tapped becomes facts, the points of all stand under it at once, and one button puts the game on the sheet,
 * as waiting, and sends it (outbox.js); only the server says that it is saved. Without this script the same form works by itself. What a
 * game is worth is decided in rules/score.js and, last of all, by the server.
 */
import { field, fill, find } from "../dom.js";
import { resumeFocus } from "../focus.js";
import { prepareBeside } from "./beside.js";
import {
  areServed, asksOdd, attach, begin, change, fillIn, hearReach, hearSeated, isIdle, missingNow, outbox, page, refresh, refuse, round,
  sayAnew, seatsNext, showDeal, start, state, stopSayingBack, undoForm, update, worthOf,
} from "./board.js";
import { isDraftOnlyHere } from "./draft.js";
import { raise } from "./drawers.js";
import { dealAnew, followLine, redealEntry, typedEntry } from "./fields.js";
import { isEdit } from "./lines.js";
import { askBeforeLeaving, letter, open, post } from "./outbox.js";
import { say } from "./panels.js";
import { form, preparePills } from "./pills.js";
import { request } from "./request.js";
import { resume } from "./resume.js";
import { hold, settle, undo } from "./settle.js";
import { followed, isBusy, lineOf, merge, rests } from "./state.js";
import { alsoChanged, offerEdits, takeBack } from "./stranded.js";
import { isFull, nameOf, wonOf } from "./words.js";

// So many milliseconds after a new deal a second tap is the same one.
const HASTY = 500;
// So many milliseconds a phone that can vibrates when the server has a game.
const BUZZ = 30;
const { texts } = page;
const redeal = /** @type {HTMLFormElement} */ (find("redeal"));

// ---- saving ----

/** @param {object} what @param {string} [address] */
async function send(what, address = form.action) {
  const answer = await post((...asked) => request(...asked, hearReach), address, what, field(form, "csrfmiddlewaretoken").value);
  document.dispatchEvent(new CustomEvent("entered", { detail: /** @type {Saved | null} */ (answer.body)?.change }));
  return answer;
}

function save() {
  // An entry that was refused and has not been changed since: sent again it would be refused again, or booked twice.
  if (state.phase === "returned") say(texts.decide, true);
  if (rests(state) || state.phase === "checking") return;
  const entry = { ...typedEntry(page.seats), ...state.edit };
  const worth = worthOf(entry);
  const need = missingNow(entry, worth);
  if (need) refuse(Object.fromEntries([need]), true);
  else if (worth.error) check(entry);
  else if (asksOdd(entry)) return;
  else if (state.mending && outbox?.entries.some(({ key }) => key === state.mending)) mend(state.mending, entry);
  else keep(entry);
}

/** What the phone finds impossible does not wait: the server says at once what is wrong with it, or nobody does. @param {OutboxEntry} entry */
async function check(entry) {
  change({ type: "checking" });
  say(texts.saving);
  // Behind what waits, the server could not even place it.
  const answer = outbox?.entries.length ? null : await send(letter(entry), entry.to).catch(() => null);
  change({ type: "checked" });
  if (answer?.body?.errors) refuse(answer.body.errors);
  else if (answer?.body && answer.status <= 201) {
    begin(/** @type {Saved} */ (answer.body).next);
    change({ type: "kept", key: null });
    saved(/** @type {Saved} */ (answer.body), entry);
  } else say(answer?.body?.error || answer?.body?.late || texts.check, true);
}

/** On the sheet at once, as waiting, and on its way; the form is for the next game. @param {OutboxEntry} entry */
async function keep(entry) {
  change({ type: "kept", key: entry.key });
  const { add, isStuck } = outbox ?? (await opening);
  const before = state;
  const stored = add(entry);
  begin();
  // The next game begins at its head, also for a thumb that has scrolled to the sheet meanwhile.
  scrollTo(0, 0);
  also = alsoChanged(before, state, entry, page);
  say(texts.saving);
  if (!isStuck) return;
  await stored;
  const line = lineOf(state, entry.key);
  if (line && !isBusy(state)) sayKept(line);
}

// Other games that are worth something else with what was entered last.
let also = "";

/** Who sits there in the next game. @param {number} seat */
const nameNext = (seat) => ({ name: page.names[seatsNext()[seat]] });

/** It waits, unless only its answer was lost. @param {Line} line */
function sayKept(line) {
  const text = !line.waiting ? texts.saved : state.waits.isOnlyHere ? texts.kept_here : texts.kept;
  const { dealer, soloist } = state.upcoming;
  const deals = line.form === "redeal" ? fill(texts.deals_now, nameNext(dealer)) : "";
  const plays = soloist === null || isFull(state, page) ? "" : fill(texts.need_kind, nameNext(soloist));
  say([fill(text, { label: nameOf(line, page) }), also, deals, plays].filter(Boolean).join(" "));
}

/** The server has it: its lines take the place of what the phone had computed. @param {Saved} told @param {OutboxEntry} entry */
function saved(told, entry) {
  // Another dealer was asked for by the address, and for this one game: loading the page again must not ask again.
  const address = new URL(location.href);
  address.searchParams.delete("dealer");
  history.replaceState(history.state, "", address);
  // Browsers refuse it where nobody has tapped yet.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ);
  const { change: number, next, remarks, key } = told;
  const lines = merge(state.lines, told);
  const line = isEdit(entry) ? lineOf(state, entry.key) : lines.find((one) => one.key === key);
  const what = line && nameOf(line, page);
  const isKnown = next.round === state.next.round;
  // What is being typed is for those who sat here before, and stays so.
  const ahead = isKnown ? next : { ...state.next, number: next.number, ...(!isEdit(entry) && { after: key }) };
  update({ lines, next: ahead, ...(what && number !== null && { undo: { change: number, what, ...(!isEdit(entry) && { key }) } }) });
  // Since people sat down this page shows what a new one would show better.
  if (isIdle() && (!isKnown || next.round !== page.next.round)) return location.reload();
  if (isIdle() && isEdit(entry) && !outbox?.entries.length) begin();
  if (isBusy(state) || outbox?.entries.length) return;
  const won = line && wonOf(line, page);
  const isGame = !isEdit(entry) && ["played", "short"].includes(entry.form);
  const then = isFull(state, page) ? [texts.is_full] : isGame && state.upcoming.soloist === null ? [fill(texts.deals_now, nameNext(state.upcoming.dealer))] : [];
  if (what) say([...(won ? [`${won}.`] : []), ...remarks, ...then], false, { head: fill(texts.saved, { label: what }), isDone: true });
  else say(texts.known);
}

// ---- what waits ----

/** @type {Promise<Outbox>} */
const opening = open(form.action, { who: document.body.dataset.who, name: page.me }, {
  post: send,
  saved: (answer, entry) => {
    change({ type: "trouble", text: "" });
    if (entry.before) seated(/** @type {Seated} */ (answer), entry);
    else saved(/** @type {Saved} */ (answer), entry);
  },
  late: (answer, entry) => {
    change({ type: "trouble", text: answer.late });
    if (entry.before) hearSeated(/** @type {Seated} */ (answer), entry);
    // What is typed next followed it at the table.
    else update({ next: { ...state.next, after: entry.key } });
    // The page as the server has it now shows what came late.
    if (isIdle() && !outbox?.entries.length) location.reload();
  },
  refused: (answer, entry) => {
    change({ type: "trouble", text: "" });
    update({ lines: answer.lines, next: answer.next });
    giveBack(entry, answer.errors);
  },
  failed: (answer) => {
    change({ type: "trouble", text: !answer || answer.status >= 500 ? "" : answer.body?.error || texts.forbidden });
    update();
    const line = lineOf(state, state.entered ?? "");
    if (line && (!isBusy(state) || state.phase === "returned")) sayKept(line);
    change({ type: "told of waiting" });
  },
  changed: () => update(),
});

/** Refused at once, and nothing typed since: it is in the form again. @param {OutboxEntry} entry @param {Record<string, string>} [errors] */
function giveBack(entry, errors) {
  if (!isIdle()) return;
  if (entry.before || isEdit(entry)) return find("outbox").scrollIntoView({ block: "center" });
  if (outbox?.entries.at(-1) !== entry || entry.round !== round()) return;
  fillIn(entry);
  change({ type: "returned" });
  if (errors) return refuse(errors);
  raise(find("outbox"));
  say(texts.decide, true);
}

/** @param {string} mended @param {OutboxEntry} entry */
function mend(mended, { after: _, ...entry }) {
  begin();
  change({ type: "kept", key: entry.key });
  say(texts.saving);
  outbox?.mend(mended, entry);
}

// ---- who sits there ----

/** @param {Seated} answer @param {OutboxEntry} entry */
function seated(answer, entry) {
  hearSeated(answer, entry);
  if (isIdle() && !outbox?.entries.length) location.reload();
}

/** Take over what other phones did; what is being typed stays as it is, and goes on following the line it followed. @param {Heard} heard */
function hear(heard) {
  const { error, undo, open: isOpen, late = page.late, planned, chain } = heard;
  if (error) return say(error, true);
  const isSame = planned === page.planned && late === page.late && isOpen === page.open;
  if (!isSame || !areServed(heard) || chain.join() !== page.chain.join()) {
    if (isIdle()) location.reload();
    else say(texts.people, true);
    return;
  }
  const before = state;
  const { value: after } = field(form, "after");
  update({ lines: merge(state.lines, heard), next: heard.next, undo });
  // In another window of this phone.
  const isEntered = state.phase === "typing" && lineOf(state, field(form, "key").value);
  if (isEntered || (isIdle() && after !== state.upcoming.after)) begin();
  else followLine(followed(before, state, after));
  if (isEntered) say(texts.known);
  else if (isBusy(state) && state.phase !== "returned") refresh();
}

// ---- start ----

preparePills(() => {
  change({ type: "typed" });
  refresh();
}, sayAnew);
form.addEventListener("click", ({ target }) => {
  if (!/** @type {Element} */ (target).closest(".news")) stopSayingBack();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
addEventListener("beforeunload", (event) => {
  if (isDraftOnlyHere()) askBeforeLeaving(event);
});
let dealtAnew = -HASTY;
redeal.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.timeStamp - dealtAnew < HASTY) return;
  dealtAnew = event.timeStamp;
  keep(redealEntry(page.seats));
});
undoForm.addEventListener("submit", undo);
find("rows").addEventListener("click", (event) => {
  const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("a")?.closest(".waiting"));
  if (!row) return;
  event.preventDefault();
  hold(String(row.dataset.key));
});
document.addEventListener("stranded", (event) => {
  const { target, detail } = event;
  const place = /** @type {HTMLElement} */ (target);
  // Taken back here: the form would take back something else.
  if (place.id === "undo-button") return takeBack(detail) && event.preventDefault();
  const row = /** @type {HTMLElement | null} */ (place.closest("#rows a")?.closest("tr"));
  const line = state.shown.find(({ key }) => key === row?.dataset.key);
  if (line) offerEdits(detail, line, place);
});
prepareBeside(keep, opening);
find("dealers").addEventListener("click", (event) => {
  const link = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-dealer]"));
  if (!link) return;
  event.preventDefault();
  dealAnew(Number(link.dataset.dealer));
  showDeal(Number(link.dataset.dealer));
  change({ type: "typed" });
  refresh();
});
opening.then((opened) => {
  attach(opened, settle);
  if (opened.entries.length) (isIdle() ? begin : update)();
  resume();
  opened.send();
});
document.addEventListener("reach", ({ detail }) => {
  if (detail && !state.isReached) outbox?.send();
  hearReach(detail);
});
document.addEventListener("table", (event) => {
  event.preventDefault();
  hear(event.detail);
});
start();
resumeFocus(find("live-steps"));
