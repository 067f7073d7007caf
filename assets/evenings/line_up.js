/*
 * Who sits where on a new evening: a tap on a person gives them the next place or takes it away, at once; without this script the server
 * does the same. The fields of the form hold the places, so the server reads one thing however they came there.
 */
import { all, field, fill, find, inputs, make, sparing } from "../dom.js";

const FEWEST = 4;
const form = /** @type {HTMLFormElement} */ (find("seating"));
const people = /** @type {HTMLElement} */ (form.querySelector(".chips"));
const newName = /** @type {HTMLDetailsElement} */ (find("new-name"));
const blank = /** @type {HTMLTemplateElement} */ (people.querySelector("template"));
const [order, rest] = all("#said > *");
const begin = /** @type {HTMLButtonElement} */ (form.querySelector("[name=begin]"));
const seats = inputs("[name^=seat_]", form);
const newcomer = field(form, "newcomer");
const words = form.dataset;
/** @type {Record<string, Record<string, string>>} */
const proposals = JSON.parse(find("proposals").textContent ?? "");
let seated = seats.map((seat) => seat.value).filter(Boolean);

const chips = () => /** @type {HTMLButtonElement[]} */ (all("button.chip", people));

/** @param {HTMLElement} chip */
const nameOn = (chip) => chip.children[1].textContent ?? "";

/** The seat of the name that is being typed: somebody who is there, or who is new. */
function typed() {
  const name = newcomer.value.trim().replace(/\s+/g, " ");
  const folded = name.toLocaleLowerCase();
  const known = chips().find((chip) => nameOn(chip).toLocaleLowerCase() === folded);
  return name && (known?.value ?? `+${name}`);
}

/** Everybody in seating order; who is being typed comes last. */
function lineUp() {
  const value = typed();
  return value && !seated.includes(value) && seated.length < seats.length ? [...seated, value] : seated;
}

/** @param {string} value */
function called(value) {
  const chip = chips().find((one) => one.value === value);
  return chip ? nameOn(chip) : value.slice(1);
}

/** Everybody at their place around the table, the first one at the top; places that must be taken are there from the beginning. @param {string[]} whole */
function showRound(whole) {
  const round = find("round");
  round.hidden = false;
  round.replaceChildren(...Array.from({ length: Math.max(whole.length, FEWEST) }, (_, place) => {
    const seat = make("li");
    if (!whole[place]) return seat;
    const known = chips().find((chip) => chip.value === whole[place]);
    const sign = make("span", String(place + 1), known?.children[0].className ?? "at");
    seat.append(sign, make("span", called(whole[place]), "cut"));
    return seat;
  }));
}

/** How many are missing, or else who is new. @param {string[]} whole */
function outlook(whole) {
  const missing = FEWEST - whole.length;
  if (missing > 0) return fill(missing === 1 ? words.one ?? "" : words.many ?? "", { n: missing });
  const names = whole.filter((value) => value.startsWith("+")).map(called);
  return names.length ? fill(words.new ?? "", { names: names.join(", ") }) : "";
}

/** As many games as the rules propose for these people, or those of last time; unless another number was typed. */
function propose() {
  const [planned, proposed] = ["planned_games", "proposed"].map((name) => field(form, name));
  const { length } = lineUp();
  const games = proposals[field(form, "rule_set").value]?.[length < FEWEST ? Number(words.last) : length] ?? "";
  if (planned.value !== proposed.value || planned.value === games) return;
  planned.value = proposed.value = games;
  sum();
}

/** The same people may sit at a table already, which another phone has begun. @param {string[]} whole */
function showRunning(whole) {
  const chosen = (whole.length ? whole : (words.asLast ?? "").split(",")).map(String).sort().join();
  for (const panel of all("[data-people]", form)) {
    panel.hidden = panel.dataset.people !== chosen || panel.dataset.day !== field(form, "held_on").value;
  }
}

