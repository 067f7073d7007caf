/*
 * The line-up of a new evening: a tap on a person takes or frees a seat. Without this script the server does the same. The hidden fields
 * of the form hold the line-up, so the server reads the same input in both cases.
 */
import { all, field, fill, find, inputs, make, onEnter, protectNames } from "../dom.ts";

const FEWEST = 4;
const form = find("seating") as HTMLFormElement;
const people = form.querySelector(".chips") as HTMLElement;
const newName = find("new-name") as HTMLDetailsElement;
const blank = people.querySelector("template") as HTMLTemplateElement;
/** The two parts of the sentence below the form: who sits where, and who is missing or new. */
const [lineUpText, noticeText] = all("#said > *");
const begin = form.querySelector("[name=begin]") as HTMLButtonElement;
const seats = inputs("[name^=seat_]", form);
const newcomer = field(form, "newcomer");
/** The sentences, and the values of the page that are no fields. */
const data = form.dataset;
const proposals: Record<string, Record<string, string>> = JSON.parse(find("proposals").textContent ?? "");
let seated = seats.map((seat) => seat.value).filter(Boolean);

const chips = () => all("button.chip", people) as HTMLButtonElement[];

const getChipName = (chip: HTMLElement) => chip.children[1].textContent ?? "";

/** Return the value for the seat of the typed name: the id of a person in the list, `+name` of a new one; empty without a name. */
function getTypedValue() {
  const name = newcomer.value.trim().replace(/\s+/g, " ");
  const folded = name.toLocaleLowerCase();
  const known = chips().find((chip) => getChipName(chip).toLocaleLowerCase() === folded);
  return name && (known?.value ?? `+${name}`);
}

/** Return the values in seating order, with the typed name at the end. */
function getLineUp() {
  const value = getTypedValue();
  return value && !seated.includes(value) && seated.length < seats.length ? [...seated, value] : seated;
}

function getName(value: string) {
  const chip = chips().find((one) => one.value === value);
  return chip ? getChipName(chip) : value.slice(1);
}

/** Draw the line-up around the table, the first at the top, with at least FEWEST seats. */
function showRound(values: string[]) {
  const round = find("round");
  round.hidden = false;
  round.replaceChildren(...Array.from({ length: Math.max(values.length, FEWEST) }, (_, place) => {
    const seat = make("li");
    if (!values[place]) return seat;
    const known = chips().find((chip) => chip.value === values[place]);
    const sign = make("span", String(place + 1), known?.children[0].className ?? "at");
    seat.append(sign, make("span", getName(values[place]), "cut"));
    return seat;
  }));
}

/** Return the sentence about missing people, or else about new ones. */
function describeRest(values: string[]) {
  const missing = FEWEST - values.length;
  if (missing > 0) return fill(missing === 1 ? data.one ?? "" : data.many ?? "", { n: missing });
  const names = values.filter((value) => value.startsWith("+")).map(getName);
  return names.length ? fill(data.new ?? "", { names: names.join(", ") }) : "";
}

/** Fill in the number of games that the rules propose for this many people, unless another number was typed. */
function propose() {
  const [planned, proposed] = ["planned_games", "proposed"].map((name) => field(form, name));
  const { length } = getLineUp();
  const games = proposals[field(form, "rule_set").value]?.[length < FEWEST ? Number(data.last) : length] ?? "";
  if (planned.value !== proposed.value || planned.value === games) return;
  planned.value = proposed.value = games;
  summarize();
}

/**
 * Show the open tables of the chosen day with the same people, which another phone may have opened. Without a choice the people of last
 * time are compared.
 */
function showOpenTable(values: string[]) {
  const chosen = (values.length ? values : (data.lastIds ?? "").split(",")).map(String).sort().join();
  for (const panel of all("[data-people]", form)) {
    panel.hidden = panel.dataset.people !== chosen || panel.dataset.day !== field(form, "held_on").value;
  }
}

