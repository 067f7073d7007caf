/*
 * Preview a form while it is filled in: shortly after the last input the form is sent like by the preview button, and the newest response is
 * shown. Faults and a missing network leave the page as it is.
 */
const PAUSE = 250;

/**
 * Hide the preview button and return a function that requests a preview.
 * @param {HTMLButtonElement} button
 * @param {HTMLFormElement} form
 * @param {(page: Document) => void} show
 */
export function previewOf(button, form, show) {
  let timer = 0;
  /** @type {AbortController | null} */
  let request = null;
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

/**
 * @param {Element | null | undefined} from
 * @param {Element | null} to
 */
export function copy(from, to) {
  if (from && to) to.replaceChildren(...from.childNodes);
}
