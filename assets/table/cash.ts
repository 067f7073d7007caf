/*
 * The drawer of the Kasse at the table: a fine takes one tap on the player's name. It waits in an outbox of its own, is sent like a game, and
 * can be deleted. The costs are the server's last answer, with the game that they include.
 */
import "./entry.ts";
import { fill, find, make, makeBox, makeButton, signed } from "../dom.ts";
import { takeFocus } from "../focus.ts";
import { closeSoon, makeChip, makeGroup, makeInput, makeToggle, offerDrawer, showCount, wearFace } from "./drawers.ts";
import { describeOthers, makeKey, open, post, read, request } from "./outbox.ts";
import { say } from "./panels.ts";
import { parseAmount } from "./words.ts";

const DRAWER = "till";
const entryForm = find("entry") as HTMLFormElement;
// Missing if nothing can be entered.
const link = entryForm.querySelector('.beside [href$="/cash/"]') as HTMLAnchorElement | null;
const address = new URL(String(find("cash").dataset.url), location.href).href;
const token = (entryForm.querySelector("[name=csrfmiddlewaretoken]") as HTMLInputElement).value;
const { who = "" } = document.body.dataset;
// The cache of the server's last answer.
const KEPT = `${new URL(address).pathname}kept`;
const { me, seats }: Pick<PageData, "me" | "seats"> = JSON.parse(find("table-data").textContent ?? "");
const { texts } = WORDS;
const NOTHING: Till = { people: [], fines: [], entered: [], drinks: [], drunk: {}, guests: {} };
let till = tillIn(document);
let trouble = "";
/** Players of a waiting line-up, with their names. */
let coming: [number, string][] = [];

function tillIn(root: ParentNode): Till {
  return JSON.parse(root.querySelector("#cash-data")?.textContent ?? "null") ?? NOTHING;
}

// ---- what the server says ----

let asked = 0;

function show(html: string) {
  asked += 1;
  const section = new DOMParser().parseFromString(html, "text/html").getElementById("cash") as HTMLElement;
  const before = find("cash").querySelectorAll("details");
  section.querySelectorAll("details").forEach((drawer, place) => (drawer.open = before[place]?.open ?? false));
  find("cash").replaceWith(section);
  till = tillIn(section);
  showWaiting();
}

async function hear(html: string) {
  show(html);
  const cache = await globalThis.caches?.open(`table ${who}`);
  await cache?.put(KEPT, new Response(html)).catch(() => {});
}

async function ask() {
  const mine = (asked += 1);
  const options = { headers: { Accept: "application/json" }, credentials: "same-origin", cache: "no-store" } as const;
  const answer = await request(address, options).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  // Leaving the page aborts the request.
  const heard = await answer.json().catch(() => null);
  if (heard && mine === asked) hear(heard.cash);
}

document.addEventListener("table", ({ detail }) => detail.isCopy || detail.error || ask());
// A game of this phone is not news, but its costs are.
document.addEventListener("entered", ask);

// ---- what waits ----

/** Wait until a new line-up is sent: only then its players belong to this evening. */
async function awaitLineUp() {
  const { entries } = await read(entryForm.action);
  return entries.filter(({ before }) => before);
}

/** Return whether a waiting entry deletes this fine. */
const isTakenBack = ({ key }: Pick<OutboxEntry, "key">, { entries }: Outbox) =>
  entries.some((one) => one.form === "unfine" && one.letter?.key === key);

