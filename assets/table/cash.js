/*
 * The Kasse at the table: a drawer in which a fine is one tap, on the name of who pays it. It waits in an outbox of its own, goes out like a game,
 * and is struck out where it is taken back. What the evening costs everybody is the server's to say: its last word stands there, with the game
 * as of which it holds.
 */
import { all, fill, find, make, makeButton, signed } from "../dom.js";
import { takeFocus } from "../focus.js";
import { closeSoon, offerDrawer } from "./drawers.js";
import { asking, boxed, chip, choice, pressed } from "./fining.js";
import { newKey } from "./keys.js";
import { open, post } from "./outbox.js";
import { say, wearFace } from "./panels.js";
import { request } from "./request.js";
import { drawFace } from "./seating.js";
import { read } from "./stored.js";

const DRAWER = "till";
const entryForm = /** @type {HTMLFormElement} */ (find("entry"));
// Not there where nothing can be entered.
const link = /** @type {HTMLAnchorElement | null} */ (entryForm.querySelector('.beside [href$="/cash/"]'));
const address = new URL(String(find("cash").dataset.url), location.href).href;
const token = /** @type {HTMLInputElement} */ (entryForm.querySelector("[name=csrfmiddlewaretoken]")).value;
const { who = "" } = document.body.dataset;
// Where this phone keeps what the server said last.
const KEPT = `${new URL(address).pathname}kept`;
/** @type {Pick<PageData, "me" | "seats">} */
const { me, seats } = JSON.parse(find("table-data").textContent ?? "");
const { texts } = WORDS;
/** @type {Till} */
const NOTHING = { people: [], fines: [], entered: [], drinks: [], drunk: {}, guests: {} };
let till = tillIn(document);
let trouble = "";
/** Who sits down here and waits for a net, and what they are called. @type {[number, string][]} */
let coming = [];

/** @param {ParentNode} root @returns {Till} */
function tillIn(root) {
  return JSON.parse(root.querySelector("#cash-data")?.textContent ?? "null") ?? NOTHING;
}

// ---- what the server says ----

let asked = 0;

/** @param {string} html */
function show(html) {
  asked += 1;
  const section = /** @type {HTMLElement} */ (new DOMParser().parseFromString(html, "text/html").getElementById("cash"));
  const before = find("cash").querySelectorAll("details");
  section.querySelectorAll("details").forEach((drawer, place) => (drawer.open = before[place]?.open ?? false));
  find("cash").replaceWith(section);
  till = tillIn(section);
  showWaiting();
}

/** @param {string} html */
async function hear(html) {
  show(html);
  const cache = await globalThis.caches?.open(`table ${who}`);
  await cache?.put(KEPT, new Response(html)).catch(() => {});
}

async function ask() {
  const mine = (asked += 1);
  const options = /** @type {const} */ ({ headers: { Accept: "application/json" }, credentials: "same-origin", cache: "no-store" });
  const answer = await request(address, options).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  // Whoever leaves the page cuts the answer off.
  const heard = await answer.json().catch(() => null);
  if (heard && mine === asked) hear(heard.cash);
}

document.addEventListener("table", ({ detail }) => detail.isCopy || detail.error || ask());
// A game of this phone is no news to it, but what all pay is.
document.addEventListener("entered", ask);

// ---- what waits ----

/** Who sits down goes first: only then they are of this evening. */
async function seatedHere() {
  const { entries } = await read(entryForm.action);
  return entries.filter(({ before }) => before);
}

/** Is a fine to be struck out by something that waits behind it? @param {Pick<OutboxEntry, "key">} entry @param {Outbox} outbox */
const isTakenBack = ({ key }, { entries }) => entries.some((one) => one.form === "unfine" && one.letter?.key === key);

const opening = open(address, { who, name: me }, {
  post: async (letter, to) => {
    if ((await seatedHere()).length) throw new Error("They are not seated yet.");
    return post(request, to, letter, token);
  },
  saved: async (answer, { form, note }) => {
    trouble = "";
    hear(/** @type {Booked} */ (answer).cash);
    if (!(await showWaiting()).entries.length) say(fill(form === "unfine" ? texts.struck : texts.saved, { label: note }));
  },
  late: async ({ late }) => {
    await showWaiting();
    say(late);
    ask();
  },
  refused: () => showWaiting(),
  failed: async (answer) => {
    trouble = !answer || answer.status >= 500 ? "" : answer.body?.error || texts.forbidden;
    const { entries } = await showWaiting();
    const last = entries.at(-1);
    if (last) say(fill((await opening).isOnlyHere ? texts.kept_here : texts.kept, { label: last.note }));
  },
  changed: () => showWaiting(),
});

/** What lies in the pot is in sight beside the totals. */
function potHere() {
  const pot = document.getElementById("pot");
  return pot ? [make("p", String(pot.textContent), pot.className)] : [];
}

