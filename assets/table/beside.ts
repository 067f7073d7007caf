/*
 * Actions beside the form in one tap: a penalty, and players who come, go or swap seats from the next game on. They are sent like a game.
 */
import { all, fill, find, make, makeButton } from "../dom.ts";
import { takeFocus } from "../focus.ts";
import { addEntry, change, getDraft, getNextSeats, page, round, state } from "./board.ts";
import { fitsForm } from "./draft.ts";
import { closeSoon, makeGroup, makeInput, makeToggle, offerDrawer, wearFace } from "./drawers.ts";
import { buildRedeal } from "./fields.ts";
import { makeKey } from "./outbox.ts";
import { put, say } from "./panels.ts";
import { form } from "./pills.ts";
import { isBusy } from "./state.ts";

const FEWEST = 4;
const MOST = 8;
const LONGEST_NAME = 40;
const { names, texts } = page;
const penalties = form.querySelector('.beside [href="?form=penalty"]') as HTMLAnchorElement;
const seating = all('.beside [href*="#"]', form) as HTMLAnchorElement[];

/** @param keep  adds a line to the sheet */
export function prepareBeside(keep: (entry: OutboxEntry) => void, opening: Promise<Outbox>) {
  const offered = seating.map((link) => [link, () => offerSeats(link, (seats) => seatPeople(seats, opening))] as const);
  if (page.penalties.length) offered.push([penalties, () => offerPenalties(keep)]);
  for (const [link, offer] of offered) {
    link.setAttribute("aria-expanded", "false");
    link.addEventListener("click", (event) => {
      event.preventDefault();
      offer();
    });
  }
}

const makePlayerKey = (player: number, work: () => void, look = "key") => wearFace(makeButton(names[player], look, work), player);

/** Make the link to the page for whatever is not in the drawer. */
function makeOther(text: string, link: HTMLAnchorElement) {
  const other = make("a", text, "key rare");
  other.href = link.href;
  return other;
}

// ---- penalties ----

/** Offer the penalties of the tournament rules in two taps. */
function offerPenalties(keep: (entry: OutboxEntry) => void) {
  offerDrawer(penalties, "penalties", (panel) => {
    panel.append(make("small", texts.tap_punishes));
    for (const penalty of page.penalties) {
      panel.append(makeGroup(penalty.legend, page.seats.map((player, seat) => makePlayerKey(player, () => punish(penalty, seat, keep)))));
    }
    panel.append(makeOther(texts.other_points, penalties));
  });
}

/** Add a penalty at once. A game that is being typed stays and follows it, unless the penalty uses up its deal. */
function punish({ lost, won, reason, dealt }: Penalty, offender: number, keep: (entry: OutboxEntry) => void) {
  if ("done" in find("penalties").dataset) return;
  if (state.mending) return say(texts.decide, true);
  const entry = { ...buildRedeal(page.seats), key: makeKey() };
  const points = page.seats.map((_, seat) => (seat === offender ? lost : won));
  if (isBusy(state) && !dealt) change({ type: "set aside", draft: getDraft(entry.key) });
  closeSoon(find("penalties"));
  keep({ ...entry, form: "penalty", dealer: dealt ? entry.dealer : null, facts: { points, reason } });
}

// ---- players ----

type Seat = (seats: number[]) => void;

/** Offer to add a player behind the last seat or to remove one; at a table of four another player takes the seat. */
function offerSeats(link: HTMLAnchorElement, seat: Seat) {
  const now = getNextSeats();
  offerDrawer(link, "seating", (panel) => {
    const next = (...step: HTMLElement[]) => {
      panel.replaceChildren(...step);
      takeFocus(panel);
    };
    if (link.hash === "#leave") {
      const goes = (player: number) => {
        if (now.length > FEWEST) return seat(now.filter((one) => one !== player));
        const question = fill(texts.instead, { name: names[player] });
        next(...coming(question, now, (other) => seat(now.map((one) => (one === player ? other : one)))));
      };
      const hint = now.length > FEWEST ? texts.tap_goes : texts.tap_instead;
      panel.append(makeGroup(texts.go, now.map((player) => makePlayerKey(player, () => goes(player))), hint));
      panel.append(makeButton(texts.swap_seats, "key rare", () => next(swapping(now, seat))));
    } else if (now.length < MOST) panel.append(...coming(texts.come, now, (player) => seat([...now, player])));
    panel.append(makeOther(texts.other_seats, link));
  });
}

/** Seat these players from the next game on. A game that is being typed stays for the present players. */
async function seatPeople(seats: number[], opening: Promise<Outbox>) {
  if ("done" in find("seating").dataset) return;
  if (!fitsForm({ seats }, page) && !state.isReached) return say(texts.other_size, true);
  closeSoon(find("seating"));
  await opening;
  const before = getNextSeats();
  const unknown = Object.fromEntries([...before, ...seats].filter((player) => player < 0).map((player) => [player, names[player]]));
  const entry = { key: makeKey(), after: "", round: round(), form: "seats" as const, dealer: null, note: "", facts: {} };
  addEntry({ ...entry, seats, before, names: unknown, to: seating[0].pathname });
  say(fill(texts.seated, { names: seats.map((player) => names[player]).join(", ") }));
}

/** Offer all absent players, and an input for a new name. */
function coming(question: string, now: number[], come: (player: number) => void) {
  const absent = Object.keys(names).map(Number).filter((player) => !now.includes(player));
  absent.sort((one, other) => names[one].localeCompare(names[other]));
  const { row, input, fault } = makeInput(texts.new_name, texts.sit, () => {
    // Like the server: no invisible characters in names.
    const typed = input.value.replace(/\p{C}/gu, "").trim();
    if (!typed) return input.focus();
    const player = idOf(typed);
    fault.hidden = !now.includes(player);
    if (fault.hidden) come(player);
  });
  input.maxLength = LONGEST_NAME;
  fault.textContent = texts.sits;
  const choice = makeGroup(question, absent.map((player) => makePlayerKey(player, () => come(player), "key adds")));
  if (question !== texts.come) return [choice, row, fault];
  // The head of the panel says it.
  choice.firstElementChild?.classList.add("visually-hidden");
  const where = make("p", undefined, "quiet mb-1");
  put(where, fill(texts.tap_seats, { last: names[now[now.length - 1]], first: names[now[0]] }));
  return [...(absent.length ? [where] : []), choice, row, fault];
}

/** Fold a name. The server treats names with the same key as one (core/names.py). */
const foldName = (name: string) =>
  name.replace(/[’‘‛´`ʹʻʼˈ′＇]/g, "'").replace(/[‐‑‒–—―⁃−﹘﹣－]/g, "-").normalize("NFKC").toLowerCase().replace(/\s+/g, " ");

/** Return the id of the player with this name; a new player has an id below 0 until the server gives one. */
function idOf(name: string) {
  const known = Object.keys(names).map(Number);
  const found = known.find((player) => foldName(names[player]) === foldName(name));
  if (found !== undefined) return found;
  const player = Math.min(0, ...known) - 1;
  names[player] = name;
  return player;
}

function swapping(now: number[], seat: Seat) {
  let first: number | null = null;
  const buttons = now.map((player) => {
    const button = makeToggle(names[player], false, () => {
      if (first !== null && first !== player) return seat(now.map((one) => (one === first ? player : one === player ? Number(first) : one)));
      first = first === null ? player : null;
      button.ariaPressed = String(first !== null);
    });
    return wearFace(button, player);
  });
  return makeGroup(texts.swap, buttons);
}
