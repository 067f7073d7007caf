/*
 * Helpers for the pills of the form: a party has at most two marks, solos fold away, and bands and digits share their place. The page that corrects
 * a line uses them too. They decide nothing about a game.
 */
import { all, field, fill, find, inputs } from "../dom.ts";
import { takeFocus } from "../focus.ts";
import { makeChip, openDrawer, prepareDrawers, showCount, showSoloPanel } from "./drawers.ts";
import { mention, say, speakAside } from "./panels.ts";

export const form = find("entry") as HTMLFormElement;
export const isShort = field(form, "form").value === "short";
const pick = form.querySelector("[data-pick]") as HTMLElement;
const solos = document.getElementById("solos");
const soloButton = document.getElementById("solo-button");
const duty = document.getElementById("duty");
// With six or eight players every other seat is a party: two pills name it, and only a soloist is marked.
export const findPartiesQuestion = () => form.querySelector("#parties") as HTMLElement | null;

/** Return the field with this name, if the form has it. */
export const findField = (name: string) => form.elements.namedItem(name) as HTMLInputElement | null;

const checked = (name: string) => form.querySelector(`input[name="${name}"]:checked:enabled`) as HTMLInputElement | null;

export const getChosen = (name: string) => checked(name)?.value ?? "";

const solo = () => form.querySelector(':is(#solos input[name="kind"], [name="kind"][value=""]):checked') as HTMLInputElement | null;
export const isSolo = () => Boolean(solos && solo());
/** Return the open question while no solo is selected. */
export const getSoloQuestion = () => (solos && !solos.hidden && !isSolo() ? solos.ariaLabel ?? "" : "");
/** Return how this kind of game is decided, if not by eyes alone: hand, both or ramsch. */
const getEnd = () => checked("kind")?.dataset.end ?? "";
export const isAlone = () => (isShort ? field(form, "solo").checked : isSolo());
export const listSitters = () => inputs("[data-out] input:checked", form).map((box) => Number(box.value));
export const asksOut = () => Boolean(form.querySelector("[data-out]"));
export const listPicks = () => inputs("input", pick);
export const listMarked = () => inputs("input:checked", pick);

/** Return whether the game in the form can be a Pflichtsolo. */
export const mayBeDuty = () => !isShort && checked("kind")?.dataset.duty !== undefined;
/** Return the seat of the possible Pflichtsolo. */
const dutySeat = () => (mayBeDuty() ? listMarked()[0]?.value ?? "" : "");

// The marked seats, in the order of the taps.
let marks = listMarked();
// The seat for which the switch was set last: it stays as tapped until another player has the solo.
let dutyOf = dutySeat();

/** Take over the marked seats, which were not tapped one by one. @param isPreset  the seat was marked for a Vorführung */
export function noteMarks(isPreset = false) {
  marks = listMarked();
  dutyOf = dutySeat();
  for (const place of [pick, duty]) place?.classList.toggle("preset", isPreset);
}

/** Preset the first solo of a player who owes a Pflichtsolo as one. @param owing  their seats */
export function presetDuty(owing: number[]) {
  const box = findField("duty");
  if (!box || dutySeat() === dutyOf) return;
  dutyOf = dutySeat();
  if (!dutyOf) return;
  box.checked = owing.includes(Number(dutyOf));
  duty?.classList.toggle("preset", box.checked);
}

/** Keep at most two marks in a party; one tap too many moves the oldest mark. */
function holdMarks(tapped?: HTMLInputElement) {
  if (pick.classList.contains("preset")) {
    // A tap on a preset mark confirms it; a partner game has no preset mark.
    if (tapped && !tapped.checked) tapped.checked = true;
    else if (!tapped && !isSolo()) for (const mark of listMarked()) mark.checked = false;
    pick.classList.toggle("preset", !tapped && isSolo());
  }
  const inShort = field(form, "solo")?.checked ? (findPartiesQuestion() ? listPicks().length - 1 : 3) : 2;
  const most = isShort ? inShort : isSolo() ? 1 : 2;
  marks = marks.filter((mark) => mark.checked);
  if (tapped?.checked && !marks.includes(tapped)) marks.push(tapped);
  const moved = marks.splice(0, Math.max(marks.length - most, 0));
  for (const mark of moved) mark.checked = false;
  const names = moved.map((mark) => mark.labels?.[0].textContent?.trim()).join(", ");
  if (names) mention(fill(form.dataset.moved ?? "", { names }));
}

