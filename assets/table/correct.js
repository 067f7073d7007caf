/*
 * The page that corrects or inserts a line: the pills help there as well. The server shows what changes. A correction that is half typed is
 * kept like a new game (draft.js), as long as the line is the one that it was typed for.
 */
import { all, field, find, inputs, signed } from "../dom.js";
import { fold } from "../rules/score.js";
import { fieldsOf, forgetDraft, keepDraft, readDraft, retype, typedAs } from "./draft.js";
import { eyesInWords, partiesTyped, seatPlays, typedEntry } from "./fields.js";
import { offerDrop, say, showLive } from "./panels.js";
import { form, isSolo, noteMarks, preparePills, refreshPills, showSolos } from "./pills.js";
import { cueOf, lacking, missing, wonOf } from "./words.js";

/** @type {{rules: Rules, chain: number[], before: Deal[], names: string[], texts: Record<string, string>}} */
const { rules, chain, before, names, texts } = JSON.parse(find("line-worth").textContent ?? "");
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
  // Without new points there is nothing to compare.
  for (const was of all(".tile > small")) {
    const now = was.previousElementSibling?.textContent;
    was.classList.toggle("same", !now || was.textContent?.endsWith(` ${now}`));
  }
  const isChanged = typedNow() !== asItStood;
  const page = { texts, rules, names };
  const lacks = lacking(entry, worth, isSolo(), page);
  form.dataset.cue = cueOf(...(missing(entry, worth, isSolo(), page) ?? ["", ""]));
  form.classList.toggle("unfinished", lacks !== "");
  // What is shown or refused already is there to be sent.
  form.classList.toggle("whole", !lacks && (isChanged || !version || isAnswer));
  if (lacks) say("", false, { head: lacks });
  else if (isChanged || !isAnswer) say("", false, { head: worth.error ? "" : wonOf({ ...entry, ...worth }, { texts, rules }), beside: eyesInWords(facts) });
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
  refreshPills();
  showWorth();
  location.hash = "edit";
  say(half);
  offerDrop(discard, () => {
    forgetDraft();
    location.reload();
  });
}

const typedNow = () => JSON.stringify(fieldsOf(form));
// Another one who dealt, and a preview or a refusal of the server, is a change as well.
const isAnswer = Boolean(document.querySelector("#effects, [role=alert]") || location.search || find("live-steps").textContent?.trim());
let asItStood = "";

preparePills(() => {
  refreshPills();
  showWorth();
  if (version) keepDraft({ typed: fieldsOf(form), after: "", seats: [], lines: [] });
}, showWorth);
refreshPills();
asItStood = typedNow();
showWorth();
if (version) resume();
