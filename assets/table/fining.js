/*
 * The elements of the drawer of the Kasse: buttons under a heading, chips with counts, an input for minutes or an amount, and boxes above the
 * form. The caller handles the taps.
 */
import { make, makeButton } from "../dom.js";
import { parseAmount } from "./amounts.js";
import { makeChip } from "./drawers.js";

/** @param {string} text @param {boolean} isPressed @param {() => void} work */
export function makeToggle(text, isPressed, work) {
  const key = makeButton(text, "key", work);
  key.ariaPressed = String(isPressed);
  return key;
}

/** Make a group of buttons with a heading and a hint. @param {string} legend @param {HTMLElement[]} buttons @param {string} [kind] @param {string} [does] */
export function makeChoice(legend, buttons, kind = "names", does = "") {
  const box = make("fieldset");
  const pills = make("div", undefined, `pills ${kind}`);
  pills.append(...buttons);
  const head = make("legend", legend);
  if (does) head.append(" ", make("small", does));
  box.append(head, pills);
  return box;
}

/** Make a chip with a count. @param {string} name @param {number} count @param {() => void} add @param {() => void} take */
export function makeCountChip(name, count, add, take) {
  const { chip: both, more, less } = makeChip(name, add, take);
  if (count) more.dataset.count = String(count);
  less.disabled = !count;
  return both;
}

/**
 * Make the input for minutes or an amount; `done` receives the value.
 * @param {string} legend
 * @param {TillFine} fine
 * @param {Record<string, string>} texts
 * @param {(amount: number) => void} done
 */
export function makeAmountInput(legend, { asks, beyond }, texts, done) {
  const row = make("fieldset");
  const line = make("div", undefined, "new-name");
  const typed = make("input", undefined, "form-control");
  const fault = make("p", "", "fault");
  let sure = "";
  fault.role = "alert";
  fault.hidden = true;
  typed.inputMode = asks === "minutes" ? "numeric" : "decimal";
  typed.ariaLabel = typed.placeholder = texts[asks];
  const enter = () => {
    const amount = parseAmount(typed.value.trim(), asks);
    // An unusually high amount has to be confirmed once.
    const isAsked = amount !== null && beyond !== undefined && amount > beyond && sure !== typed.value;
    fault.hidden = amount !== null && !isAsked;
    if (fault.hidden) return done(/** @type {number} */ (amount));
    sure = isAsked ? typed.value : "";
    fault.textContent = texts[isAsked ? "much" : `no_${asks}`];
    typed.focus();
  };
  typed.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    enter();
  });
  line.append(typed, makeButton(texts.enter, "key", enter));
  row.append(make("legend", legend), line, fault);
  return row;
}

/** Make a box above the form with its buttons. @param {string} role @param {string[]} sentences @param {[string, () => void][]} buttons */
export function makeBox(role, sentences, buttons) {
  const box = make("div", undefined, "panel conflict mb-2");
  box.role = role;
  box.append(...sentences.map((sentence) => make("p", sentence, "mb-1")));
  box.append(...buttons.map(([text, work]) => makeButton(text, "btn btn-outline-secondary w-100 mb-2", work)));
  return box;
}