/** Let only players on a tile who do not sit out be marked. */
export function seatPills(out: number[]) {
  for (const mark of listPicks()) {
    mark.disabled = out.includes(Number(mark.value));
    if (mark.disabled) mark.checked = false;
    mark.closest(".tile")?.classList.toggle("out", mark.disabled);
  }
}

/** Set the question (party, soloist or loser) and the names of the sides. */
function askWho() {
  const asked = getEnd() === "ramsch" ? "ramsch" : isSolo() ? "alone" : "partner";
  for (const question of all("[data-asks]", form)) question.hidden = question.dataset.asks !== asked;
  for (const side of all("[data-alone]", form)) {
    const { alone = "", party = "" } = side.dataset;
    if (side.ariaLabel) side.ariaLabel = asked === "alone" ? alone : party;
    else side.textContent = asked === "alone" ? alone : party;
  }
}

function showParties() {
  const parties = findPartiesQuestion();
  if (parties) parties.hidden = isAlone();
  (pick.closest("fieldset") as HTMLElement).hidden = Boolean(parties) && !isAlone();
}

export function showSolos(open: boolean) {
  if (!soloButton || !solos) return;
  showSoloPanel(open);
  soloButton.setAttribute("aria-expanded", String(open));
  const name = solo()?.closest("label")?.textContent?.trim();
  (soloButton.firstElementChild as Element).textContent = name || (form.dataset.solo ?? "");
  soloButton.classList.toggle("chosen", Boolean(getChosen("kind") && name));
  soloButton.classList.toggle("preset", Boolean(name) && !getChosen("kind"));
  pick.classList.toggle("alone", isAlone());
  placeDuty();
}

/** Show the switch for the Pflichtsolo beside the sides once a solo is selected. */
function placeDuty() {
  if (!duty) return;
  duty.hidden = !mayBeDuty();
  const place = form.querySelector(getEnd() === "hand" ? "#winner .pills" : ".eyes-row");
  if (place !== duty.parentElement) place?.insertBefore(duty, place.querySelector('[for="eyes"]'));
}

const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 } as Record<string, number>;

/** Let arrow keys move from solo to solo without selecting; Enter and space select. */
function goThroughSolos(event: KeyboardEvent) {
  const kinds = inputs("input", solos as HTMLElement);
  const place = kinds.indexOf(event.target as HTMLInputElement);
  if (place < 0) return;
  const step = STEPS[event.key];
  if (!step && !["Enter", " "].includes(event.key)) return;
  event.preventDefault();
  if (step) return kinds.at((place + step) % kinds.length)?.focus();
  kinds[place].click();
  showSolos(false);
}

/** Let arrow keys move from the button of the selected solo to the other kinds. */
function leaveSolo(event: KeyboardEvent) {
  const step = STEPS[event.key];
  if (!step || !isSolo()) return;
  event.preventDefault();
  const kind = inputs('.kinds input[name="kind"]', form).at(step > 0 ? 0 : -1);
  kind?.click();
  kind?.focus();
}

/** Show the range of exact eyes. */
function showBand() {
  const place = form.querySelector("[data-band]");
  if (!place) return;
  const { value } = field(form, "eyes");
  place.textContent = "";
  for (const range of inputs('[name="band"]', form)) {
    const [from, to = from] = range.value.split("-").map(Number);
    const isIn = value !== "" && from <= Number(value) && Number(value) <= to;
    const pill = range.closest("label") as HTMLElement;
    pill.classList.toggle("filled", isIn);
    // In one line.
    if (isIn) place.textContent = String(pill.textContent).trim().replace("–", "\u2060–\u2060");
  }
}

/** Ask whose announcement came last only if it matters. */
function askLast() {
  const place = document.getElementById("last-said");
  if (!place) return;
  const isTie = getChosen("band") === "120" || field(form, "eyes").value === "120";
  const said = [getChosen("re_said"), getChosen("kontra_said")];
  const { always, any } = place.dataset;
  const isSaid = said.every((one) => (always ?? any) === undefined ? one === "said" : one && one !== "none");
  place.hidden = !(isSaid && (isTie || always !== undefined)) && !getChosen("last_said");
  if (!place.hidden && !getChosen("last_said")) openDrawer(place.closest("details"));
}

