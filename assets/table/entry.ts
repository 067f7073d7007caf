/*
 * Enter games: taps become facts, the points of all players appear at once, and one button adds the game to the sheet as waiting and sends it
 * (outbox.ts). Only the server says that it is saved. Without this script the form works by itself. rules/score.ts computes the worth, and the
 * server has the last word.
 */
import "./watch.ts";
import { field, fill, find } from "../dom.ts";
import { resumeFocus } from "../focus.ts";
import { prepareBeside } from "./beside.ts";
import {
  askAboutOddities, attach, begin, change, computeWorth, fillIn, findMissingInput, getNextSeats, hearReach, isIdle, isKept, isServedLineUp,
  outbox, page, refresh, refuse, round, sayAnew, sayBack, showDeal, sitAs, start, state, stopSayingBack, takeOverLineUp, takeUp, undoForm, update,
} from "./board.ts";
import { fitsForm, forgetDraft, getTypedValue, isDraftOnlyHere, keepDraft, readDraft } from "./draft.ts";
import { raise } from "./drawers.ts";
import { buildRedeal, changeDealer, fillDraft, followLine, readEntry } from "./fields.ts";
import { askBeforeLeaving, buildBody, isEdit, open, post } from "./outbox.ts";
import { say } from "./panels.ts";
import { form, preparePills } from "./pills.ts";
import { hold, listOtherChanges, offerEdits, settle, takeBack, undo } from "./settle.ts";
import { findFollowedLine, findLine, isBusy, merge, rests } from "./state.ts";
import { describeWin, getName, isFull } from "./words.ts";

// Milliseconds after a new deal in which a second tap counts as the same.
const HASTY = 500;
// Milliseconds that a phone vibrates when the server has saved a game.
const BUZZ = 30;
const { texts } = page;
const redeal = find("redeal") as HTMLFormElement;

// ---- saving ----

async function send(what: object, address: string = form.action) {
  const answer = await post(address, what, field(form, "csrfmiddlewaretoken").value, hearReach);
  document.dispatchEvent(new CustomEvent("entered", { detail: (answer.body as Saved | null)?.change }));
  return answer;
}

function save() {
  // A refused entry that has not changed: a retry would be refused again, or saved twice.
  if (state.phase === "returned") say(texts.decide, true);
  if (rests(state) || state.phase === "checking") return;
  const entry = { ...readEntry(page.seats), ...state.edit };
  const worth = computeWorth(entry);
  const { missing, need } = findMissingInput(entry, worth);
  if (need) refuse(Object.fromEntries(missing.map(([place]) => [place, need])), true);
  else if (worth.error) check(entry);
  else if (askAboutOddities(entry)) return;
  else if (state.mending && outbox?.entries.some(({ key }) => key === state.mending)) mend(state.mending, entry);
  else keep(entry);
}

/** Send an entry that the phone finds impossible at once, so that the server can say what is wrong. It does not wait. */
async function check(entry: OutboxEntry) {
  change({ type: "checking" });
  say(texts.saving);
  // Behind waiting entries the server could not place it.
  const answer = outbox?.entries.length ? null : await send(buildBody(entry), entry.to).catch(() => null);
  change({ type: "checked" });
  if (answer?.body?.errors) refuse(answer.body.errors);
  else if (answer?.body && answer.status <= 201) {
    begin((answer.body as Saved).next);
    change({ type: "kept", key: null });
    saved(answer.body as Saved, entry);
  } else say(answer?.body?.error || answer?.body?.late || texts.check, true);
}

/** Put an entry into the outbox: its line appears as waiting, and the form is for the next game. */
async function keep(entry: OutboxEntry) {
  change({ type: "kept", key: entry.key });
  const { add, isStuck } = outbox ?? (await opening);
  const before = state;
  const stored = add(entry);
  begin();
  // Scroll to the head of the form, also if the user has scrolled to the sheet meanwhile.
  scrollTo(0, 0);
  also = listOtherChanges(before, state, entry, page);
  say(texts.saving);
  if (!isStuck) return;
  await stored;
  const line = findLine(state, entry.key);
  if (line && !isBusy(state)) sayKept(line);
}

// Other games whose worth changed with the last entry.
let also = "";

