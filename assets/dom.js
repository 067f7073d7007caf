/*
 * What every script of the table does to the page: find elements, make them, and fill words into sentences. Where the browser is too old
 * for them (scripted.js), none of them begins, and the page is the one without a script.
 */
if (globalThis.document?.documentElement.classList.contains("outdated")) throw new Error("This browser is outdated.");

/** The element with this id; the page has it. @param {string} id */
export const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} selector @param {ParentNode} [root] */
export const all = (selector, root = document) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

/** The check boxes, radio buttons and fields that a selector finds. @param {string} selector @param {ParentNode} [root] */
export const inputs = (selector, root = document) => /** @type {HTMLInputElement[]} */ (all(selector, root));

/**
 * The field of a form with this name; the page has it.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export const field = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [text]
 * @param {string} [className]
 */
export function make(tag, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

/**
 * Return a sentence as nodes, with each of these names in an element that browsers do not translate.
 * @param {string} words
 * @param {string[]} names
 */
export function protectNames(words, names) {
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

/** @param {string} text @param {string} className @param {() => void} work */
export function makeButton(text, className, work) {
  const button = make("button", text, className);
  button.type = "button";
  button.addEventListener("click", work);
  return button;
}

/** The sentence with its {…} filled in. @param {string} text @param {Record<string, string | number>} values */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

/** With a true minus. @param {number | string} number */
export const minus = (number) => String(number).replace("-", "−");

/** @param {number} number */
export const signed = (number) => (number > 0 ? `+${number}` : minus(number));

/** The keys of the lines that the server has put on the sheet, the first one first. */
export const keysOnPage = () => all("#rows a").map((link) => link.getAttribute("href")?.split("/").at(-2) ?? "").reverse();