function show() {
  seats.forEach((seat, place) => { seat.value = seated[place] ?? ""; });
  for (const chip of chips()) {
    const place = seated.indexOf(chip.value) + 1;
    const [sign, , spoken] = [...chip.children] as HTMLElement[];
    sign.textContent = place ? String(place) : sign.dataset.letters || getChipName(chip).slice(0, 1).toUpperCase();
    spoken.textContent = place ? fill(data.place ?? "", { n: place }) : "";
    chip.setAttribute("aria-pressed", String(place > 0));
    chip.disabled = !place && seated.length === seats.length;
  }
  const values = getLineUp();
  propose();
  showRound(values);
  showOpenTable(values);
  const [first, ...others] = values.map(getName);
  const sentence = others.length ? data.order : first ? data.first : "";
  lineUpText.replaceChildren(...protectNames(fill(sentence ?? "", { name: first ?? "", others: others.join(", ") }), values.map(getName)));
  noticeText.replaceChildren(...protectNames(describeRest(values), values.map(getName)));
  noticeText.classList.remove("fault");
  if (values.length < FEWEST) begin.setAttribute("aria-disabled", "true");
  else begin.removeAttribute("aria-disabled");
}

/** Give the typed name the next seat and empty the field. */
function seatTypedName() {
  const value = getTypedValue();
  seated = getLineUp();
  if (value.startsWith("+") && !chips().some((chip) => chip.value === value)) {
    const copy = blank.content.cloneNode(true) as DocumentFragment;
    const chip = copy.firstElementChild as HTMLButtonElement;
    chip.value = value;
    chip.children[1].textContent = value.slice(1);
    people.insertBefore(chip, newName);
  }
  if (seated.includes(value)) newcomer.value = "";
  show();
  newcomer.focus();
  newcomer.scrollIntoView({ block: "nearest" });
}

people.addEventListener("click", (event) => {
  const target = event.target as HTMLElement;
  const chip = target.closest("button.chip") as HTMLButtonElement | null;
  if (chip) {
    event.preventDefault();
    seated = seated.includes(chip.value) ? seated.filter((value) => value !== chip.value) : [...seated, chip.value];
    show();
  } else if (target.closest("[name=add]")) {
    event.preventDefault();
    seatTypedName();
  } else if (target.closest("summary") && !newName.open) {
    // Opened here and not by the browser: a phone shows its keyboard only if the field gets the focus during the tap.
    event.preventDefault();
    newName.open = true;
    newcomer.focus();
  }
});

newcomer.addEventListener("input", show);
onEnter(newcomer, seatTypedName);

form.addEventListener("submit", (event) => {
  const name = (event.submitter as HTMLButtonElement | null)?.name;
  // This button begins with the people of last time, not with those that were tapped.
  if (name === "line_up") return;
  if (name === "begin" && getLineUp().length < FEWEST) {
    event.preventDefault();
    noticeText.classList.add("fault");
    return;
  }
  // The offered open Bock games belong to another line-up.
  const offeredTo = (data.offeredTo ?? "").split(",").sort().join();
  if (offeredTo && [...getLineUp()].sort().join() !== offeredTo) {
    field(form, "offered").value = "";
    for (const box of inputs("[name=carry]", form)) box.checked = false;
  }
});

/** Update the summary of the settings. */
function summarize() {
  const day = field(form, "held_on").value;
  const written = new Date(`${day}T12:00`).toLocaleDateString(document.documentElement.lang, {
    ...(day === data.today ? {} : { weekday: "short", year: "numeric" }), day: "numeric", month: "long",
  });
  const [dayText, settingsText] = all("[data-said]", form);
  if (day) dayText.textContent = day === data.today ? `${data.wordToday}, ${written}` : written;
  const rules = form.querySelector("[name=rule_set] option:checked")?.textContent ?? "";
  const games = field(form, "planned_games").value;
  settingsText.textContent = [field(form, "place").value.trim(), rules, games && fill(data.games ?? "", { n: games })].filter(Boolean).join(" · ");
}

form.addEventListener("change", (event) => {
  if (!(event.target as HTMLElement).closest(".setting")) return;
  propose();
  summarize();
  showOpenTable(getLineUp());
});
show();
// Show the first error.
inputs(".is-invalid", form)[0]?.focus();
