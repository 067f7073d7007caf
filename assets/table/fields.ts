/*
 * Read the form as facts, fill it with facts, and draw it for other players. The facts are the same as in forms/games.py, the form is the same as
 * from _entry.html; parts that the server has drawn keep their values.
 */
import { all, field, find, inputs, make } from "../dom.ts";
import { asksOf, EARNERS, rulesAt, seatOffsets } from "../rules/parsing.ts";
import { retype } from "./draft.ts";
import { drawFace, openDrawer } from "./drawers.ts";
import { makeKey } from "./outbox.ts";
import {
  asksOut, findField, findPartiesQuestion, form, getChosen, isAlone, isShort, listMarked, listPicks, listSitters, mayBeDuty, noteMarks,
  refreshPills, seatPills, showSolos,
} from "./pills.ts";

const valueOf = (name: string) => findField(name)?.value.trim() ?? "";
const number = (text: string) => (/^\d+$/.test(text) ? Number(text) : text);
const bands = () => inputs('input[name="band"]', form);
const redeal = () => find("redeal") as HTMLFormElement;

// ---- read ----

/** @param people  the number of players at the table */
function readFacts(people: number): Facts {
  const startsBock = getChosen("starts_bock");
  const byHand = startsBock && startsBock !== "0" ? { starts_bock: number(startsBock) } : {};
  const seats = readParty(people);
  const out = asksOut() ? { out: listSitters() } : {};
  if (isShort) {
    const base = valueOf("base");
    return { winners: seats, ...(base && { base: number(base) }), solo: field(form, "solo").checked, ...out, ...byHand };
  }
  const isDuty = findField("duty")?.checked && mayBeDuty();
  return {
    kind: getChosen("kind"), re: seats, ...out, ...resultTyped(), ...byHand, ...saidTyped(), ...specialsTyped(), ...(isDuty && { duty: true }),
  };
}

function readParty(people: number) {
  if (!findPartiesQuestion() || isAlone()) return listMarked().map((mark) => Number(mark.value));
  return [...Array(people).keys()].filter((seat) => String(seat % 2) === getChosen("row"));
}

function resultTyped() {
  const eyes = findField("eyes")?.matches(":enabled") ? valueOf("eyes") : "";
  const isKontra = getChosen("side") === "kontra";
  if (eyes) {
    const count = number(eyes);
    return { eyes: isKontra && typeof count === "number" ? 240 - count : count };
  }
  const band = getChosen("band");
  if (!band) return {};
  const all = bands().map((pill) => pill.value);
  return { band: isKontra ? all[all.length - 1 - all.indexOf(band)] : band };
}

function saidTyped() {
  const names = ["winner", "re_said", "kontra_said", "last_said", "no_trick"];
  const said = names.map((name) => [name, getChosen(name)]);
  // `no_trick` is a fact; an announcement of nothing is none.
  return Object.fromEntries(said.filter(([name, value]) => value && (value !== "none" || name === "no_trick")));
}

function specialsTyped() {
  const specials: Record<string, Record<string, number>> = {};
  for (const earner of EARNERS) {
    const pills = inputs(`[data-specials] input[name^="${earner}_"]:checked`, form).filter(({ value }) => value !== "0");
    // A chip counts as one.
    const counts = pills.map(({ name, value }) => [name.slice(earner.length + 1).replace("special:", ""), Number(value) || 1]);
    if (counts.length) specials[`${earner}_specials`] = Object.fromEntries(counts);
  }
  return specials;
}

export const getDealerSeat = () => (field(form, "dealer").value === "" ? null : Number(field(form, "dealer").value));

/** Return the form as an entry of the outbox. */
export function readEntry(seats: number[]): OutboxEntry {
  const [key, after, round, note] = ["key", "after", "round", "note"].map((name) => field(form, name).value);
  return { key, after, round, form: isShort ? "short" : "played", dealer: getDealerSeat(), note, facts: readFacts(seats.length), seats };
}

/** Return a new deal as an entry. */
export function buildRedeal(seats: number[]): OutboxEntry {
  const [key, after, round, dealer] = ["key", "after", "round", "dealer"].map((name) => field(redeal(), name).value);
  return { key, after, round, form: "redeal", dealer: Number(dealer), note: "", facts: {}, seats };
}

