/*
 * A form that leads to another page is handed over only when the server can be reached: the browser's own page about a missing net would
 * take the place of everything that was typed.
 */
const PATIENCE = 8000;
const script = /** @type {HTMLElement} */ (document.querySelector("script[data-text]"));
let isReached = false;

document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || form.method !== "post" || isReached) return;
  event.preventDefault();
  const asked = fetch("/healthz", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  isReached = await asked.then(() => true, () => false);
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (isReached) form.requestSubmit(submitter);
  else say(form, submitter);
});
addEventListener("pageshow", () => (isReached = false));

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} submitter
 */
function say(form, submitter) {
  document.querySelector(".unreached")?.remove();
  const line = document.createElement("p");
  line.className = "fault unreached";
  line.setAttribute("role", "alert");
  line.textContent = script.dataset.text ?? "";
  const behind = submitter?.form === form && form.contains(submitter) ? submitter : form.lastElementChild;
  (submitter?.closest(".news") ?? behind)?.before(line);
}

export {};
