/*
 * Preview a form of rules while it is filled in: shortly after the last input the form is sent like by its preview button, and the newest response
 * is shown. Faults and a missing network leave the page as it is. In the editor of a rule set a search also hides all other settings.
 */
import { all, find } from "../dom.ts";

const PAUSE = 250;

/** Hide the preview button and return a function that requests a preview. */
function previewOf(button: HTMLButtonElement, form: HTMLFormElement, show: (page: Document) => void) {
  let timer = 0;
  let request: AbortController | null = null;
  async function load() {
    request?.abort();
    request = new AbortController();
    const body = new FormData(form);
    if (button.name) body.set(button.name, button.value);
    let html;
    try {
      const response = await fetch(button.formAction, { method: "POST", body, signal: request.signal });
      if (!response.ok) return;
      html = await response.text();
    } catch {
      return; // aborted by a newer request, or offline
    }
    show(new DOMParser().parseFromString(html, "text/html"));
  }
  // Sending the form can log in; the server then refuses requests of the old session.
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    request?.abort();
  });
  button.hidden = true;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(load, PAUSE);
  };
}

function copy(from: Element | null | undefined, to: Element | null) {
  if (from && to) to.replaceChildren(...from.childNodes);
}

// ---- the editor of a rule set ----

/** Remove case and accents, like text_key of the server. */
const textKey = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss").trim();

/** Show only the settings that contain the words; all settings without words. @param wanted  words that must all occur */
function search(form: HTMLFormElement, wanted: string[]) {
  const lines = all(".setting", form);
  const found = lines.filter((line) => {
    const texts = [line.dataset.called, ...all("summary, .explained", line).map((part) => part.textContent)];
    const text = textKey(texts.join(" "));
    return wanted.every((word) => text.includes(word));
  });
  for (const line of lines) line.hidden = true;
  for (const line of found) reveal(line);
  for (const section of all("section", form)) section.hidden = !section.querySelector(".setting:not([hidden])");
  find("nothing").hidden = found.length > 0;
}

/** Show a setting, and while the style sheet hides it also the setting that it needs. */
function reveal(line: HTMLElement) {
  line.hidden = false;
  const needs = [...line.classList].find((name) => name.startsWith("needs-"))?.slice("needs-".length);
  const needed = needs && getComputedStyle(line).display === "none" && document.getElementById(needs);
  if (needed) reveal(needed);
}

const settings = document.getElementById("settings") as HTMLFormElement | null;
if (settings) {
  const preview = previewOf(find("preview") as HTMLButtonElement, settings, (page) => {
    const samples = page.getElementById("samples");
    if (!samples) return;
    find("samples").replaceWith(samples);
    // The games are above all inputs, so the link to them sums them up.
    for (const said of [find("samples-said"), ...all("[data-said]", settings)]) copy(page.getElementById(said.id), said);
  });
  settings.addEventListener("input", ({ target }) => {
    const { name, value } = target as HTMLInputElement;
    if (name === "find") search(settings, textKey(value).split(/\s+/));
    else preview();
  });
}

// ---- the five questions ----

const count = document.getElementById("count") as HTMLButtonElement | null;
const questions = count?.form;
if (count && questions) {
  // Nothing moves on the page.
  const preview = previewOf(count, questions, (page) => {
    const counted = all(".counted, .worth", page);
    all(".counted, .worth", questions).forEach((text, index) => copy(counted[index], text));
  });
  questions.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type !== "text") preview();
  });
}
