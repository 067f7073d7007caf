/*
 * While a rule set is edited: each line says at once what now holds, and the sample games count at once by what is typed. The server says
 * both, as it does for the button "Vorschau", which nobody needs then; what it refuses yet leaves the page as it is.
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
  let answer;
  try {
    answer = await fetch(address, { method: "POST", body, signal: asked.signal });
  } catch {
    return; // asked again since, or no net
  }
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const samples = page.getElementById("samples");
  if (!samples) return;
  document.getElementById("samples")?.replaceWith(samples);
  // The games stand above everything that can be changed, so the way there says what became of them.
  copy(page.getElementById("samples-said"), document.getElementById("samples-said"));
  for (const setting of form.querySelectorAll(".setting")) {
    copy(page.getElementById(setting.id)?.querySelector("summary"), setting.querySelector("summary"));
  }
}

/**
 * @param {Element | null | undefined} from
 * @param {Element | null} to
 */
function copy(from, to) {
  if (from && to) to.textContent = from.textContent;
}

const settings = /** @type {HTMLFormElement | null} */ (document.getElementById("settings"));
const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("preview"));
if (settings && button) {
  button.hidden = true;
  settings.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(preview, PAUSE, settings, button.formAction);
  });
}

export {};