/** Return the player on a seat in the next game. */
const nameNext = (seat: number) => ({ name: page.names[getNextSeats()[seat]] });

/** Say that the entry waits, unless only its answer was lost. */
function sayKept(line: Line) {
  const text = !line.waiting ? texts.saved : state.waits.isOnlyHere ? texts.kept_here : texts.kept;
  const { dealer, soloist } = state.upcoming;
  const deals = line.form === "redeal" ? fill(texts.deals_now, nameNext(dealer)) : "";
  const plays = soloist === null || isFull(state, page) ? "" : fill(texts.need_kind, nameNext(soloist));
  say([fill(text, { label: getName(line, page) }), also, deals, plays].filter(Boolean).join(" "));
}

/** Replace the computed lines by those of the server. */
function saved(told: Saved, entry: OutboxEntry) {
  // The query named another dealer for this game only; a reload must not use it again.
  const address = new URL(location.href);
  address.searchParams.delete("dealer");
  history.replaceState(history.state, "", address);
  // Browsers refuse it before the first tap.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ);
  const { change: number, next, remarks, key } = told;
  const lines = merge(state.lines, told);
  const line = isEdit(entry) ? findLine(state, entry.key) : lines.find((one) => one.key === key);
  const what = line && getName(line, page);
  const isKnown = next.round === state.next.round;
  // A game that is being typed stays for the earlier players.
  const ahead = isKnown ? next : { ...state.next, number: next.number, ...(!isEdit(entry) && { after: key }) };
  update({ lines, next: ahead, ...(what && number !== null && { undo: { change: number, what, ...(!isEdit(entry) && { key }) } }) });
  // After a change of line-up a new page is better.
  if (isIdle() && (!isKnown || next.round !== page.next.round)) return location.reload();
  if (isIdle() && isEdit(entry) && !outbox?.entries.length) begin();
  if (isBusy(state) || outbox?.entries.length) return;
  const won = line && describeWin(line, page);
  const isGame = !isEdit(entry) && ["played", "short"].includes(entry.form);
  const then = isFull(state, page) ? [texts.is_full] : isGame && state.upcoming.soloist === null ? [fill(texts.deals_now, nameNext(state.upcoming.dealer))] : [];
  if (what) say([...(won ? [`${won}.`] : []), ...remarks, ...then], false, { head: fill(texts.saved, { label: what }), isDone: true });
  else say(texts.known);
}

// ---- what waits ----

const opening: Promise<Outbox> = open(form.action, { who: document.body.dataset.who, name: page.me }, {
  post: send,
  saved: (answer, entry) => {
    change({ type: "trouble", text: "" });
    if (!entry.before) return saved(answer as Saved, entry);
    takeOverLineUp(answer as Seated, entry);
    if (isIdle() && !outbox?.entries.length) location.reload();
  },
  late: (answer, entry) => {
    change({ type: "trouble", text: answer.late });
    if (entry.before) takeOverLineUp(answer as Seated, entry);
    // The next entry follows it.
    else update({ next: { ...state.next, after: entry.key } });
    // A new page shows the late entry.
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
    const line = findLine(state, state.entered ?? "");
    if (line && (!isBusy(state) || state.phase === "returned")) sayKept(line);
    change({ type: "told of waiting" });
  },
  changed: () => update(),
});

/** Put an entry that was refused at once back into the form, if nothing was typed since. */
function giveBack(entry: OutboxEntry, errors?: Record<string, string>) {
  if (!isIdle()) return;
  if (entry.before || isEdit(entry)) return find("outbox").scrollIntoView({ block: "center" });
  if (outbox?.entries.at(-1) !== entry || entry.round !== round()) return;
  fillIn(entry);
  change({ type: "returned" });
  if (errors) return refuse(errors);
  raise(find("outbox"));
  say(texts.decide, true);
}

function mend(mended: string, { after: _, ...entry }: OutboxEntry) {
  begin();
  change({ type: "kept", key: entry.key });
  say(texts.saving);
  outbox?.mend(mended, entry);
}

// ---- what other phones do ----

