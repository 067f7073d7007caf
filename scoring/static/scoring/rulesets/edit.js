/*
 * While a rule set is edited: each line says at once what now holds, and the sample games count at once by what is typed. The server says
 * both, as it does for the button "Vorschau", which nobody needs then; what it refuses yet leaves the page as it is. Whoever looks for a
 * setting sees at once those alone that are called so.
 */
const PAUSE = 250;
let timer = 0;
/** @type {AbortController | null} */
let asked = null;

/**
 * @param {HTMLFormElement} form
 * @param {string} address
 */
async function preview(form, address) {
  asked?.abort();
  asked = new AbortController();
  const body = new FormData(form);
  let html;
  try {
    const answer = await fetch(address, { method: "POST", body, signal: asked.signal });
    if (!answer.ok) return;
    html = await answer.text();
  } catch {
    return; // asked again since, or no net
  }
  const page = new DOMParser().parseFromString(html, "text/html");
  const samples = page.getElementById("samples");
  if (!samples) return;
  document.getElementById("samples")?.replaceWith(samples);
  // The games stand above everything that can be changed, so the way there says what became of them.
  copy(page.getElementById("samples-said"), document.getElementById("samples-said"));
  for (const setting of form.querySelectorAll(".setting")) {
    for (const said of ["summary", ".notes"]) {
      copy(page.getElementById(setting.id)?.querySelector(said), setting.querySelector(said));
    }
  }
}

/**
 * @param {Element | null | undefined} from
 * @param {Element | null} to
 */
function copy(from, to) {
  if (from && to) to.replaceChildren(...from.childNodes);
}

/**
 * Without case and accents, as names are found everywhere.
 * @param {string} text
 */
function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss").trim();
}

/**
 * Show what is called so alone, everything where nothing is looked for.
 * @param {HTMLFormElement} form
 * @param {string} wanted
 */
function find(form, wanted) {
  for (const section of form.querySelectorAll("section")) {
    const lines = /** @type {HTMLElement[]} */ ([...section.querySelectorAll(".setting")]);
    for (const line of lines) {
      const called = [line.dataset.called, ...[...line.querySelectorAll("summary, .explained")].map((text) => text.textContent)];
      line.hidden = wanted !== "" && !fold(called.join(" ")).includes(wanted);
    }
    section.hidden = lines.every((line) => line.hidden);
  }
}

const settings = /** @type {HTMLFormElement | null} */ (document.getElementById("settings"));
const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("preview"));
if (settings && button) {
  button.hidden = true;
  settings.addEventListener("input", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.name === "find") {
      find(settings, fold(event.target.value));
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(preview, PAUSE, settings, button.formAction);
  });
}

export {};
