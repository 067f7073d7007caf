/*
 * Where the focus is: what opens takes it, what closes gives it back to what opened it, and a control that hides hands it on to the next
 * one. The code that opens a panel reports it; the rest is noticed here, however the panel or the control went.
 */
import { all } from "./dom.js";

const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
const TYPED = 'input:not([type="radio"], [type="checkbox"], [type="submit"]), textarea';

/** What each panel was opened by. @type {WeakMap<Element, HTMLElement>} */
const openers = new WeakMap();
/** What has the focus, what stands before it, what it stands in, and what it is called. @type {Focused | null} */
let focused = null;
let goesByKeys = false;

/** @typedef {{control: HTMLElement, before: HTMLElement[], within: HTMLElement[], name: string}} Focused */

/** Was the last input on the page a key? */
export const isByKeys = () => goesByKeys;

/** @param {Element} control */
const isGone = (control) => !control.isConnected || Boolean(control.closest("[hidden], :disabled, details:not([open]) > :not(summary)"));

/** @param {HTMLElement} control */
const isThere = (control) => !isGone(control) && control.getClientRects().length > 0 && getComputedStyle(control).visibility === "visible";

/** A letter for a screen keyboard would rise with the field: only who has keys is sent there. @param {HTMLElement} control */
const isWelcome = (control) => goesByKeys || !control.matches(TYPED);

/** Of radio buttons the chosen one stands for all. @param {HTMLElement} control @param {HTMLElement} place */
function isPassedOver(control, place) {
  const { type, name, checked } = /** @type {HTMLInputElement} */ (control);
  return type === "radio" && !checked && place.querySelector(`[type="radio"][name="${name}"]:checked:enabled`) !== null;
}

/** @param {HTMLElement} place */
const controlsIn = (place) => all(CONTROLS, place).filter((one) => one.tabIndex >= 0 && !isPassedOver(one, place) && isThere(one));

/** @param {HTMLElement} control */
function nameOfControl(control) {
  const { id, name = "", value = "" } = /** @type {HTMLInputElement} */ (control);
  if (id) return id;
  const legend = control.closest("fieldset")?.querySelector("legend")?.textContent ?? "";
  return [legend, name, value, control.ariaLabel ?? control.textContent].join("|");
}

/** @param {HTMLElement} control @returns {HTMLElement[]} */
const placesOf = ({ parentElement: place }) => (place ? [place, ...placesOf(place)] : []);

/**
 * What has opened takes the focus, and gives it back to its opener once it closes. What has got other contents keeps its opener.
 * @param {HTMLElement} panel
 * @param {HTMLElement} [opener]
 */
export function takeFocus(panel, opener) {
  if (opener) openers.set(panel, opener);
  const [first] = controlsIn(panel).filter((one) => !one.closest(".drawer-head"));
  if (first && isWelcome(first)) return first.focus({ preventScroll: !goesByKeys });
  panel.tabIndex = -1;
  panel.focus({ preventScroll: !goesByKeys });
}

/** What opened the outermost panel that is closed by now. @param {Focused} had */
const openerOf = ({ within }) =>
  within.flatMap((panel) => (isGone(panel) || !panel.childElementCount ? openers.get(panel) ?? [] : [])).filter(isThere).at(-1);

/** The nearest control, in the smallest place that has one; one that was made anew is the same one. @param {Focused} had */
function nextOf({ control, before, within, name }) {
  const last = control.isConnected ? control : before.filter((one) => one.isConnected).at(-1);
  for (const place of within) {
    const controls = isGone(place) ? [] : controlsIn(place).filter(isWelcome);
    const same = control.isConnected ? undefined : controls.find((one) => nameOfControl(one) === name);
    const behind = controls.find((one) => !last || last.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
    if (controls.length) return same ?? behind ?? controls[controls.length - 1];
  }
  return null;
}

function handOn() {
  const { activeElement: active } = document;
  if (!focused || !isGone(focused.control) || (active && active !== document.body && active !== focused.control)) return;
  (openerOf(focused) ?? nextOf(focused))?.focus({ preventScroll: !goesByKeys });
}

const KEPT = "focus";

/** A page that was loaded anew goes on where the keyboard was; where that is gone, at what says why. @param {HTMLElement} instead */
export function resumeFocus(instead) {
  const [path, name] = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
  sessionStorage.removeItem(KEPT);
  if (path !== location.pathname) return;
  goesByKeys = true;
  (controlsIn(document.body).find((one) => nameOfControl(one) === name) ?? instead).focus();
}

addEventListener("pagehide", () => goesByKeys && focused && sessionStorage.setItem(KEPT, JSON.stringify([location.pathname, focused.name])));
addEventListener("keydown", () => (goesByKeys = true), { capture: true });
addEventListener("pointerdown", () => (goesByKeys = false), { capture: true });
document.addEventListener("focusin", ({ target }) => {
  const control = /** @type {HTMLElement} */ (target);
  const controls = all(CONTROLS);
  focused = { control, before: controls.slice(0, Math.max(controls.indexOf(control), 0)), within: placesOf(control), name: nameOfControl(control) };
});
new MutationObserver(handOn).observe(document, { subtree: true, childList: true, attributeFilter: ["hidden", "disabled", "open"] });
