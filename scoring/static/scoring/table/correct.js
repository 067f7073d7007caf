/*
 * The page that corrects or inserts a line: the pills help there as well. The server shows what changes. A correction that is half typed is
 * kept like a new game (draft.js), as long as the line is the one that it was typed for.
 */
import { all, field, find, inputs, signed } from "../dom.js";
import { fold } from "../rules/score.js";
import { fieldsOf, forgetDraft, keepDraft, readDraft, retype, typedAs } from "./draft.js";
import { partiesTyped, seatPlays, typedEntry } from "./fields.js";
import { offerDrop, say, showLive } from "./panels.js";
import { form, noteMarks, preparePills, refreshPills, showSolos } from "./pills.js";

/** @type {{rules: Rules, chain: number[], before: Deal[], names: string[]}} */
const { rules, chain, before, names } = JSON.parse(find("line-worth").textContent ?? "");
const { half = "", discard = "" } = /** @type {HTMLElement} */ (document.querySelector("script[data-half]") ?? document.body).dataset;
// A line that is inserted has none, and stands afterwards.
const version = field(form, "version").value;

/** What the line would bring everybody as it is typed now. */
function showWorth() {
  const entry = typedEntry(names.map((_, seat) => seat));
  const { form: kind, dealer, facts } = entry;
  const worth = fold([...before, { form: kind, table: names.length, dealer, facts }], rules, chain)[before.length];
  const seats = worth.error ? [] : names.map((_, seat) => seat).filter((seat) => worth.points[seat] !== 0 || seatPlays(seat));
  showLive(seats.map((seat) => ({ seat, name: names[seat], points: worth.error ? "" : signed(worth.points[seat]) })), partiesTyped(facts, names.length));
  for (const was of all(".tile > small")) was.classList.toggle("same", was.textContent?.endsWith(` ${was.previousElementSibling?.textContent}`));
}

function resume() {
  const draft = readDraft();
  if (draft && typedAs(draft, "version") !== version) return forgetDraft();
  // What was sent just now is in the form.
  if (!draft || JSON.stringify(draft.typed) === JSON.stringify(fieldsOf(form))) return;
  // Another one who dealt was asked for by the address.
  retype(inputs("input:enabled", form), draft.typed.filter(([name]) => name !== "dealer"));
  noteMarks();
  showSolos(false);
  location.hash = "edit";
  say(half);
  offerDrop(discard, () => {
    forgetDraft();
    location.reload();
  });
}

preparePills(() => {
  refreshPills();
  showWorth();
  if (version) keepDraft({ typed: fieldsOf(form), after: "", seats: [], lines: [] });
}, showWorth);
if (version) resume();
refreshPills();
showWorth();