/** Return the eyes of both sides in words. For a solo without the sides and the range on the pill, since its head is long. */
export function describeEyes({ eyes, band }: Facts) {
  const [one, other] = all("[data-side]", form).map(({ textContent }) => textContent);
  const written = (re: unknown, kontra: unknown) => (isAlone() ? `${re} : ${kontra}` : `${one} ${re} : ${kontra} ${other}`);
  if (eyes !== undefined) return written(eyes, 240 - Number(eyes));
  if (isAlone()) return "";
  const pills = bands();
  const index = pills.findIndex((pill) => pill.value === band);
  if (index < 0) return "";
  const [re, kontra] = [index, pills.length - 1 - index].map((place) => pills[place].closest("label")?.textContent?.trim());
  return written(re, kontra);
}

/** Return whether this seat plays and can be marked. */
export const isPlaying = (seat: number) => !listSitters().includes(seat) && listPicks().some((mark) => !mark.disabled && Number(mark.value) === seat);

/** Return the seats of both parties, as far as known. */
export function getParties({ re = [] }: Facts, people: number) {
  const isKnown = re.length > (isAlone() ? 0 : 1);
  return [re, isKnown ? [...Array(people).keys()].filter((seat) => isPlaying(seat) && !re.includes(seat)) : []];
}

// ---- written ----

function choose(name: string, value: string | number) {
  const choice = form.querySelector(`input[name="${name}"][value="${value}"]`) as HTMLInputElement | null;
  if (choice) choice.checked = true;
}

function writeField(name: string, value: string | number) {
  const place = findField(name);
  if (place) place.value = String(value);
}

export const followLine = (after: string) => writeField("after", after);

export function writeDealer(dealer: number | null) {
  writeField("dealer", dealer ?? "");
}

/** Fill in a field of the game and of the new deal. */
export function writeBoth(name: string, value: string | number) {
  for (const place of [form, redeal()]) field(place, name).value = String(value);
}

// The fields of an empty form, but for its kind and its special points.
const EMPTY: [string, string][] = Object.entries({
  row: "", eyes: "", band: "", winner: "", base: "", note: "", side: "re", re_said: "none", kontra_said: "none", last_said: "", no_trick: "", starts_bock: "0",
});

/** Clear the form for the next game. */
export function clearForm(next: Next) {
  form.reset();
  const specials = inputs('[data-specials] [value="0"]', form).map(({ name }): [string, string] => [name, "0"]);
  retype(inputs("input", form), [...EMPTY, ...specials]);
  choose("kind", "normal");
  for (const place of [form, redeal()]) field(place, "key").value = makeKey();
  writeBoth("after", next.after);
  writeBoth("dealer", next.dealer);
  openDrawer();
  seatPills(next.out);
  if (next.soloist !== null) {
    choose("kind", "");
    for (const mark of listPicks()) if (Number(mark.value) === next.soloist) mark.checked = true;
    const duty = findField("duty");
    if (duty) duty.checked = true;
  }
  noteMarks(next.soloist !== null);
  showSolos(false);
}

/** Change the dealer and keep the rest of the form. Only the parties are cleared, since other players may play. */
export function changeDealer(dealer: number) {
  for (const mark of listMarked()) mark.checked = false;
  // There is no Vorführung if another player deals.
  if (getChosen("kind") === "") choose("kind", "normal");
  noteMarks();
  showSolos(false);
  writeBoth("dealer", dealer);
  openDrawer();
}

/** Fill in a draft, without its players. */
export function fillDraft(typed: [string, string][]) {
  retype(inputs("input", form), typed.filter(([name]) => name !== "round"));
  noteMarks();
  showSolos(false);
}

/** Fill in an entry; the pills are already those of its players. */
export function fillEntry({ note, facts }: OutboxEntry) {
  const { duty, solo, winner, re_specials, kontra_specials, game_specials, ...others } = facts;
  const typed: [string, string][] = [];
  for (const [name, value] of Object.entries({ ...others, note })) {
    for (const one of [value ?? []].flat()) if (one !== "") typed.push([name, String(one)]);
  }
  for (const [name, isChecked] of Object.entries({ duty, solo })) if (isChecked) typed.push([name, "on"]);
  for (const [earner, specials] of Object.entries({ re: re_specials, kontra: kontra_specials, game: game_specials })) {
    for (const [special, count] of Object.entries(specials ?? {})) {
      const own = `${earner}_special:${special}`;
      const name = findField(own) ? own : `${earner}_${special}`;
      typed.push([name, findField(name)?.type === "checkbox" ? "on" : String(count)]);
    }
  }
  const party = facts.re ?? facts.winners ?? [];
  if (findPartiesQuestion() && party.length > 1) typed.push(["row", String(party[0] % 2)]);
  fillDraft(typed);
  refreshPills();
  // The kind decides which pills for the winner are shown.
  for (const mark of inputs('[name="winner"]:enabled', form)) mark.checked = mark.value === winner;
}

