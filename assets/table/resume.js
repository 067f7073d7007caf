/*
 * Restore the draft of this phone when the page opens: a new game, or a change of a saved line. The page says so, and one tap discards it. A
 * draft that was saved since, or whose line has changed, is deleted.
 */
import { field } from "../dom.js";
import { change, fillIn, isKept, page, refresh, sayBack, sitAs, state, takeUp } from "./board.js";
import { fitsForm, forgetDraft, keepDraft, readDraft, getTypedValue } from "./draft.js";
import { fillDraft } from "./fields.js";
import { form } from "./pills.js";
import { findFollowedLine, isBusy, findLine } from "./state.js";

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

/** Return whether the line still has the version that was seen. @param {Edit} edit */
function isStanding({ key, version, beside }) {
  const line = state.lines.find((one) => one.key === (beside ?? key));
  const isAsked = state.waits.entries.some((entry) => entry.key === key);
  return line && !isAsked && (beside !== undefined || line.version === version);
}

/** @param {Draft} draft */
function takeUpGame(draft) {
  const isOfOthers = draft.seats.join() !== page.seats.join();
  const isAsked = !isOfOthers || fitsForm(draft, page);
  if (isOfOthers && isAsked) sitAs(draft.seats, getTypedValue(draft, "round"));
  if (isAsked) takeUp(draft, isKept || isOfOthers ? draft.after : findFollowedLine(draft, state, draft.after));
  sayBack(isOfOthers ? page.texts.half_others : page.texts.half);
}

/** @param {Draft} draft @param {Edit} edit */
function takeUpEdit(draft, edit) {
  const { seats, typed, behind } = draft;
  if (!fitsForm(draft, page)) return;
  const kind = /** @type {Form} */ (getTypedValue(draft, "form"));
  const key = String(edit.beside ?? edit.key);
  fillIn({ key, after: edit.after ?? "", round: "", form: kind, dealer: Number(getTypedValue(draft, "dealer")), note: "", facts: {}, seats }, edit);
  if (behind) change({ type: "set aside", draft: behind });
  fillDraft(typed.filter(([name]) => name !== "after"));
  refresh();
  sayBack(page.texts.half);
}
