/*
 * Show what surrounds the form: boxes, points on the tiles, and the message at the button. The caller handles the taps.
 */
import { all, find, inputs, make, makeBox, makeButton, protectNames } from "../dom.ts";
import { closeSoon, keepInPlace, lower, openDrawer } from "./drawers.ts";

let shown = "";

/** Show the boxes. Unchanged ones are kept, for screen readers and for a thumb that is on one. */
export function showBoxes(boxes: Box[], act: (act: Act, key: string) => void) {
  const content = JSON.stringify(boxes);
  if (shown === content) return;
  shown = content;
  const panels = boxes.map(({ role, sentences, close, points, buttons }) => {
    const panel = makeBox(role, sentences, buttons.map(({ text, act: what, key }) => [text, () => act(what, key)]), close);
    if (points) panel.firstElementChild?.after(make("p", points, "quiet mb-1"));
    return panel;
  });
  keepInPlace(() => find("outbox").replaceChildren(...panels));
  if (!boxes.length) lower();
}

/** Offer to discard a restored draft, beside its message. */
export function offerDrop(text: string, drop: () => void) {
  const button = makeButton(text, "key", () => {
    if ("done" in button.dataset) return;
    closeSoon(button, () => button.remove());
    drop();
  });
  button.id = "drop";
  find("live-steps").after(button);
}

/** Remove that offer once the draft is saved or discarded. */
export const closeDrop = () => document.querySelector("#drop:not([data-done])")?.remove();

let names: Record<number, string> = {};

/** Set the names that browsers must not translate in messages. */
export const spareNames = (people: Record<number, string>) => { names = people; };

export const put = (place: HTMLElement, words: string) => place.replaceChildren(...protectNames(words, Object.values(names)));

let said: string | string[] = find("live-steps").textContent?.trim() ?? "";
let looks: Look = {};
let warning = "";
let mentioned = "";
let aside = "";

/** The look of the message: a bold sentence in front, a quiet addition, more text after a tap, and whether something is done. */
type Look = { head?: string; beside?: string; more?: string; isDone?: boolean };

/** @param text  in parts, it is cut between them */
export function say(text: string | string[], isBad = false, look: Look = {}) {
  [said, looks] = [text, look];
  const { head = "", beside = "", more = "", isDone = false } = look;
  const line = find("live-steps");
  const part = (tag: "b" | "small" | "span", words: string, look?: string) => {
    const element = make(tag, undefined, look);
    put(element, words);
    return words ? [element, " "] : [];
  };
  const parts = make("span", undefined, "parts");
  parts.append(...[text].flat().flatMap((words) => part("span", words)));
  // The addition has a line of its own, in the place of the eyes.
  line.replaceChildren(
    ...part("span", warning, "notice"), ...part("b", head), ...(mentioned ? part("span", mentioned, "notice") : part("small", beside)),
    ...(parts.childElementCount ? [parts] : []), ...(more ? [" ", ...part("span", more, "more")] : []),
  );
  line.classList.toggle("bad", isBad);
  line.classList.toggle("done", isDone);
  line.classList.remove("open");
  markCut();
  mentioned = "";
  // A fault is repeated each time.
  if (isBad) spoken = "";
  speakSoon();
}

/** Say a sentence once, before the next message. */
export function mention(text: string) {
  mentioned = text;
  speakSoon();
}

/** Say a sentence to screen readers only; it is visible on the button. */
export function speakAside(text: string) {
  aside = text;
  speakSoon();
}

// Milliseconds after the last key or tap until a screen reader hears the message, so that a number is not read digit by digit.
const PAUSE = 700;
let spoken = "";
let pausing = 0;

/** Say the message at the button and the points of all players. */
function speak() {
  const points = all("#live li").map(({ textContent }) => textContent).join(", ");
  const line = [...find("live-steps").childNodes].map(({ textContent }) => textContent?.trim().replace(/\s+/g, " "));
  const text = [mentioned, aside, ...line, points].filter(Boolean).join(" · ");
  mentioned = aside = "";
  if (text !== spoken) put(find("spoken"), (spoken = text));
}

function speakSoon() {
  clearTimeout(pausing);
  pausing = setTimeout(speak, PAUSE);
}
speakSoon();

