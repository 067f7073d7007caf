/*
 * While a rule set is edited: each line says at once what now holds, and the sample games count at once by what is typed. The server says
 * both, as it does for the button "Vorschau", which nobody needs then; what it refuses yet leaves the page as it is. Whoever looks for a
 * setting sees at once those alone that are called so.
 */
import { asking, copy } from "./asking.js";

/**
 * @param {HTMLFormElement} form
 * @param {Document} page
 */
function show(form, page) {
  const samples = page.getElementById("samples");
  if (!samples) return;
  document.getElementById("samples")?.replaceWith(samples);
  // The games stand above everything that can be changed, so the way there says what became of them.
  copy(page.getElementById("samples-said"), document.getElementById("samples-said"));
  for (const said of form.querySelectorAll("[data-said]")) copy(page.getElementById(said.id), said);
}

/**
 * Without case and accents, as names are found everywhere.
 * @param {string} text
 */
function textKey(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss").trim();
}

/**
 * Show what is called so alone, everything where nothing is looked for.
 * @param {HTMLFormElement} form
 * @param {string[]} wanted  words that all have to be there
 */
function find(form, wanted) {
  const lines = /** @type {HTMLElement[]} */ ([...form.querySelectorAll(".setting")]);
  const found = lines.filter((line) => {
    const texts = [line.dataset.called, ...[...line.querySelectorAll("summary, .explained")].map((text) => text.textContent)];
    const called = textKey(texts.join(" "));
    return wanted.every((word) => called.includes(word));
  });
  for (const line of lines) line.hidden = true;
  for (const line of found) reveal(line);
  for (const section of form.querySelectorAll("section")) section.hidden = !section.querySelector(".setting:not([hidden])");
  const nothing = document.getElementById("nothing");
  if (nothing) nothing.hidden = found.length > 0;
}

/**
 * A line; where it means nothing as things are, also the one that it needs for that.
 * @param {HTMLElement} line
 */
function reveal(line) {
  line.hidden = false;
  const needs = [...line.classList].find((name) => name.startsWith("needs-"))?.slice("needs-".length);
  const needed = needs && getComputedStyle(line).display === "none" && document.getElementById(needs);
  if (needed) reveal(needed);
}

const settings = /** @type {HTMLFormElement | null} */ (document.getElementById("settings"));
const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("preview"));
if (settings && button) {
  const ask = asking(button, settings, (page) => show(settings, page));
  settings.addEventListener("input", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.name === "find") {
      find(settings, textKey(event.target.value).split(/\s+/));
    } else {
      ask();
    }
  });
}
