/*
 * What a button would show that saves nothing, shown without it: shortly after the last tap or key the page is asked for with what stands in
 * the form, and only the newest answer counts. What cannot be answered, and no net, leave the page as it is.
 */
const PAUSE = 250;

/**
 * Hides the button; whoever calls what comes back asks as it would have.
 * @param {HTMLButtonElement} button
 * @param {HTMLFormElement} form
 * @param {(page: Document) => void} show
 */
export function asking(button, form, show) {
  let timer = 0;
  /** @type {AbortController | null} */
  let asked = null;
  async function ask() {
    asked?.abort();
    asked = new AbortController();
    const body = new FormData(form);
    if (button.name) body.set(button.name, button.value);
    let html;
    try {
      const answer = await fetch(button.formAction, { method: "POST", body, signal: asked.signal });
      if (!answer.ok) return;
      html = await answer.text();
    } catch {
      return; // asked again since, or no net
    }
    show(new DOMParser().parseFromString(html, "text/html"));
  }
  // What is sent can be a login, behind which the server refuses whatever was asked before.
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    asked?.abort();
  });
  button.hidden = true;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  };
}

/**
 * @param {Element | null | undefined} from
 * @param {Element | null} to
 */
export function copy(from, to) {
  if (from && to) to.replaceChildren(...from.childNodes);
}
