/*
 * The page that corrects or inserts a line: the pills help there as well. The server shows what changes. A correction that is half typed is
 * kept like a new game (draft.js), as long as the line is the one that it was typed for.
 */
import { field, inputs } from "../dom.js";
import { fieldsOf, forgetDraft, keepDraft, readDraft, retype, typedAs } from "./draft.js";
import { offerDrop, say } from "./panels.js";
import { form, noteMarks, preparePills, refreshPills, showSolos } from "./pills.js";

const { half = "", discard = "" } = /** @type {HTMLElement} */ (document.querySelector("script[data-half]") ?? document.body).dataset;
// A line that is inserted has none, and stands afterwards.
const version = field(form, "version").value;

function resume() {
  const draft = readDraft();
  if (draft && typedAs(draft, "version") !== version) return forgetDraft();
  // What was sent just now is in the form.
  if (!draft || JSON.stringify(draft.typed) === JSON.stringify(fieldsOf(form))) return;
  // Another one who dealt was asked for by the address.
  retype(inputs("input:enabled", form), draft.typed.filter(([name]) => name !== "dealer"));
  noteMarks();
  showSolos(false);
  say(half);
  offerDrop(discard, () => {
    forgetDraft();
    location.reload();
  });
}

preparePills(() => {
  refreshPills();
  if (version) keepDraft({ typed: fieldsOf(form), after: "", seats: [], lines: [] });
});
if (version) resume();
refreshPills();
