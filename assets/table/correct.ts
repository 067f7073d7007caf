/*
 * The page that corrects or inserts a line: the helpers of the pills work there too, and the server shows the effects. A draft is stored as for
 * a new game (draft.ts), as long as the line is the same.
 */
import { all, field, find, inputs, signed } from "../dom.ts";
import { fold } from "../rules/score.ts";
import { forgetDraft, getTypedValue, keepDraft, readDraft, readFields, retype } from "./draft.ts";
import { describeEyes, getParties, isPlaying, readEntry } from "./fields.ts";
import { toDeal } from "./outbox.ts";
import { offerDrop, say, showLive } from "./panels.ts";
import { form, isSolo, noteMarks, preparePills, refreshPills, showSolos } from "./pills.ts";
import { cueOf, describeMissing, describeWin, listMissing } from "./words.ts";

type Data = { rules: Rules; chain: number[]; before: Deal[]; names: string[]; texts: Record<string, string> };
const { rules, chain, before, names, texts }: Data = JSON.parse(find("line-worth").textContent ?? "");
const { half = "", discard = "" } = (document.querySelector("script[data-half]") as HTMLElement).dataset;
// An inserted line has none yet.
const version = field(form, "version").value;

/** Show the points that the line in the form would bring. */
function showWorth() {
  const entry = readEntry(names.map((_, seat) => seat));
  const { facts } = entry;
  const worth = fold([...before, toDeal(entry)], rules, chain)[before.length];
  const seats = worth.error ? [] : names.map((_, seat) => seat).filter((seat) => worth.points[seat] !== 0 || isPlaying(seat));
  showLive(seats.map((seat) => ({ seat, name: names[seat], points: worth.error ? "" : signed(worth.points[seat]) })), getParties(facts, names.length));
  // Without new points there is nothing to compare.
  for (const was of all(".tile > small")) {
    const now = was.previousElementSibling?.textContent;
    was.classList.toggle("same", !now || was.textContent?.endsWith(` ${now}`));
  }
  const isChanged = typedNow() !== asItStood;
  const page = { texts, rules, names };
  const missing = listMissing(entry, worth, isSolo(), page);
  const lacks = describeMissing(missing, entry, page);
  form.dataset.cue = cueOf(missing);
  form.classList.toggle("unfinished", lacks !== "");
  // A previewed or refused form can be sent again.
  form.classList.toggle("whole", !lacks && (isChanged || !version || isAnswer));
  // Where the server refused it, what is missing stands at its field.
  if (lacks && (isChanged || !isRefused)) say("", false, { head: lacks });
  else if (isChanged || !isAnswer) say("", false, { head: worth.error ? "" : describeWin({ ...entry, ...worth }, { texts, rules }), beside: describeEyes(facts) });
}

function resume() {
  const draft = readDraft();
  if (draft && getTypedValue(draft, "version") !== version) return forgetDraft();
  // The form has just been sent.
  if (!draft || JSON.stringify(draft.typed) === JSON.stringify(readFields(form))) return;
  // The query of the address names another dealer.
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

const typedNow = () => JSON.stringify(readFields(form));
const isRefused = Boolean(document.querySelector("[role=alert]"));
// Another dealer, a preview or a refusal counts as a change as well.
const isAnswer = Boolean(isRefused || document.querySelector("#effects") || location.search || find("live-steps").textContent?.trim());
let asItStood = "";

preparePills(() => {
  refreshPills();
  showWorth();
  if (version) keepDraft({ typed: readFields(form), after: "", seats: [], lines: [] });
}, showWorth);
refreshPills();
asItStood = typedNow();
showWorth();
if (version) resume();
