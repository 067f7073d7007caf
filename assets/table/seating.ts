/*
 * The drawer in which players come, go and swap seats from the next game on; and the form of the new line-up: its tiles, who sits out, which row of
 * seats is a party, and which kinds there are. The form is the same as from _entry.html; parts that the server has drawn keep their values.
 */
import { all, fill, find, inputs, make, makeButton } from "../dom.ts";
import { takeFocus } from "../focus.ts";
import { asksOf, rulesAt, seatOffsets } from "../rules/parsing.ts";
import { offerDrawer } from "./drawers.ts";
import { makeGroup, makePlayerKey, put, wearFace } from "./panels.ts";
import { findPartiesQuestion, form, isShort } from "./pills.ts";

const FEWEST = 4;
const MOST = 8;
const LONGEST_NAME = 40;
// The number of colours for players in the stylesheet (club/names.py).
const COLOURS = 12;

type Seat = (seats: number[]) => void;

/**
 * Offer to add a player behind the last seat or to remove one; at a table of four another player takes the seat.
 * @param now  the players of the next game
 */
export function offerSeats(link: HTMLAnchorElement, now: number[], page: Pick<PageData, "names" | "seats" | "texts">, seat: Seat) {
  const { names, texts } = page;
  offerDrawer(link, "seating", (panel) => {
    // Input in the drawer is not part of a game.
    for (const type of ["input", "change"]) panel.addEventListener(type, (event) => event.stopPropagation());
    const next = (...step: HTMLElement[]) => {
      panel.replaceChildren(...step);
      takeFocus(panel);
    };
    if (link.hash === "#leave") {
      const goes = (player: number) => {
        if (now.length > FEWEST) return seat(now.filter((one) => one !== player));
        const question = fill(texts.instead, { name: names[player] });
        next(...coming(question, now, page, (other) => seat(now.map((one) => (one === player ? other : one)))));
      };
      const who = makeGroup(texts.go, now.map((player) => makePlayerKey(player, page, () => goes(player))));
      who.firstElementChild?.append(" ", make("small", now.length > FEWEST ? texts.tap_goes : texts.tap_instead));
      panel.append(who, makeButton(texts.swap_seats, "key rare", () => next(swapping(now, page, seat))));
    } else if (now.length < MOST) panel.append(...coming(texts.come, now, page, (player) => seat([...now, player])));
    const other = make("a", texts.other_seats, "key rare");
    other.href = link.href;
    panel.append(other);
  });
}

/** Offer all absent players, and an input for a new name. */
function coming(question: string, now: number[], { names, texts }: Pick<PageData, "names" | "texts">, come: (player: number) => void) {
  const absent = Object.keys(names).map(Number).filter((player) => !now.includes(player));
  absent.sort((one, other) => names[one].localeCompare(names[other]));
  const row = make("div", undefined, "new-name");
  const name = make("input", undefined, "form-control");
  const fault = make("p", texts.sits, "fault");
  fault.role = "alert";
  fault.hidden = true;
  name.maxLength = LONGEST_NAME;
  name.ariaLabel = name.placeholder = texts.new_name;
  const sit = () => {
    // Like the server: no invisible characters in names.
    const typed = name.value.replace(/\p{C}/gu, "").trim();
    if (!typed) return name.focus();
    const player = idOf(typed, names);
    fault.hidden = !now.includes(player);
    if (fault.hidden) come(player);
  };
  name.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    sit();
  });
  row.append(name, makeButton(texts.sit, "key", sit));
  const newcomer = (player: number) => {
    const face = make("span");
    drawFace(face, names[player], player);
    return wearFace(makeButton(names[player], "key adds", () => come(player)), face);
  };
  const choice = makeGroup(question, absent.map(newcomer));
  if (question !== texts.come) return [choice, row, fault];
  const where = make("p", undefined, "quiet mb-1");
  put(where, fill(texts.tap_seats, { last: names[now[now.length - 1]], first: names[now[0]] }));
  return [...(absent.length ? [where] : []), unheaded(choice), row, fault];
}

/** Remove the heading, which repeats the head of the panel. */
function unheaded(choice: HTMLElement) {
  choice.firstElementChild?.classList.add("visually-hidden");
  return choice;
}

/** Fold a name. The server treats names with the same key as one (core/names.py). */
const foldName = (name: string) =>
  name.replace(/[’‘‛´`ʹʻʼˈ′＇]/g, "'").replace(/[‐‑‒–—―⁃−﹘﹣－]/g, "-").normalize("NFKC").toLowerCase().replace(/\s+/g, " ");

/** Return the id of the player with this name; a new player has an id below 0 until the server gives one. */
function idOf(name: string, names: Record<number, string>) {
  const known = Object.keys(names).map(Number);
  const found = known.find((player) => foldName(names[player]) === foldName(name));
  if (found !== undefined) return found;
  const player = Math.min(0, ...known) - 1;
  names[player] = name;
  return player;
}

function swapping(now: number[], page: Pick<PageData, "names" | "seats" | "texts">, seat: Seat) {
  let first: number | null = null;
  const buttons = now.map((player) => {
    const button = makePlayerKey(player, page, () => {
      if (first !== null && first !== player) return seat(now.map((one) => (one === first ? player : one === player ? Number(first) : one)));
      first = first === null ? player : null;
      button.ariaPressed = String(first !== null);
    });
    button.ariaPressed = "false";
    return button;
  });
  return makeGroup(page.texts.swap, buttons);
}

// ---- shown ----

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

export function drawFace(face: HTMLElement | null, name: string, player: number) {
  if (!face) return;
  // A player whom only this phone knows has no id yet, and so no colour.
  face.className = player < 0 ? "" : `p${player % COLOURS}`;
  face.dataset.i = name[0].toUpperCase();
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
