/*
 * What was half typed on this phone comes back when the page is opened: a new game, or what was to be done to a line that the server has. It
 * says so, and one tap throws it away. What was entered since, or is about a line that is another one by now, is forgotten.
 */
import { field } from "../dom.js";
import { change, fillIn, isKept, page, refresh, sayBack, sitAs, state, takeUp } from "./board.js";
import { asksTheSame, forgetDraft, keepDraft, readDraft, typedAs } from "./draft.js";
import { fillAgain } from "./fields.js";
import { form } from "./pills.js";
import { followed, isBusy, lineOf } from "./state.js";

export function resume() {
  const kept = readDraft();
  if (!kept || isBusy(state)) return;
  const draft = kept.edit && !isStanding(kept.edit) ? kept.behind : kept;
  // Entered by now; the form for a line has a key for what would be put before it.
  if (!draft || lineOf(state, typedAs(draft, "key"))) return forgetDraft();
  keepDraft(draft);
  const kind = typedAs(draft, "form");
  if (kind !== field(form, "form").value) {
    // The page for games and the one for the short form are two; whoever asks for one of them gets it.
    if (!new URLSearchParams(location.search).has("form")) location.replace(`?form=${kind}`);
  } else if (draft.edit) takeUpEdit(draft, draft.edit);
  else takeUpGame(draft);
}

/** Is the line still as it was seen? @param {Edit} edit */
function isStanding({ key, version, beside }) {
  const line = state.lines.find((one) => one.key === (beside ?? key));
  const isAsked = state.waits.entries.some((entry) => entry.key === key);
  return line && !isAsked && (beside !== undefined || line.version === version);
}

/** @param {Draft} draft */
function takeUpGame(draft) {
  const isOfOthers = draft.seats.join() !== page.seats.join();
  const isAsked = !isOfOthers || asksTheSame(draft, page);
  if (isOfOthers && isAsked) sitAs(draft.seats, typedAs(draft, "round"));
  if (isAsked) takeUp(draft, isKept || isOfOthers ? draft.after : followed(draft, state, draft.after));
  sayBack(isOfOthers ? page.texts.half_others : page.texts.half);
}

/** @param {Draft} draft @param {Edit} edit */
function takeUpEdit(draft, edit) {
  const { seats, typed, behind } = draft;
  if (!asksTheSame(draft, page)) return;
  const kind = /** @type {Form} */ (typedAs(draft, "form"));
  const key = String(edit.beside ?? edit.key);
  fillIn({ key, after: edit.after ?? "", round: "", form: kind, dealer: Number(typedAs(draft, "dealer")), note: "", facts: {}, seats }, edit);
  if (behind) change({ type: "set aside", draft: behind });
  fillAgain(typed.filter(([name]) => name !== "after"));
  refresh();
  sayBack(page.texts.half);
}
