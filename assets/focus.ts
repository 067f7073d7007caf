/*
 * Where the focus is: what opens takes it, what closes gives it back to what opened it, and a control that hides hands it on to the next
 * one. The code that opens a panel reports it; the rest is noticed here, however the panel or the control went.
 */
import { all } from "./dom.ts";

const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
const TYPED = 'input:not([type="radio"], [type="checkbox"], [type="submit"]), textarea';

/** What each panel was opened by. */
const openers: WeakMap<Element, HTMLElement> = new WeakMap();
/** What has the focus, what stands before it, what it stands in, and what it is called. */
type Focused = { control: HTMLElement; before: HTMLElement[]; within: HTMLElement[]; name: string };
let focused: Focused | null = null;
let goesByKeys = false;

/** Was the last input on the page a key? */
export const isByKeys = () => goesByKeys;

const isGone = (control: Element) => !control.isConnected || Boolean(control.closest("[hidden], :disabled, details:not([open]) > :not(summary)"));

const isThere = (control: HTMLElement) =>
  !isGone(control) && control.getClientRects().length > 0 && getComputedStyle(control).visibility === "visible";

/** A letter for a screen keyboard would rise with the field: only who has keys is sent there. */
const isWelcome = (control: HTMLElement) => goesByKeys || !control.matches(TYPED);

/** Of radio buttons the chosen one stands for all. */
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

/** What has opened takes the focus, and gives it back to its opener once it closes. What has got other contents keeps its opener. */
export function takeFocus(panel: HTMLElement, opener?: HTMLElement) {
  if (opener) openers.set(panel, opener);
  const [first] = controlsIn(panel).filter((one) => !one.closest(".drawer-head"));
  if (first && isWelcome(first)) return first.focus({ preventScroll: !goesByKeys });
  panel.tabIndex = -1;
  panel.focus({ preventScroll: !goesByKeys });
}

/** What opened the outermost panel that is closed by now. */
const openerOf = ({ within }: Focused) =>
  within.flatMap((panel) => (isGone(panel) || !panel.childElementCount ? openers.get(panel) ?? [] : [])).filter(isThere).at(-1);

/** The nearest control, in the smallest place that has one; one that was made anew is the same one. */
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

/** A page that was loaded anew goes on where the keyboard was; where that is gone, at what says why. */
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