function show() {
  seats.forEach((seat, place) => { seat.value = seated[place] ?? ""; });
  for (const chip of chips()) {
    const place = seated.indexOf(chip.value) + 1;
    const [sign, , spoken] = /** @type {HTMLElement[]} */ ([...chip.children]);
    sign.textContent = place ? String(place) : sign.dataset.letters || nameOn(chip).slice(0, 1).toUpperCase();
    spoken.textContent = place ? fill(words.place ?? "", { n: place }) : "";
    chip.setAttribute("aria-pressed", String(place > 0));
    chip.disabled = !place && seated.length === seats.length;
  }
  const whole = lineUp();
  propose();
  showRound(whole);
  showRunning(whole);
  const [first, ...others] = whole.map(called);
  const sentence = others.length ? words.order : first ? words.first : words.nobody;
  order.replaceChildren(...sparing(fill(sentence ?? "", { name: first ?? "", others: others.join(", ") }), whole.map(called)));
  rest.replaceChildren(...sparing(outlook(whole), whole.map(called)));
  rest.classList.remove("fault");
  if (whole.length < FEWEST) begin.setAttribute("aria-disabled", "true");
  else begin.removeAttribute("aria-disabled");
}

/** Who is typed takes the next place, and the field is ready for somebody else. */
function seat() {
  const value = typed();
  seated = lineUp();
  if (value.startsWith("+") && !chips().some((chip) => chip.value === value)) {
    const copy = /** @type {DocumentFragment} */ (blank.content.cloneNode(true));
    const chip = /** @type {HTMLButtonElement} */ (copy.firstElementChild);
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
  const target = /** @type {HTMLElement} */ (event.target);
  const chip = /** @type {HTMLButtonElement | null} */ (target.closest("button.chip"));
  if (chip) {
    event.preventDefault();
    seated = seated.includes(chip.value) ? seated.filter((value) => value !== chip.value) : [...seated, chip.value];
    show();
  } else if (target.closest("[name=add]")) {
    event.preventDefault();
    seat();
  } else if (target.closest("summary") && !newName.open) {
    // Opened here and now, for a phone shows its keyboard only while it is tapped.
    event.preventDefault();
    newName.open = true;
    newcomer.focus();
  }
});

newcomer.addEventListener("input", show);
newcomer.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  seat();
});

form.addEventListener("submit", (event) => {
  const name = /** @type {HTMLButtonElement | null} */ (event.submitter)?.name;
  if (name === "line_up") return;
  if (name === "begin" && lineUp().length < FEWEST) {
    event.preventDefault();
    rest.classList.add("fault");
    return;
  }
  // The open Bock games that the page shows are those of other people.
  const theirs = (words.offeredTo ?? "").split(",").sort().join();
  if (theirs && [...lineUp()].sort().join() !== theirs) {
    field(form, "offered").value = "";
    for (const box of inputs("[name=carry]", form)) box.checked = false;
  }
});

/** The one line says what is chosen behind it. */
function sum() {
  const day = field(form, "held_on").value;
  const written = new Date(`${day}T12:00`).toLocaleDateString(document.documentElement.lang, {
    ...(day === words.today ? {} : { weekday: "short", year: "numeric" }), day: "numeric", month: "long",
  });
  const [held, also] = all("[data-said]", form);
  if (day) held.textContent = day === words.today ? `${words.wordToday}, ${written}` : written;
  const rules = form.querySelector("[name=rule_set] option:checked")?.textContent ?? "";
  const games = field(form, "planned_games").value;
  also.textContent = [field(form, "place").value.trim(), rules, games && fill(words.games ?? "", { n: games })].filter(Boolean).join(" · ");
}

form.addEventListener("change", (event) => {
  if (!/** @type {HTMLElement} */ (event.target).closest(".setting")) return;
  propose();
  sum();
  showRunning(lineUp());
});
show();
// What was refused is what to look at.
inputs(".is-invalid", form)[0]?.focus();