/** Ask whether a party made a trick only if it has no eyes. */
function askNoTrick() {
  const place = document.getElementById("no-trick");
  if (place) place.hidden = !["0", "240"].includes(field(form, "eyes").value) && !getChosen("no_trick");
}

/** Hide the fields that the selected kind does not use, so that they are not sent. */
function showAsked() {
  const end = getEnd();
  const show = (place: HTMLElement, isAsked: boolean) => {
    place.hidden = !isAsked;
    for (const part of [place, ...all("fieldset", place)]) if (part instanceof HTMLFieldSetElement) part.disabled = !isAsked;
  };
  for (const place of all("[data-only]", form)) show(place, String(place.dataset.only).split(" ").includes(end));
  for (const place of all("[data-not]", form)) show(place, !String(place.dataset.not).split(" ").includes(end));
  const said = document.getElementById("said");
  if (said) show(said, checked("kind")?.dataset.silent === undefined);
}

/** Refresh everything in the form that follows from the taps. */
export function refreshPills() {
  for (const link of all("[data-dealer]", form)) {
    link.setAttribute("aria-current", String(link.dataset.dealer === field(form, "dealer").value));
  }
  showAsked();
  askNoTrick();
  showBand();
  if (asksOut()) seatPills(listSitters());
  askLast();
  askWho();
  showParties();
  countTyped();
  showChips();
}

/** Count the values in a closed drawer. */
function countTyped() {
  const said = document.getElementById("said");
  if (said) showCount(said.firstElementChild as HTMLElement, all(".fill > :has(:checked) ~ :not(:last-child), .fill > :has(:checked:not([value='none']))", said).length);
  const specials = form.querySelector("[data-specials]");
  // A chip counts as one.
  const values = specials ? inputs("input:checked", specials).map(({ value }) => (value === "on" ? 1 : Number(value))) : [];
  if (specials) showCount(specials.firstElementChild as HTMLElement, values.reduce((sum, value) => sum + value, 0));
  const more = form.querySelector("[data-more]");
  if (more) showCount(more.firstElementChild as HTMLElement, Number(getChosen("starts_bock")) + Number(Boolean(getChosen("no_trick"))));
}

// ---- special points: a tap on a chip selects one, and if it can count several times it becomes a stepper; hidden radio buttons hold the count ----

const rows = () => all("[data-specials] .counts");
const pillsOf = (row: HTMLElement) => inputs(".pills input", row);
const countOf = (row: HTMLElement) => Math.max(pillsOf(row).findIndex((pill) => pill.checked), 0);

/** Return the maximum of a special point for both parties together. */
const mostOf = (row: HTMLElement) => Number(row.closest("fieldset")?.dataset.most ?? Infinity);

/** Return the maximum of a special point, if it is reached. */
function findLimit(row: HTMLElement) {
  const counts = all(".counts", row.closest("fieldset") as HTMLElement).map(countOf);
  if (counts.reduce((sum, count) => sum + count, 0) >= mostOf(row)) return mostOf(row);
  return countOf(row) + 1 < pillsOf(row).length ? undefined : countOf(row);
}

/** Return whether there can be several. */
const isMany = (row: HTMLElement) => mostOf(row) > 1 && pillsOf(row).length > 2;