/** What waits stands on the button, what was refused above the form. */
async function showWaiting() {
  const outbox = await opening;
  const { entries, others, isOnlyHere } = outbox;
  if (link) {
    if (entries.length) link.dataset.count = String(entries.length);
    else delete link.dataset.count;
    const waiting = entries.length ? fill(entries.length === 1 ? texts.waits : texts.wait, { n: entries.length }) : "";
    link.setAttribute("aria-description", waiting);
  }
  const [first] = entries;
  tray.replaceChildren(...potHere());
  for (const sentence of [trouble, isOnlyHere && texts.only_here]) if (sentence) tray.append(boxed("alert", [sentence], []));
  if (first?.refused) {
    const sentences = [fill(texts.not_taken, { label: first.note }), ...first.refused.sentences];
    tray.append(boxed("alert", sentences, [[texts.again, () => outbox.again(first.key)], [texts.discard, () => outbox.discard(first.key)]]));
  }
  if (others.length) {
    const names = [...new Set(others.map(({ typist }) => typist?.name || texts.somebody))].join(", ");
    tray.append(boxed("status", [fill(texts.others, { names, n: others.length })], [[texts.adopt, outbox.adopt]]));
  }
  drawAgain();
  return outbox;
}

const tray = make("div");
entryForm.querySelector(".people")?.after(tray);

// ---- the drawer ----

/** What for: the fine or the drink that was chosen last, at first a fine that is one tap. */
let reason = "";
/** Of whom it is asked how much. @type {[number, string] | null} */
let owing = null;
/** Are those offered too who sit at another table? */
let everybody = false;

link?.setAttribute("aria-expanded", "false");
link?.addEventListener("click", async (event) => {
  event.preventDefault();
  coming = (await seatedHere()).flatMap(({ seats, names }) => seats.filter((player) => names?.[player]).map((player) => /** @type {[number, string]} */ ([player, names?.[player]])));
  owing = null;
  everybody = false;
  offerDrawer(link, DRAWER, (body) => {
    // What is typed here is nothing of a game.
    for (const type of ["input", "change", "click"]) body.addEventListener(type, (typed) => typed.stopPropagation());
    draw(body);
  });
});

function drawAgain() {
  const drawer = document.getElementById(DRAWER);
  // What is just being typed stays.
  if (drawer && !("done" in drawer.dataset) && !drawer.querySelector("input")) draw(/** @type {HTMLElement} */ (drawer.lastElementChild));
}

/** @param {HTMLElement} body */
async function draw(body) {
  const here = [...till.people.filter(([player]) => seats.includes(player)), ...coming];
  const others = till.people.filter(([player]) => !seats.includes(player));
  const people = everybody ? [...here, ...others] : here;
  const again = (/** @type {() => void} */ work) => () => (work(), draw(body));
  /** @type {Element[]} */
  const parts = [];
  const reasons = [...till.fines.map(({ code, name: called, price }) => [code, called, price]), ...till.drinks.map(([drink, price]) => [drink, drink, price])];
  if (!reasons.some(([code]) => code === reason)) reason = till.fines.find(({ asks }) => asks === "count")?.code ?? reasons[0]?.[0] ?? "";
  if (reasons.length) {
    parts.push(choice(texts.what_for, reasons.map(([code, called, price]) => {
      const key = pressed(called, code === reason, again(() => ([reason, owing] = [code, null])));
      key.append(make("small", price));
      return key;
    }), "reasons"));
  }
  const fine = till.fines.find(({ code }) => code === reason);
  if (fine) {
    const asked = owing;
    const question = fill(texts.who_pays, { label: fine.name });
    parts.push(fine.asks === "count"
      ? choice(question, people.map((person) => faced(person, makeButton(person[1], "key", () => enter(fine, person, 1)))), "names", fill(texts.tap_books, fine))
      : choice(question, people.map((person) => faced(person, pressed(person[1], asked?.[0] === person[0], again(() => (owing = person))))), "names", texts[`tap_${fine.asks}`]));
    if (asked) parts.push(asking(fill(texts.pays, { name: asked[1], label: fine.name, price: fine.price }), fine, texts, (amount) => enter(fine, asked, amount)));
  } else if (reason) {
    const [, price] = till.drinks.find(([drink]) => drink === reason) ?? ["", ""];
    parts.push(choice(fill(texts.who_had, { label: reason }), await drunkBy(people, reason), "names", fill(texts.tap_books, { price })));
  }
  for (const guest of people.filter(([player]) => till.guests[player] !== undefined)) {
    parts.push(choice(`${guest[1]}: ${texts.brought_by}`, await bringersOf(guest, [...here, ...others])));
  }
  if (others.length) parts.push(pressed(texts.everybody, everybody, again(() => (everybody = !everybody))));
  const entered = await enteredList();
  if (entered.length) parts.push(choice(texts.entered, entered, "entered"));
  const costs = /** @type {Element} */ (find("cash").querySelector("details"));
  body.replaceChildren(...parts, costs.cloneNode(true));
  if (document.activeElement === body.parentElement) takeFocus(body);
  body.querySelector("input")?.focus();
}

