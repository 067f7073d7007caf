/*
 * Show the preview of an old list after each choice: the form is sent like by its button, and the new preview takes the place of the one before.
 * Without a network the page stays as it is, with its button.
 */
import { find } from "../dom.ts";

let request: AbortController | null = null;

/** Send the form as if this button was pressed, and show the preview of the response. */
async function look(form: HTMLFormElement, button: HTMLButtonElement | null) {
  request?.abort();
  request = new AbortController();
  const body = new FormData(form);
  if (button?.name) body.set(button.name, button.value);
  let html;
  try {
    const response = await fetch(form.action, { method: "POST", body, signal: request.signal });
    html = await response.text();
  } catch {
    return; // aborted by a newer request, or offline
  }
  const preview = new DOMParser().parseFromString(html, "text/html").getElementById("preview");
  if (!preview) return form.submit(); // the server asks for a login, for example
  const focused = document.activeElement?.id;
  const { scrollLeft } = find("grid");
  const isOpen = (document.getElementById("more") as HTMLDetailsElement | null)?.open;
  find("preview").replaceWith(document.adoptNode(preview));
  start();
  document.getElementById("more")?.toggleAttribute("open", isOpen);
  find("grid").scrollLeft = scrollLeft;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  find("news").textContent = document.getElementById("summary")?.textContent.replace(/\s+/g, " ").trim() ?? "";
}

/** Listen to the form of the preview. */
function start() {
  const form = find("preview-form") as HTMLFormElement;
  find("look").hidden = true;
  form.addEventListener("change", () => look(form, null));
  form.addEventListener("submit", (event) => {
    const button = event.submitter as HTMLButtonElement | null;
    if (button?.name === "take") {
      request?.abort();
      return;
    }
    event.preventDefault();
    look(form, button);
  });
}

start();
