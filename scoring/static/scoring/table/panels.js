/*
 * What stands around the form: the boxes above it, the penalties below it, the points and what is said at the button, and the button itself,
 * which rests under the thumb for a moment after saving. What a tap does is the caller's.
 */
import { find, make } from "../dom.js";

// Only so many pixels are left empty to keep the button in its place.
const MOST_GAP = 120;
// So many milliseconds after saving, a hasty thumb may tap once more.
export const HASTE = 600;
const button = () => find("save");
const foot = () => /** @type {HTMLElement} */ (button().parentElement);
let lettingGo = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
/** @type {() => boolean} */
let isIdle = () => true;
let shown = "";

/**
 * What a screen reader has said, or a thumb is on, is not made anew.
 * @param {string} trouble
 * @param {Box[]} boxes
 * @param {(act: Act, key: string) => void} act
 */
export function showBoxes(trouble, boxes, act) {
  const content = JSON.stringify([trouble, boxes]);
  if (shown === content) return;
  shown = content;
  const tray = find("outbox");
  tray.replaceChildren(...boxes.map((box) => panelOf(box, act)));
  if (!trouble) return;
  const line = make("p", trouble, "fault");
  line.setAttribute("role", "alert");
  tray.prepend(line);
}

/** @param {Box} box @param {(act: Act, key: string) => void} act */
function panelOf({ role, sentences, close, points, buttons }, act) {
  const panel = make("div", undefined, "panel conflict mb-2");
  panel.setAttribute("role", role);
  panel.append(...sentences.map((sentence, index) => make("p", sentence, index < close ? "mb-1" : "")));
  if (points) panel.firstElementChild?.after(make("p", points, "quiet mb-1"));
  for (const { text, act: what, key } of buttons) {
    panel.append(buttonOf(text, "btn btn-outline-secondary w-100 mb-2", () => act(what, key)));
  }
  return panel;
}

/** @param {string} text @param {string} className @param {() => void} work */
function buttonOf(text, className, work) {
  const button = make("button", text, className);
  button.type = "button";
  button.addEventListener("click", work);
  return button;
}

/**
 * The penalties of the tournament rules, two taps away on this page; any other has a page of its own, where `link` leads.
 * @param {HTMLAnchorElement} link
 * @param {PageData} page
 * @param {(penalty: Penalty, seat: number) => void} punish
 */
export function offerPenalties(link, { penalties, seats, names, texts }, punish) {
  const standing = document.getElementById("penalties");
  link.setAttribute("aria-expanded", String(!standing));
  if (standing) return standing.remove();
  const panel = make("div", undefined, "panel");
  panel.id = "penalties";
  for (const penalty of penalties) {
    const box = make("fieldset");
    const pills = make("div", undefined, "pills four");
    pills.append(...seats.map((player, seat) => buttonOf(names[player], "key", () => punish(penalty, seat))));
    box.append(make("legend", penalty.legend), pills);
    panel.append(box);
  }
  const other = make("a", texts.other_points, "key");
  other.href = link.href;
  panel.append(other);
  link.parentElement?.after(panel);
  panel.scrollIntoView({ block: "center" });
}

/** @param {string} text */
export function say(text, isBad = false) {
  const line = find("live-steps");
  line.textContent = text;
  line.classList.toggle("bad", isBad);
}

/**
 * The points of all under the thumb, or nothing.
 * @param {{name: string, points: string}[]} points
 */
export function showLive(points) {
  const live = find("live");
  live.hidden = !points.length;
  live.replaceChildren(...points.map(({ name, points: brings }) => {
    const item = make("li", `${name} `);
    item.append(make("b", brings));
    return item;
  }));
}

/** Each at its field, and in sight. @param {HTMLFormElement} form @param {Record<string, string>} errors */
export function showFaults(form, errors) {
  /** @type {HTMLElement[]} */
  const places = [...form.querySelectorAll("[data-fault]")].map((place) => /** @type {HTMLElement} */ (place));
  for (const place of places) place.hidden = true;
  for (const [field, text] of Object.entries(errors)) {
    const place = places.find(({ dataset }) => dataset.fault === field) ?? places.find(({ dataset }) => dataset.fault === "other");
    if (!place) continue;
    place.textContent = text;
    place.hidden = false;
    place.closest("details")?.setAttribute("open", "");
  }
  places.find((place) => !place.hidden)?.scrollIntoView({ block: "center" });
}

// ---- under the thumb ----

/**
 * Do this without the button moving away under the thumb.
 * @param {() => void} work
 */
export function holdButton(work) {
  const { top } = button().getBoundingClientRect();
  const rise = () => top - button().getBoundingClientRect().top;
  work();
  scrollBy(0, -rise());
  foot().style.paddingTop = `${Math.min(Math.max(rise(), 0), MOST_GAP)}px`;
  waitToLetGo();
}

export function closeGap() {
  foot().style.paddingTop = "";
}

function waitToLetGo() {
  clearTimeout(lettingGo);
  lettingGo = setTimeout(letGo, HASTE);
}

/** The next game begins at the top, however far down the last one was typed; unless it has begun already. */
function letGo() {
  lettingGo = undefined;
  if (!isIdle()) return;
  closeGap();
  scrollTo(0, 0);
}

/** Under a finger nothing moves: a tap would end on something else than it began on. @param {() => boolean} hasNotBegun */
export function watchThumb(hasNotBegun) {
  isIdle = hasNotBegun;
  addEventListener("pointerdown", () => clearTimeout(lettingGo), true);
  for (const lifted of ["pointerup", "pointercancel"]) addEventListener(lifted, () => lettingGo && waitToLetGo(), true);
}