/** Take over changes of other phones. A game that is being typed stays and follows the same line. */
function hear(heard: Heard) {
  const { error, undo, open: isOpen, late = page.late, planned, chain } = heard;
  if (error) return say(error, true);
  const isSame = planned === page.planned && late === page.late && isOpen === page.open;
  if (!isSame || !isServedLineUp(heard) || chain.join() !== page.chain.join()) {
    if (isIdle()) location.reload();
    else say(texts.people, true);
    return;
  }
  const before = state;
  const { value: after } = field(form, "after");
  update({ lines: merge(state.lines, heard), next: heard.next, undo });
  // The change was made in another window of this phone.
  const isEntered = state.phase === "typing" && findLine(state, field(form, "key").value);
  if (isEntered || (isIdle() && after !== state.upcoming.after)) begin();
  else followLine(findFollowedLine(before, state, after));
  if (isEntered) say(texts.known);
  else if (isBusy(state) && state.phase !== "returned") refresh();
}

// ---- start ----

preparePills(() => {
  change({ type: "typed" });
  refresh();
}, sayAnew);
form.addEventListener("click", ({ target }) => {
  if (!(target as Element).closest(".news")) stopSayingBack();
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
  keep(buildRedeal(page.seats));
});
undoForm.addEventListener("submit", undo);
find("rows").addEventListener("click", (event) => {
  const row = (event.target as Element).closest("a")?.closest(".waiting") as HTMLElement | null;
  if (!row) return;
  event.preventDefault();
  hold(String(row.dataset.key));
});
document.addEventListener("stranded", (event) => {
  const { target, detail } = event;
  const place = target as HTMLElement;
  // Undone here; the form would undo another change.
  if (place.id === "undo-button") return takeBack(detail) && event.preventDefault();
  const row = place.closest("#rows a")?.closest("tr") as HTMLElement | null;
  const line = state.shown.find(({ key }) => key === row?.dataset.key);
  if (line) offerEdits(detail, line, place);
});
prepareBeside(keep, opening);
find("dealers").addEventListener("click", (event) => {
  const link = (event.target as Element).closest("[data-dealer]") as HTMLElement | null;
  if (!link) return;
  event.preventDefault();
  changeDealer(Number(link.dataset.dealer));
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

export function resume() {
  const kept = readDraft();
  if (!kept || isBusy(state)) return;
  const draft = kept.edit && !isStanding(kept.edit) ? kept.behind : kept;
  // It was saved meanwhile; the form of a line has a key for an inserted line.
  if (!draft || findLine(state, getTypedValue(draft, "key"))) return forgetDraft();
  keepDraft(draft);
  const kind = getTypedValue(draft, "form");
  if (kind !== field(form, "form").value) {
    // Games and the short form have separate pages; a request for one of them is followed.
    if (!new URLSearchParams(location.search).has("form")) location.replace(`?form=${kind}`);
  } else if (draft.edit) takeUpEdit(draft, draft.edit);
  else takeUpGame(draft);
}

/** Return whether the line still has the version that was seen. */
function isStanding({ key, version, beside }: Edit) {
  const line = state.lines.find((one) => one.key === (beside ?? key));
  const isAsked = state.waits.entries.some((entry) => entry.key === key);
  return line && !isAsked && (beside !== undefined || line.version === version);
}

function takeUpGame(draft: Draft) {
  const isOfOthers = draft.seats.join() !== page.seats.join();
  const isAsked = !isOfOthers || fitsForm(draft, page);
  if (isOfOthers && isAsked) {
    sitAs(draft.seats, getTypedValue(draft, "round"));
    // Their round is gone if it had no game.
    if (outbox) outbox.isReseated = true;
  }
  if (isAsked) takeUp(draft, isKept || isOfOthers ? draft.after : findFollowedLine(draft, state, draft.after));
  sayBack(isOfOthers ? page.texts.half_others : page.texts.half);
}

function takeUpEdit(draft: Draft, edit: Edit) {
  const { seats, typed, behind } = draft;
  if (!fitsForm(draft, page)) return;
  const kind = getTypedValue(draft, "form") as Form;
  const key = String(edit.beside ?? edit.key);
  fillIn({ key, after: edit.after ?? "", round: "", form: kind, dealer: Number(getTypedValue(draft, "dealer")), note: "", facts: {}, seats }, edit);
  if (behind) change({ type: "set aside", draft: behind });
  fillDraft(typed.filter(([name]) => name !== "after"));
  refresh();
  sayBack(page.texts.half);
}
