/*
 * Find elements, make them, and fill values into sentences. In a browser that is too old for the scripts (scripted.ts), none of them starts, and
 * the page works as without scripts.
 */
if (globalThis.document?.documentElement.classList.contains("outdated")) throw new Error("This browser is outdated.");

/** Return the element with this id; the page has it. */
export const find = (id: string) => document.getElementById(id) as HTMLElement;

export const all = (selector: string, root: ParentNode = document) => [...root.querySelectorAll(selector)] as HTMLElement[];

/** Return the check boxes, radio buttons and fields that a selector finds. */
export const inputs = (selector: string, root: ParentNode = document) => all(selector, root) as HTMLInputElement[];

/** Return the field of a form with this name; the page has it. */
export const field = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as HTMLInputElement;

export function make<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, text?: string, className?: string) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

/** Return a sentence as nodes, with each of these names in an element that browsers do not translate. */
export function protectNames(words: string, names: string[]) {
  const known = names.filter(Boolean).sort((one, other) => other.length - one.length);
  const escaped = known.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!known.length) return [words];
  const parts = words.split(new RegExp(`(${escaped.join("|")})(?!\\p{L})`, "u"));
  return parts.map((part, place) => {
    // The end of a longer word is no name.
    if (place % 2 === 0 || /\p{L}$/u.test(parts[place - 1])) return part;
    const name = make("span", part);
    name.translate = false;
    return name;
  });
}

export function makeButton(text: string, className: string, work: () => void) {
  const button = make("button", text, className);
  button.type = "button";
  button.addEventListener("click", work);
  return button;
}

/** Do something when the key Enter is pressed in this place, instead of sending the form. */
export function onEnter(place: HTMLElement, work: () => void) {
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    work();
  });
}

/** Make a box with sentences and buttons; the first `close` sentences stand close to the next. */
export function makeBox(role: string, sentences: string[], buttons: [string, () => void][], close = sentences.length) {
  const box = make("div", undefined, "panel conflict mb-2");
  box.role = role;
  box.append(...sentences.map((sentence, index) => make("p", sentence, index < close ? "mb-1" : "")));
  box.append(...buttons.map(([text, work]) => makeButton(text, "btn btn-outline-secondary w-100 mb-2", work)));
  return box;
}

/** Return the sentence with its {…} filled in. */
export const fill = (text: string, values: Record<string, string | number>) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

/** Return a number with a true minus sign. */
export const minus = (number: number | string) => String(number).replace("-", "−");

export const signed = (number: number) => (number > 0 ? `+${number}` : minus(number));

/** Return the keys of the lines on the served sheet, in their order. */
export const keysOnPage = () => all("#rows a").map((link) => link.getAttribute("href")?.split("/").at(-2) ?? "").reverse();
