/*
 * The pills of the entry that help whoever taps: a party has one or two, the solos fold away, bands or digits share their place, and what
 * is said goes upwards. The page that corrects a line uses them as well. They decide nothing about a game.
 */
import { all, field, fill, find, inputs } from "../dom.js";
import { takeFocus } from "../focus.js";
import { openDrawer, prepareChips, prepareDrawers, showChips, showCount, showSoloPanel } from "./drawers.js";
import { mention, say, speakAside } from "./panels.js";

export const form = /** @type {HTMLFormElement} */ (find("entry"));
export const isShort = field(form, "form").value === "short";
const pick = /** @type {HTMLElement} */ (form.querySelector("[data-pick]"));
const solos = document.getElementById("solos");
const soloButton = document.getElementById("solo-button");
const duty = document.getElementById("duty");
// Where six or eight play, every other seat is a party: two pills name it, and only a soloist is marked.
export const partiesAsked = () => /** @type {HTMLElement | null} */ (form.querySelector("#parties"));

/** The field with this name, where the form has it. @param {string} name */
export const fieldOf = (name) => /** @type {HTMLInputElement | null} */ (form.elements.namedItem(name));

/** @param {string} name */
const checked = (name) => /** @type {HTMLInputElement | null} */ (form.querySelector(`input[name="${name}"]:checked:enabled`));

/** @param {string} name */
export const chosen = (name) => checked(name)?.value ?? "";

const solo = () => /** @type {HTMLInputElement | null} */ (form.querySelector(':is(#solos input[name="kind"], [name="kind"][value=""]):checked'));
export const isSolo = () => Boolean(solos && solo());
/** The question that is open while no solo is chosen yet. */
export const soloAsked = () => (solos && !solos.hidden && !isSolo() ? solos.ariaLabel ?? "" : "");
/** How a game of this kind ends where not by its eyes alone: hand, both or ramsch. */
export const endOf = () => checked("kind")?.dataset.end ?? "";
export const isAlone = () => (isShort ? field(form, "solo").checked : isSolo());
export const sitters = () => inputs("[data-out] input:checked", form).map((box) => Number(box.value));
export const asksOut = () => Boolean(form.querySelector("[data-out]"));
export const picks = () => inputs("input", pick);
export const marked = () => inputs("input:checked", pick);

/** Can the game in the form be a Pflichtsolo? */
export const mayBeDuty = () => !isShort && checked("kind")?.dataset.duty !== undefined;
/** Whose Pflichtsolo it would be. */
const dutySeat = () => (mayBeDuty() ? marked()[0]?.value ?? "" : "");

// Who is marked, in the order of the taps.
let marks = marked();
// For whom the switch was set last: it stays as it is tapped until the solo is another one's.
let dutyOf = dutySeat();

/** Whoever is marked now was not tapped one by one. @param {boolean} [isPreset]  the program has marked who is made to play a Pflichtsolo */
export function noteMarks(isPreset = false) {
  marks = marked();
  dutyOf = dutySeat();
  for (const place of [pick, duty]) place?.classList.toggle("preset", isPreset);
}

/** The first solo of those who owe a Pflichtsolo is one, unless something else is tapped. @param {number[]} owing  their seats */
export function presetDuty(owing) {
  const box = fieldOf("duty");
  if (!box || dutySeat() === dutyOf) return;
  dutyOf = dutySeat();
  if (!dutyOf) return;
  box.checked = owing.includes(Number(dutyOf));
  duty?.classList.toggle("preset", box.checked);
}

/** A party has one or two; one tap too many moves the mark that was set first. @param {HTMLInputElement} [tapped] */
function holdMarks(tapped) {
  if (pick.classList.contains("preset")) {
    // A tap on whom the program has marked says that it is right; a game of two parties has nobody marked.
    if (tapped && !tapped.checked) tapped.checked = true;
    else if (!tapped && !isSolo()) for (const mark of marked()) mark.checked = false;
    pick.classList.toggle("preset", !tapped && isSolo());
  }
  const inShort = field(form, "solo")?.checked ? (partiesAsked() ? picks().length - 1 : 3) : 2;
  const most = isShort ? inShort : isSolo() ? 1 : 2;
  marks = marks.filter((mark) => mark.checked);
  if (tapped?.checked && !marks.includes(tapped)) marks.push(tapped);
  const moved = marks.splice(0, Math.max(marks.length - most, 0));
  for (const mark of moved) mark.checked = false;
  const names = moved.map((mark) => mark.labels?.[0].textContent?.trim()).join(", ");
  if (names) mention(fill(form.dataset.moved ?? "", { names }));
}

/** Everybody has a tile; only who plays can be marked. @param {number[]} playing  their seats */
export function seatPills(playing) {
  for (const mark of picks()) {
    mark.disabled = !playing.includes(Number(mark.value));
    if (mark.disabled) mark.checked = false;
    mark.closest(".tile")?.classList.toggle("out", mark.disabled);
  }
}