const opening = open(address, { who, name: me }, {
  post: async (letter, to) => {
    if ((await awaitLineUp()).length) throw new Error("They are not seated yet.");
    return post(to, letter, token);
  },
  saved: async (answer, { form, note }) => {
    trouble = "";
    hear((answer as Booked).cash);
    if (!(await showWaiting()).entries.length) say("", false, { head: fill(form === "unfine" ? texts.struck : texts.saved, { label: note }), isDone: true });
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

/** Show the number of waiting entries on the button, and the pot and what is refused above the form. */
async function showWaiting() {
  const outbox = await opening;
  const { entries, others, isOnlyHere } = outbox;
  if (link) {
    showCount(link, entries.length);
    const waiting = entries.length ? fill(entries.length === 1 ? texts.waits : texts.wait, { n: entries.length }) : "";
    link.setAttribute("aria-description", waiting);
  }
  const [first] = entries;
  const pot = document.getElementById("pot");
  tray.replaceChildren(...(pot ? [make("p", String(pot.textContent), pot.className)] : []));
  for (const sentence of [trouble, isOnlyHere && texts.only_here]) if (sentence) tray.append(makeBox("alert", [sentence], []));
  if (first?.refused) {
    const sentences = [fill(texts.not_taken, { label: first.note }), ...first.refused.sentences];
    tray.append(makeBox("alert", sentences, [[texts.again, () => outbox.again(first.key)], [texts.discard, () => outbox.discard(first.key)]]));
  }
  if (others.length) tray.append(makeBox("status", [describeOthers(others, texts)], [[texts.adopt, outbox.adopt]]));
  drawAgain();
  return outbox;
}

const tray = make("div");
entryForm.querySelector(".people")?.after(tray);

// ---- the drawer ----

/** The selected fine or drink; at first a fine that takes one tap. */
let reason = "";
/** The player whose amount is asked for. */
let owing: [number, string] | null = null;
/** Whether players of other tables are offered as well. */
let withAbsent = false;

link?.setAttribute("aria-expanded", "false");
link?.addEventListener("click", async (event) => {
  event.preventDefault();
  coming = (await awaitLineUp()).flatMap(({ seats, names }) => seats.filter((player) => names?.[player]).map((player) => [player, names?.[player]] as [number, string]));
  owing = null;
  withAbsent = false;
  offerDrawer(link, DRAWER, (body) => {
    // A tap here is none in the form.
    body.addEventListener("click", (event) => event.stopPropagation());
    draw(body);
  });
});

function drawAgain() {
  const drawer = document.getElementById(DRAWER);
  // Keep what is being typed.
  if (drawer && !("done" in drawer.dataset) && !drawer.querySelector("input")) draw(drawer.lastElementChild as HTMLElement);
}

async function draw(body: HTMLElement) {
  const outbox = await opening;
  const here = [...till.people.filter(([player]) => seats.includes(player)), ...coming];
  const others = till.people.filter(([player]) => !seats.includes(player));
  const people = withAbsent ? [...here, ...others] : here;
  const again = (work: () => void) => () => (work(), draw(body));
  const parts: Element[] = [];
  const reasons = [...till.fines.map(({ code, name: called, price }) => [code, called, price]), ...till.drinks.map(([drink, price]) => [drink, drink, price])];
  if (!reasons.some(([code]) => code === reason)) reason = till.fines.find(({ asks }) => asks === "count")?.code ?? reasons[0]?.[0] ?? "";
  if (reasons.length) {
    parts.push(makeGroup(texts.what_for, reasons.map(([code, called, price]) => {
      const key = makeToggle(called, code === reason, again(() => ([reason, owing] = [code, null])));
      key.append(make("small", price));
      return key;
    }), "", "reasons"));
  }
  const fine = till.fines.find(({ code }) => code === reason);
  if (fine) {
    const asked = owing;
    const isCount = fine.asks === "count";
    const keys = people.map((person) => {
      const [player, name] = person;
      const key = isCount
        ? makeButton(name, "key", () => enter(fine, person, 1))
        : makeToggle(name, asked?.[0] === player, again(() => (owing = person)));
      return wearFace(key, player);
    });
    parts.push(makeGroup(fill(texts.who_pays, { label: fine.name }), keys, isCount ? fill(texts.tap_books, fine) : texts[`tap_${fine.asks}`]));
    const question = fill(texts.pays, { name: asked?.[1] ?? "", label: fine.name, price: fine.price });
    if (asked) parts.push(makeAmountInput(question, fine, (amount) => enter(fine, asked, amount)));
  } else if (reason) {
    const [, price] = till.drinks.find(([drink]) => drink === reason) ?? ["", ""];
    parts.push(makeGroup(fill(texts.who_had, { label: reason }), showDrinks(people, reason, outbox), fill(texts.tap_books, { price })));
  }
  for (const guest of people.filter(([player]) => till.guests[player] !== undefined)) {
    parts.push(makeGroup(`${guest[1]}: ${texts.brought_by}`, bringersOf(guest, [...here, ...others], outbox)));
  }
  if (others.length) parts.push(makeToggle(texts.with_absent, withAbsent, again(() => (withAbsent = !withAbsent))));
  const entered = listEntered(outbox);
  if (entered.length) parts.push(makeGroup(texts.entered, entered, "", "entered"));
  const costs = find("cash").querySelector("details") as Element;
  body.replaceChildren(...parts, costs.cloneNode(true));
  if (document.activeElement === body.parentElement) takeFocus(body);
  body.querySelector("input")?.focus();
}

/** Make the input for minutes or an amount; `done` receives the value. */
function makeAmountInput(legend: string, { asks, beyond }: TillFine, done: (amount: number) => void) {
  const box = make("fieldset");
  let sure = "";
  const { row, input, fault } = makeInput(texts[asks], texts.enter, () => {
    const amount = parseAmount(input.value.trim(), asks);
    // An unusually high amount has to be confirmed once.
    const isAsked = amount !== null && beyond !== undefined && amount > beyond && sure !== input.value;
    fault.hidden = amount !== null && !isAsked;
    if (fault.hidden) return done(amount as number);
    sure = isAsked ? input.value : "";
    fault.textContent = texts[isAsked ? "much" : `no_${asks}`];
    input.focus();
  });
  input.inputMode = asks === "minutes" ? "numeric" : "decimal";
  box.append(make("legend", legend), row, fault);
  return box;
}

/** Show all players with their number of a drink, including waiting entries: a tap adds one, the sign beside it removes one. */
function showDrinks(people: [number, string][], drink: string, { entries }: Outbox) {
  return people.map(([player, name]) => {
    const waiting = entries.filter(({ form, letter }) => form === "drink" && letter?.who === getNameOrId(player, name) && letter?.drink === drink);
    const count = waiting.reduce((sum, { letter }) => sum + Number(letter?.count), till.drunk[player]?.[drink] ?? 0);
    const add = (more: number) =>
      send({ form: "drink", note: `${name}: ${drink} ${signed(more)}`, letter: { key: makeKey(), who: getNameOrId(player, name), drink, count: more } });
    const { chip, more, less } = makeChip(name, () => add(1), () => add(-1));
    showCount(more, count);
    less.disabled = !count;
    wearFace(chip.querySelector(".name") as HTMLElement, player);
    return chip;
  });
}

function bringersOf([player, name]: [number, string], people: [number, string][], { entries }: Outbox) {
  const waiting = entries.filter(({ form, letter }) => form === "bringer" && letter?.who === getNameOrId(player, name)).at(-1);
  const bringer = waiting?.letter?.brought_by ?? till.guests[player];
  return people.filter(([one]) => one > 0 && till.guests[one] === undefined).map(([one, called]) =>
    wearFace(makeToggle(called, one === bringer, () =>
      send({ form: "bringer", note: `${name}: ${texts.brought_by} ${called}`, letter: { key: makeKey(), who: getNameOrId(player, name), brought_by: one } })), one),
  );
}

/** Return the id of a player, or the name if only this phone knows the player. */
const getNameOrId = (player: number, name: string) => (player > 0 ? player : name);

/** List the saved and the waiting fines; a tap removes one. */
function listEntered(outbox: Outbox) {
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

function enter({ code, name: called }: TillFine, [player, name]: [number, string], amount: number) {
  if (document.querySelector(`#${DRAWER}[data-done]`)) return;
  const key = makeKey();
  const label = `${name}: ${called}`;
  closeTill();
  send({ form: "fine", note: label, letter: { key, who: getNameOrId(player, name), code, amount } }, key);
  offerUndo(key, label);
}

/** @param key  of the fine */
async function strike(key: string, label: string) {
  const outbox = await opening;
  document.getElementById("unfine")?.remove();
  if (isTakenBack({ key }, outbox)) return;
  closeTill();
  // A refused fine was never saved.
  if (outbox.entries.some((entry) => entry.key === key && entry.refused)) outbox.discard(key);
  else send({ form: "unfine", note: label, letter: { key, struck: true } });
}

function closeTill() {
  const drawer = document.getElementById(DRAWER);
  if (drawer) closeSoon(drawer);
}

/** @param key  under which it waits */
async function send(what: Pick<OutboxEntry, "form" | "note" | "letter">, key: string = makeKey()) {
  say(texts.saving);
  const { add } = await opening;
  add({ key, after: "", round: "", dealer: null, facts: {}, seats: [], to: address, ...what });
  showWaiting();
}

/** Offer to undo a fine, in the place of the undo of a game, until the next game is added. */
function offerUndo(key: string, label: string) {
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