/** Cut a message that is too long between its parts: first the steps of the eyes, then special points, factors ("×2") last. */
function markCut() {
  const line = find("live-steps");
  const parts = all(".parts > span", line);
  const isFull = () => line.scrollHeight > line.clientHeight;
  for (const part of parts) part.classList.remove("off");
  line.classList.remove("longer");
  line.classList.toggle("longer", line.querySelector(".more") !== null || isFull());
  const isTimes = (part: HTMLElement) => Number(/×\d/.test(String(part.textContent)));
  for (const part of parts.slice(1).sort((one, other) => isTimes(one) - isTimes(other))) part.classList.toggle("off", isFull());
}
new ResizeObserver(markCut).observe(find("live-steps"));

/** Open the full message over the form with a tap, and close it with the next. */
function openSaid() {
  const line = find("live-steps");
  line.classList.toggle("open", !line.classList.contains("open") && line.classList.contains("longer"));
}
find("live-steps").addEventListener("click", openSaid);
find("live-steps").addEventListener("keydown", ({ key }) => key === "Enter" && openSaid());
find("live-steps").addEventListener("blur", () => find("live-steps").classList.remove("open"));

/** Show a warning before each message, as long as it holds. */
export function warn(text: string) {
  if (text === warning) return;
  warning = text;
  say(said, find("live-steps").classList.contains("bad"), looks);
}

/** Show the points of all players in words, on the tiles, and above the columns of the parties. @param parties  the seats of Re and of Kontra */
export function showLive(points: { seat: number; name: string; points: string }[], parties: number[][]) {
  const live = find("live");
  live.hidden = !points.length;
  live.replaceChildren(...points.map(({ name, points: brings }) => {
    const item = make("li", `${name} `);
    item.translate = false;
    item.append(make("b", brings));
    return item;
  }));
  showPoints(points);
  // Faces above both columns or none, since three of a party do not fit.
  const hasFaces = parties.every(({ length }) => length === 1 || length === 2);
  for (const head of all(".heads > p", find("entry"))) {
    const party = parties[[...(head.parentElement?.children ?? [])].indexOf(head)];
    const [figure, , faces] = [...head.children] as HTMLElement[];
    writePoints(figure, points.find(({ seat }) => seat === party[0])?.points);
    const tiles = all("#entry .tile").filter((tile) => hasFaces && party.includes(seatOf(tile)));
    faces.replaceChildren(...tiles.map((tile) => tile.querySelector("[data-i]")?.cloneNode() ?? ""));
  }
  speakSoon();
}

function writePoints(place: HTMLElement, points = "") {
  place.textContent = points;
  place.classList.toggle("up", points.startsWith("+"));
  place.classList.toggle("down", /^−\d/.test(points));
}

const seatOf = (tile: HTMLElement) => Number(inputs("input", tile)[0].value);

/** Show points on the tiles: of the game in the form, or of the last game. */
export function showPoints(points: { seat: number; points: string }[], isLast = false) {
  for (const tile of all("#entry .tile")) {
    const figure = tile.querySelector("i") as HTMLElement;
    writePoints(figure, points.find(({ seat }) => seat === seatOf(tile))?.points);
    if (isLast) figure.className = figure.textContent ? "last" : "";
    else figure.classList.remove("last");
  }
}

/** Show who deals and leads on the tiles. */
export function showRoles(dealer: number | null, leader: number | null, { deals = "", leads = "" }: DOMStringMap) {
  for (const tile of all("#entry .tile")) {
    const seat = seatOf(tile);
    const role = tile.querySelector(".role") as Element;
    role.textContent = seat === dealer ? deals : seat === leader ? leads : "";
    role.classList.toggle("leads", seat === leader && seat !== dealer);
  }
}

/** Put each fault at its field for screen readers and mark the field. Visibly it is only in the line at the button, so that nothing moves. */
export function showFaults(form: HTMLFormElement, errors: Record<string, string>) {
  const places = all("[data-fault]", form);
  for (const place of places) {
    [place.textContent, place.hidden] = ["", true];
    place.classList.add("visually-hidden");
  }
  for (const input of inputs("[aria-invalid]", form)) input.removeAttribute("aria-invalid");
  for (const [field, text] of Object.entries(errors)) {
    const place = places.find(({ dataset }) => dataset.fault === field) ?? places.find(({ dataset }) => dataset.fault === "other");
    if (!place) continue;
    place.textContent = text;
    place.hidden = false;
    for (const input of inputs(`[name="${field}"]`, form)) input.setAttribute("aria-invalid", "true");
  }
  const first = places.find((place) => !place.hidden)?.parentElement;
  if (!first) return;
  openDrawer(first.closest("details"));
  first.scrollIntoView({ block: "nearest" });
}
