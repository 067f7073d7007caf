/*
 * Keep the focus in place: a panel that opens takes it, a panel that closes gives it back to its opener, and a control that disappears passes it on
 * to the next one. The code that opens a panel calls `takeFocus`; the rest is observed here.
 */
import { all } from "./dom.ts";

const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
const TYPED = 'input:not([type="radio"], [type="checkbox"], [type="submit"]), textarea';

/** The opener of each panel. */
const openers: WeakMap<Element, HTMLElement> = new WeakMap();
/** The focused control, the controls before it, the elements around it from the inside out, and its name. */
type Focused = { control: HTMLElement; before: HTMLElement[]; within: HTMLElement[]; name: string };
let focused: Focused | null = null;
let goesByKeys = false;

/** Return whether the last input on the page was a key. */
export const isByKeys = () => goesByKeys;

const isGone = (control: Element) => !control.isConnected || Boolean(control.closest("[hidden], :disabled, details:not([open]) > :not(summary)"));

const isThere = (control: HTMLElement) =>
  !isGone(control) && control.getClientRects().length > 0 && getComputedStyle(control).visibility === "visible";

/** Return whether a control may get the focus: a text field would raise the keyboard of a phone. */
const isWelcome = (control: HTMLElement) => goesByKeys || !control.matches(TYPED);

/** Return whether a control is a radio button whose group has another checked one. */
function isPassedOver(control: HTMLElement, place: HTMLElement) {
  const { type, name, checked } = control as HTMLInputElement;
  return type === "radio" && !checked && place.querySelector(`[type="radio"][name="${name}"]:checked:enabled`) !== null;
}

const controlsIn = (place: HTMLElement) => all(CONTROLS, place).filter((one) => one.tabIndex >= 0 && !isPassedOver(one, place) && isThere(one));

function nameOfControl(control: HTMLElement) {
  const { id, name = "", value = "" } = control as HTMLInputElement;
  if (id) return id;
  const legend = control.closest("fieldset")?.querySelector("legend")?.textContent ?? "";
  return [legend, name, value, control.ariaLabel ?? control.textContent].join("|");
}

const placesOf = ({ parentElement: place }: HTMLElement): HTMLElement[] => (place ? [place, ...placesOf(place)] : []);

/** Move the focus into a panel, and remember its opener, which gets the focus back. A panel with new contents keeps its opener. */
export function takeFocus(panel: HTMLElement, opener?: HTMLElement) {
  if (opener) openers.set(panel, opener);
  const [first] = controlsIn(panel).filter((one) => !one.closest(".drawer-head"));
  if (first && isWelcome(first)) return first.focus({ preventScroll: !goesByKeys });
  panel.tabIndex = -1;
  panel.focus({ preventScroll: !goesByKeys });
}

/** Return the opener of the outermost panel that has closed. */
const openerOf = ({ within }: Focused) =>
  within.flatMap((panel) => (isGone(panel) || !panel.childElementCount ? openers.get(panel) ?? [] : [])).filter(isThere).at(-1);

/** Return the nearest control, in the smallest element around that has one: the control of the same name if it was drawn anew, or the next one. */
function nextOf({ control, before, within, name }: Focused) {
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

/** Focus the control that had the focus before the page was loaded anew, if keys were used; if it is gone, `instead`. */
export function resumeFocus(instead: HTMLElement) {
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
  const control = target as HTMLElement;
  const controls = all(CONTROLS);
  focused = { control, before: controls.slice(0, Math.max(controls.indexOf(control), 0)), within: placesOf(control), name: nameOfControl(control) };
});
new MutationObserver(handOn).observe(document, { subtree: true, childList: true, attributeFilter: ["hidden", "disabled", "open"] });