/** The button of a person, with the initials from their tile. @param {[number, string]} person @param {HTMLElement} key */
function faced([player, name], key) {
  const tile = all(".tile", entryForm).find((one) => one.querySelector(".pill")?.textContent?.trim() === name);
  const face = /** @type {HTMLElement} */ (tile?.querySelector("[data-i]")?.cloneNode() ?? make("span"));
  key.translate = false;
  if (!tile) drawFace(face, name, player);
  return wearFace(key, face);
}

/** Everybody with how many of a drink they had, those that wait among them: a tap adds one, the sign beside it takes one away.
 * @param {[number, string][]} people @param {string} drink */
async function drunkBy(people, drink) {
  const { entries } = await opening;
  return people.map(([player, name]) => {
    const waiting = entries.filter(({ form, letter }) => form === "drink" && letter?.who === nameable(player, name) && letter?.drink === drink);
    const count = waiting.reduce((sum, { letter }) => sum + Number(letter?.count), till.drunk[player]?.[drink] ?? 0);
    const add = (/** @type {number} */ more) =>
      send({ form: "drink", note: `${name}: ${drink} ${signed(more)}`, letter: { key: newKey(), who: nameable(player, name), drink, count: more } });
    const both = chip(name, count, () => add(1), () => add(-1));
    faced([player, name], /** @type {HTMLElement} */ (both.querySelector(".name")));
    return both;
  });
}

/** @param {[number, string]} guest @param {[number, string][]} people */
async function bringersOf([player, name], people) {
  const { entries } = await opening;
  const waiting = entries.filter(({ form, letter }) => form === "bringer" && letter?.who === nameable(player, name)).at(-1);
  const bringer = waiting?.letter?.brought_by ?? till.guests[player];
  return people.filter(([one]) => one > 0 && till.guests[one] === undefined).map(([one, called]) =>
    faced([one, called], pressed(called, one === bringer, () =>
      send({ form: "bringer", note: `${name}: ${texts.brought_by} ${called}`, letter: { key: newKey(), who: nameable(player, name), brought_by: one } }))),
  );
}

/** By id, and by name whom only this phone knows. @param {number} player @param {string} name */
const nameable = (player, name) => (player > 0 ? player : name);

/** The fines that stand, and those that wait; a tap takes one back. */
async function enteredList() {
  const outbox = await opening;
  const waiting = outbox.entries.filter((entry) => entry.form === "fine" && !isTakenBack(entry, outbox));
  const known = new Set(till.entered.map(({ key }) => key));
  const standing = till.entered.filter((entry) => !isTakenBack(entry, outbox));
  return [
    ...waiting.filter(({ key }) => !known.has(key)).reverse().map(({ key, note }) => ({ key, what: `${note}, ${texts.waiting}` })),
    ...standing,
  ].map(({ key, what }) => {
    const line = makeButton(what, "key charged", () => strike(key, what));
    line.append(" ", make("small", texts.undo));
    return line;
  });
}

// ---- entered and taken back ----

/** @param {TillFine} what @param {[number, string]} person @param {number} amount */
function enter({ code, name: called }, [player, name], amount) {
  if (document.querySelector(`#${DRAWER}[data-done]`)) return;
  const key = newKey();
  const label = `${name}: ${called}`;
  closeTill();
  send({ form: "fine", note: label, letter: { key, who: nameable(player, name), code, amount } }, key);
  offerUndo(key, label);
}

/** @param {string} key  of the fine @param {string} label */
async function strike(key, label) {
  const outbox = await opening;
  document.getElementById("unfine")?.remove();
  if (isTakenBack({ key }, outbox)) return;
  closeTill();
  // What the server refused never stood there.
  if (outbox.entries.some((entry) => entry.key === key && entry.refused)) outbox.discard(key);
  else send({ form: "unfine", note: label, letter: { key, struck: true } });
}

function closeTill() {
  const drawer = document.getElementById(DRAWER);
  if (drawer) closeSoon(drawer);
}

/** @param {Pick<OutboxEntry, "form" | "note" | "letter">} what @param {string} [key]  under which it waits */
async function send(what, key = newKey()) {
  say(texts.saving);
  const { add } = await opening;
  add({ key, after: "", round: "", dealer: null, facts: {}, seats: [], to: address, ...what });
  showWaiting();
}

/** In the place of what takes a game back, until the next one is entered. @param {string} key @param {string} label */
function offerUndo(key, label) {
  document.getElementById("unfine")?.remove();
  const undo = makeButton(texts.undo, "key", () => strike(key, label));
  undo.id = "unfine";
  undo.append(make("small", label));
  find("undo-button").before(undo);
}
entryForm.addEventListener("submit", () => document.getElementById("unfine")?.remove());

// ---- start ----

async function begin() {
  const outbox = await showWaiting();
  outbox.send();
  if (!("kept" in document.documentElement.dataset)) return;
  const kept = await globalThis.caches?.match(KEPT);
  if (kept) show(await kept.text());
}
document.addEventListener("reach", async ({ detail }) => {
  const outbox = await opening;
  if (detail && outbox.isStuck) outbox.send();
});
begin();