/** Who is said to sit out is in no party. */
function holdOut() {
  if (asksOut()) seatPills(picks().map(({ value }) => Number(value)).filter((seat) => !sitters().includes(seat)));
}

/** Who is asked for: the party, whoever plays alone, or who lost; and what the sides are called then. */
function askWho() {
  const asked = endOf() === "ramsch" ? "ramsch" : isSolo() ? "alone" : "partner";
  for (const question of all("[data-asks]", form)) question.hidden = question.dataset.asks !== asked;
  for (const side of all("[data-alone]", form)) {
    const { alone = "", party = "" } = side.dataset;
    if (side.ariaLabel) side.ariaLabel = asked === "alone" ? alone : party;
    else side.textContent = asked === "alone" ? alone : party;
  }
}

function showParties() {
  const parties = partiesAsked();
  if (parties) parties.hidden = isAlone();
  /** @type {HTMLElement} */ (pick.closest("fieldset")).hidden = Boolean(parties) && !isAlone();
}

/** @param {boolean} open */
export function showSolos(open) {
  if (!soloButton || !solos) return;
  showSoloPanel(open);
  soloButton.setAttribute("aria-expanded", String(open));
  const name = solo()?.closest("label")?.textContent?.trim();
  /** @type {Element} */ (soloButton.firstElementChild).textContent = name || (form.dataset.solo ?? "");
  soloButton.classList.toggle("chosen", Boolean(chosen("kind") && name));
  soloButton.classList.toggle("preset", Boolean(name) && !chosen("kind"));
  pick.classList.toggle("alone", isAlone());
  placeDuty();
}

/** Whoever has just said which solo it is sees beside the sides that it can be a Pflichtsolo. */
function placeDuty() {
  if (!duty) return;
  duty.hidden = !mayBeDuty();
  const place = form.querySelector(endOf() === "hand" ? "#winner .pills" : ".eyes-row");
  if (place !== duty.parentElement) place?.insertBefore(duty, place.querySelector('[for="eyes"]'));
}

const STEPS = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 });

/** Arrows go from solo to solo and choose none; Enter and the space bar take one. @param {KeyboardEvent} event */
function goThroughSolos(event) {
  const kinds = inputs("input", /** @type {HTMLElement} */ (solos));
  const place = kinds.indexOf(/** @type {HTMLInputElement} */ (event.target));
  if (place < 0) return;
  const step = STEPS[event.key];
  if (!step && !["Enter", " "].includes(event.key)) return;
  event.preventDefault();
  if (step) return kinds.at((place + step) % kinds.length)?.focus();
  kinds[place].click();
  showSolos(false);
}

/** The button stands for the chosen solo: from it arrows go on to the other kinds. @param {KeyboardEvent} event */
function leaveSolo(event) {
  const step = STEPS[event.key];
  if (!step || !isSolo()) return;
  event.preventDefault();
  const kind = inputs('.kinds input[name="kind"]', form).at(step > 0 ? 0 : -1);
  kind?.click();
  kind?.focus();
}

/** "keine 60" says keine 90 and Re as well, and the pills before it show that. */
function fillUpwards() {
  for (const group of all(".fill", form)) {
    const pills = all(".pill", group);
    const top = pills.findIndex((pill) => inputs("input", pill)[0].checked);
    // The last one is "nichts".
    pills.forEach((pill, index) => pill.classList.toggle("filled", top >= 0 && index > top && index < pills.length - 1));
  }
}

/** Exact eyes show the range they are in. */
function showBand() {
  const place = form.querySelector("[data-band]");
  if (!place) return;
  const { value } = field(form, "eyes");
  place.textContent = "";
  for (const range of inputs('[name="band"]', form)) {
    const [from, to = from] = range.value.split("-").map(Number);
    const isIn = value !== "" && from <= Number(value) && Number(value) <= to;
    const pill = /** @type {HTMLElement} */ (range.closest("label"));
    pill.classList.toggle("filled", isIn);
    // In one line.
    if (isIn) place.textContent = String(pill.textContent).trim().replace("–", "\u2060–\u2060");
  }
}

/** Whose Ansage came last is asked only where it decides. */
function askLast() {
  const place = document.getElementById("last-said");
  if (!place) return;
  const isTie = chosen("band") === "120" || field(form, "eyes").value === "120";
  const said = [chosen("re_said"), chosen("kontra_said")];
  const { always, any } = place.dataset;
  const isSaid = said.every((one) => (always ?? any) === undefined ? one === "said" : one && one !== "none");
  place.hidden = !(isSaid && (isTie || always !== undefined)) && !chosen("last_said");
  if (!place.hidden && !chosen("last_said")) openDrawer(place.closest("details"));
}