/** Show other players in the tiles and in the choice of the dealer, in seating order. */
export function seatTiles(names: string[], players: number[]) {
  for (const [row, called] of [[".tiles", ".pill span"], ["#dealers", ".cut"]]) {
    const places = all(`#entry ${row} > *`);
    for (const place of places.slice(names.length)) place.remove();
    names.forEach((name, seat) => {
      const place = places[seat] ?? (places[0].cloneNode(true) as HTMLElement);
      const told = place.querySelector(".told");
      if (told) told.id = `tile-${seat}`;
      for (const mark of inputs("input", place)) {
        mark.value = String(seat);
        mark.setAttribute("aria-describedby", `tile-${seat}`);
      }
      if (row === "#dealers") place.dataset.dealer = String(seat);
      (place.querySelector(called) as Element).textContent = name;
      drawFace(place.querySelector("[data-i]"), name, players[seat]);
      if (!places[seat]) places[0].parentElement?.append(place);
    });
  }
}

/** @param names  of those who sit there, in seating order */
export function drawForSize(names: string[], { rules: settings, kinds, texts }: Pick<PageData, "rules" | "kinds" | "texts">) {
  const size = names.length;
  const rules = rulesAt(settings, size);
  const offsets = seatOffsets(size, rules);
  const hasRows = Boolean(offsets && offsets.length > 4);
  const rows = [0, 1].map((start) => names.filter((_, seat) => seat % 2 === start).join(", "));
  drawQuestion("rows", hasRows ? rows : [], { type: "radio", name: "row", legend: isShort ? texts.won_row : texts.re_row });
  drawQuestion("four", offsets ? [] : names, { type: "checkbox", name: "out", legend: texts.who_out });
  // The question for six players in two rows.
  for (const question of all("[data-few]", form)) if (!hasRows) question.textContent = question.dataset.few ?? "";
  if (!isShort) drawKinds(rules.kinds, kinds, (kind) => asksOf({ kind }, size, settings));
}

/** Draw a question with a pill for each answer, or remove it. */
function drawQuestion(
  columns: "rows" | "four", answers: string[], { type, name, legend }: { type: "radio" | "checkbox"; name: string; legend: string },
) {
  const found = columns === "rows" ? findPartiesQuestion() : form.querySelector("[data-out]")?.closest("fieldset");
  const pills = found ? all(".pill > span", found) : [];
  if (pills.length && pills.length === answers.length) return pills.forEach((pill, place) => (pill.textContent = answers[place]));
  found?.remove();
  if (!answers.length) return;
  const question = make("fieldset");
  const row = make("div", undefined, `pills ${columns}`);
  row.translate = false;
  if (columns === "rows") question.id = "parties";
  else row.dataset.out = "";
  for (const [place, answer] of answers.entries()) {
    const pill = make("label", undefined, "pill");
    pill.append(Object.assign(make("input"), { type, name, value: String(place) }), make("span", answer));
    row.append(pill);
  }
  question.append(make("legend", legend), row);
  form.querySelector('[data-fault="other"]')?.after(question);
}

/** Draw the kinds for this number of players: those of the form, and others like its first one. */
function drawKinds(kinds: string[], called: Record<string, string>, asked: (kind: string) => ReturnType<typeof asksOf>) {
  const marks = inputs('input[name="kind"]:not([value=""])', form);
  for (const kind of kinds.filter((one) => marks.every(({ value }) => value !== one))) {
    const { decided, mayBeDuty, isRamsch, isSilent, isAlone } = asked(kind);
    const pill = marks[0].closest("label")?.cloneNode(true) as HTMLElement;
    const [mark] = inputs("input", pill);
    Object.assign(mark, { value: kind, checked: false });
    delete mark.dataset.end;
    delete mark.dataset.silent;
    delete mark.dataset.duty;
    if (isRamsch || decided !== "eyes") mark.dataset.end = isRamsch ? "ramsch" : decided;
    if (isSilent || isRamsch) mark.dataset.silent = "";
    if (mayBeDuty) mark.dataset.duty = "";
    pill.lastElementChild?.replaceChildren(called[kind]);
    if (isAlone) find("solos").querySelector(".pills")?.append(pill);
    else all(".kinds > .pill", form).at(-1)?.after(pill);
    marks.push(mark);
  }
  for (const mark of marks) {
    mark.disabled = !kinds.includes(mark.value);
    (mark.closest("label") as HTMLElement).hidden = mark.disabled;
  }
  if (!inputs('input[name="kind"]:checked:enabled', form).length) marks[0].checked = true;
}
