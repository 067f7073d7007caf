/*
 * The editor of a rule set: after each input the sentences and sample games of the server's preview are shown, and a search hides all other
 * settings.
 */
import { copy, previewOf } from "./preview.js";

/**
 * @param {HTMLFormElement} form
 * @param {Document} page
 */
function show(form, page) {
  const samples = page.getElementById("samples");
  if (!samples) return;
  document.getElementById("samples")?.replaceWith(samples);
  // The games are above all inputs, so the link to them sums them up.
  copy(page.getElementById("samples-said"), document.getElementById("samples-said"));
  for (const said of form.querySelectorAll("[data-said]")) copy(page.getElementById(said.id), said);
}

/**
 * Remove case and accents, like text_key of the server.
 * @param {string} text
 */
function textKey(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss").trim();
}

/**
 * Show only the settings that contain the words; all settings without words.
 * @param {HTMLFormElement} form
 * @param {string[]} wanted  words that must all occur
 */
function find(form, wanted) {
  const lines = /** @type {HTMLElement[]} */ ([...form.querySelectorAll(".setting")]);
  const found = lines.filter((line) => {
    const texts = [line.dataset.called, ...[...line.querySelectorAll("summary, .explained")].map((part) => part.textContent)];
    const text = textKey(texts.join(" "));
    return wanted.every((word) => text.includes(word));
  });
  for (const line of lines) line.hidden = true;
  for (const line of found) reveal(line);
  for (const section of form.querySelectorAll("section")) section.hidden = !section.querySelector(".setting:not([hidden])");
  const nothing = document.getElementById("nothing");
  if (nothing) nothing.hidden = found.length > 0;
}

/**
 * Show a setting, and while the style sheet hides it also the setting that it needs.
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
  const preview = previewOf(button, settings, (page) => show(settings, page));
  settings.addEventListener("input", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.name === "find") {
      find(settings, textKey(event.target.value).split(/\s+/));
    } else {
      preview();
    }
  });
}