/** Whether a party without eyes has made a trick is asked only where a party has no eyes. */
function askNoTrick() {
  const place = document.getElementById("no-trick");
  if (place) place.hidden = !["0", "240"].includes(field(form, "eyes").value) && !chosen("no_trick");
}

/** What the chosen kind is not asked is hidden, and nothing of it is sent. */
function showAsked() {
  const end = endOf();
  /** @param {HTMLElement} place @param {boolean} isAsked */
  const show = (place, isAsked) => {
    place.hidden = !isAsked;
    for (const part of [place, ...all("fieldset", place)]) if (part instanceof HTMLFieldSetElement) part.disabled = !isAsked;
  };
  for (const place of all("[data-only]", form)) show(place, String(place.dataset.only).split(" ").includes(end));
  for (const place of all("[data-not]", form)) show(place, !String(place.dataset.not).split(" ").includes(end));
  const said = document.getElementById("said");
  if (said) show(said, checked("kind")?.dataset.silent === undefined);
}

/** Everything that follows from what is tapped, within the form. */
export function refreshPills() {
  for (const link of all("[data-dealer]", form)) {
    link.setAttribute("aria-current", String(link.dataset.dealer === field(form, "dealer").value));
  }
  showAsked();
  askNoTrick();
  showBand();
  holdOut();
  fillUpwards();
  askLast();
  askWho();
  showParties();
  countTyped();
  showChips();
}

/** What a closed drawer holds. */
function countTyped() {
  const said = document.getElementById("said");
  if (said) showCount(said, all(".fill > :is(.filled, :has(:checked:not([value='none'])))", said).length);
  const specials = form.querySelector("[data-specials]");
  // A chip stands for one.
  const values = specials ? inputs("input:checked", specials).map(({ value }) => (value === "on" ? 1 : Number(value))) : [];
  if (specials) showCount(specials, values.reduce((sum, value) => sum + value, 0));
  const more = form.querySelector("[data-more]");
  if (more) showCount(more, Number(chosen("starts_bock")) + Number(Boolean(chosen("no_trick"))));
}

// ---- the eyes ----

const BY = "eyes by";

/** Bands or digits, in the same place; this phone remembers which. @param {string | null | undefined} by */
function showBy(by) {
  const bands = /** @type {HTMLElement | null} */ (form.querySelector(".bands"));
  const pad = /** @type {HTMLElement | null} */ (form.querySelector('[data-keypad="eyes"]'));
  if (!bands || !pad) return;
  bands.hidden = by === "eyes";
  pad.hidden = !bands.hidden;
}

function prepareEyes() {
  for (const button of all("[data-by]", form)) {
    button.hidden = false;
    button.addEventListener("click", () => {
      showBy(button.dataset.by);
      // A phone that is full asks the other way next time, and that is all.
      try {
        localStorage.setItem(BY, button.dataset.by ?? "");
      } catch {}
    });
  }
  // Whoever comes by keyboard types the digits, and may be on the way to the ranges.
  fieldOf("eyes")?.addEventListener("click", () => showBy("eyes"));
  showBy(localStorage.getItem(BY));
}

/** @param {(field: HTMLInputElement) => void} typed */
function prepareKeypads(typed) {
  for (const pad of all("[data-keypad]", form)) {
    const digits = field(form, pad.dataset.keypad ?? "");
    pad.hidden = false;
    digits.inputMode = "none";
    pad.addEventListener("click", ({ target }) => {
      const key = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-digit]"));
      const digit = key?.dataset.digit;
      if (!digit) return;
      digits.value = digit === "back" ? digits.value.slice(0, -1) : (digits.value + digit).slice(0, digits.maxLength);
      typed(digits);
    });
  }
}

/**
 * From now on the pills help.
 * @param {() => void} told  something was typed
 * @param {() => void} asked  the solos opened or closed
 */
export function preparePills(told, asked) {
  /** Exact eyes, a band and a winner exclude each other: the later tap counts. @param {HTMLInputElement} typed */
  const heed = (typed) => {
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
  prepareChips(
    (name, most) => say(fill(form.dataset.limit ?? "", { name, most: String(most) })),
    (name, count) => speakAside(`${name}: ${count}`),
  );
  prepareDrawers(() => {
    if (solos?.hidden !== false) return;
    showSolos(false);
    asked();
  });
  form.addEventListener("change", ({ target }) => {
    const tapped = /** @type {HTMLInputElement} */ (target);
    if (tapped.closest("[data-pick]")) holdMarks(tapped);
    if (["kind", "solo"].includes(tapped.name)) holdMarks();
    if (["kind", "solo"].includes(tapped.name)) showSolos(false);
    if (tapped.name === "duty") duty?.classList.remove("preset");
    heed(tapped);
  });
  form.addEventListener("input", ({ target }) => {
    const typed = /** @type {HTMLInputElement} */ (target);
    if (typed.type === "text") heed(typed);
  });
}
