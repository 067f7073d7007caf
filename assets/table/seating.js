/*
 * The drawer in which players come, go and swap seats from the next game on, and the tiles of the new line-up. The caller handles the taps.
 */
import { all, fill, inputs, make, makeButton } from "../dom.js";
import { takeFocus } from "../focus.js";
import { offerDrawer } from "./drawers.js";
import { makeGroup, makePlayerKey, put, wearFace } from "./panels.js";

const FEWEST = 4;
const MOST = 8;
const LONGEST_NAME = 40;
// The number of colours for players in the stylesheet (club/names.py).
const COLOURS = 12;

/** @typedef {(seats: number[]) => void} Seat */

/**
 * Offer to add a player behind the last seat or to remove one; at a table of four another player takes the seat.
 * @param {HTMLAnchorElement} link
 * @param {number[]} now  the players of the next game
 * @param {Pick<PageData, "names" | "seats" | "texts">} page
 * @param {Seat} seat
 */
export function offerSeats(link, now, page, seat) {
  const { names, texts } = page;
  offerDrawer(link, "seating", (panel) => {
    // Input in the drawer is not part of a game.
    for (const type of ["input", "change"]) panel.addEventListener(type, (event) => event.stopPropagation());
    const next = (/** @type {HTMLElement[]} */ ...step) => {
      panel.replaceChildren(...step);
      takeFocus(panel);
    };
    if (link.hash === "#leave") {
      const goes = (/** @type {number} */ player) => {
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

/**
 * Offer all absent players, and an input for a new name.
 * @param {string} question
 * @param {number[]} now
 * @param {Pick<PageData, "names" | "texts">} page
 * @param {(player: number) => void} come
 */
function coming(question, now, { names, texts }, come) {
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
  const newcomer = (/** @type {number} */ player) => {
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

/** Remove the heading, which repeats the head of the panel. @param {HTMLElement} choice */
function unheaded(choice) {
  choice.firstElementChild?.classList.add("visually-hidden");
  return choice;
}

/** Fold a name. The server treats names with the same key as one (core/names.py). @param {string} name */
const foldName = (name) =>
  name.replace(/[’‘‛´`ʹʻʼˈ′＇]/g, "'").replace(/[‐‑‒–—―⁃−﹘﹣－]/g, "-").normalize("NFKC").toLowerCase().replace(/\s+/g, " ");

/** Return the id of the player with this name; a new player has an id below 0 until the server gives one. @param {string} name @param {Record<number, string>} names */
function idOf(name, names) {
  const known = Object.keys(names).map(Number);
  const found = known.find((player) => foldName(names[player]) === foldName(name));
  if (found !== undefined) return found;
  const player = Math.min(0, ...known) - 1;
  names[player] = name;
  return player;
}

/** @param {number[]} now @param {Pick<PageData, "names" | "seats" | "texts">} page @param {Seat} seat */
function swapping(now, page, seat) {
  /** @type {number | null} */
  let first = null;
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

/** Show other players in the tiles and in the choice of the dealer, in seating order. @param {string[]} names @param {number[]} players */
export function seatTiles(names, players) {
  for (const [row, called] of [[".tiles", ".pill span"], ["#dealers", ".cut"]]) {
    const places = all(`#entry ${row} > *`);
    for (const place of places.slice(names.length)) place.remove();
    names.forEach((name, seat) => {
      const place = places[seat] ?? /** @type {HTMLElement} */ (places[0].cloneNode(true));
      const told = place.querySelector(".told");
      if (told) told.id = `tile-${seat}`;
      for (const mark of inputs("input", place)) {
        mark.value = String(seat);
        mark.setAttribute("aria-describedby", `tile-${seat}`);
      }
      if (row === "#dealers") place.dataset.dealer = String(seat);
      /** @type {Element} */ (place.querySelector(called)).textContent = name;
      drawFace(place.querySelector("[data-i]"), name, players[seat]);
      if (!places[seat]) places[0].parentElement?.append(place);
    });
  }
}

/** @param {HTMLElement | null} face @param {string} name @param {number} player */
export function drawFace(face, name, player) {
  if (!face) return;
  // A player whom only this phone knows has no id yet, and so no colour.
  face.className = player < 0 ? "" : `p${player % COLOURS}`;
  face.dataset.i = name[0].toUpperCase();
}