function moveCount(row: HTMLElement, step: number) {
  const pill = pillsOf(row)[countOf(row) + step];
  pill.checked = true;
  pill.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Make a chip for each row of counts. */
function prepareChips() {
  for (const row of rows()) {
    const legend = row.closest("fieldset")?.querySelector("legend") as HTMLElement;
    const name = String(legend.textContent).trim();
    // The chips have names of their own.
    legend.className = "visually-hidden";
    row.addEventListener("change", () => speakAside(`${name}: ${countOf(row)}`));
    const add = () => {
      const most = findLimit(row);
      // If there can be only one, the next tap removes it.
      if (countOf(row) && !isMany(row)) moveCount(row, -1);
      else if (most === undefined) moveCount(row, 1);
      else say(fill(form.dataset.limit ?? "", { name, most }));
    };
    (row.querySelector(".pills") as HTMLElement).hidden = true;
    row.append(makeChip(name, add, () => moveCount(row, -1)).chip);
  }
  showChips();
}

/** Show the counts of the radio buttons on the chips. */
function showChips() {
  for (const row of rows()) {
    const more = row.querySelector(".more") as HTMLElement | null;
    if (!more) continue;
    const count = countOf(row);
    if (isMany(row)) showCount(more, count);
    else more.ariaPressed = String(count > 0);
    more.classList.toggle("most", count > 0 && findLimit(row) !== undefined);
    (row.querySelector(".less") as HTMLButtonElement).disabled = !count || !isMany(row);
  }
}

// ---- the eyes ----

const BY = "eyes by";

/** Show bands or digits in the same place; the phone remembers the choice. */
function showBy(by: string | null | undefined) {
  const bands = form.querySelector(".bands") as HTMLElement | null;
  const pad = form.querySelector('[data-keypad="eyes"]') as HTMLElement | null;
  if (!bands || !pad) return;
  bands.hidden = by === "eyes";
  pad.hidden = !bands.hidden;
  makeRoom(bands.hidden);
}

/** Put the row of other actions into "Mehr" while digits need its place. */
function makeRoom(isPadOpen: boolean) {
  const row = form.querySelector(".beside");
  const panel = form.querySelector("[data-more] > .drawer");
  if (!row) return;
  if (!isPadOpen) form.querySelector(".entry-foot")?.before(row);
  else if (panel?.firstElementChild?.matches(".drawer-head")) panel.firstElementChild.after(row);
  else panel?.prepend(row);
}

function prepareEyes() {
  for (const button of all("[data-by]", form)) {
    button.hidden = false;
    button.addEventListener("click", () => {
      showBy(button.dataset.by);
      // With full storage the choice is forgotten.
      try {
        localStorage.setItem(BY, button.dataset.by ?? "");
      } catch {}
    });
  }
  // A keyboard user types digits, and may be on the way to the ranges.
  findField("eyes")?.addEventListener("click", () => showBy("eyes"));
  showBy(localStorage.getItem(BY));
}

function prepareKeypads(typed: (field: HTMLInputElement) => void) {
  for (const pad of all("[data-keypad]", form)) {
    const digits = field(form, pad.dataset.keypad ?? "");
    pad.hidden = false;
    makeRoom(true);
    digits.inputMode = "none";
    pad.addEventListener("click", ({ target }) => {
      const key = (target as Element).closest("[data-digit]") as HTMLElement | null;
      const digit = key?.dataset.digit;
      if (!digit) return;
      digits.value = digit === "back" ? digits.value.slice(0, -1) : (digits.value + digit).slice(0, digits.maxLength);
      typed(digits);
    });
  }
}

/** Start the helpers of the pills. @param told  called after input @param asked  called when the solos opened or closed */
export function preparePills(told: () => void, asked: () => void) {
  /** Keep only one of exact eyes, band and winner: the last input counts. */
  const heed = (typed: HTMLInputElement) => {
    const { name, value } = typed;
    if (!isShort && value && ["eyes", "band", "winner"].includes(name)) {
      for (const other of ["band", "winner"]) {
        const mark = name === other ? null : checked(other);
        if (mark) mark.checked = false;
      }
      if (name !== "eyes") field(form, "eyes").value = "";
    }
    told();
  };
  if (soloButton) {
    soloButton.hidden = false;
    soloButton.addEventListener("click", () => {
      showSolos(Boolean(solos?.hidden));
      if (solos && !solos.hidden) takeFocus(solos, soloButton);
      asked();
    });
    soloButton.addEventListener("keydown", leaveSolo);
    solos?.addEventListener("keydown", goThroughSolos);
    showSolos(false);
  }
  prepareKeypads(heed);
  prepareEyes();
  prepareChips();
  prepareDrawers(() => {
    if (solos?.hidden !== false) return;
    showSolos(false);
    asked();
  });
  form.addEventListener("change", ({ target }) => {
    const tapped = target as HTMLInputElement;
    if (tapped.closest("[data-pick]")) holdMarks(tapped);
    if (["kind", "solo"].includes(tapped.name)) holdMarks();
    if (["kind", "solo"].includes(tapped.name)) showSolos(false);
    if (tapped.name === "duty") duty?.classList.remove("preset");
    heed(tapped);
  });
  form.addEventListener("input", ({ target }) => {
    const typed = target as HTMLInputElement;
    if (typed.type === "text") heed(typed);
  });
}
