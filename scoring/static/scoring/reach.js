/*
 * A form that leads to another page is handed over only when the server can be reached: the browser's own page about a missing net would
 * take the place of everything that was typed.
 */
(() => {
  "use strict";

  const PATIENCE = 8000;
  const { text } = document.currentScript.dataset;
  let isReached = false;

  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.method !== "post" || isReached) return;
    event.preventDefault();
    isReached = await fetch("/healthz", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).then(() => true, () => false);
    if (isReached) form.requestSubmit(submitter);
    else say(form, submitter);
  });
  addEventListener("pageshow", () => (isReached = false));

  function say(form, submitter) {
    form.querySelector(".unreached")?.remove();
    const line = document.createElement("p");
    line.className = "fault unreached";
    line.setAttribute("role", "alert");
    line.textContent = text;
    (submitter?.form === form && form.contains(submitter) ? submitter : form.lastElementChild).before(line);
  }
})();
