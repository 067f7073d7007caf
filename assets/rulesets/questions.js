/*
 * While the five questions are answered, the sample games and what each is worth follow what is chosen, as they do for the button "Die
 * Beispiele neu rechnen", which nobody needs then. Each keeps its place: nothing moves under the finger.
 */
import { asking, copy } from "./asking.js";

const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("count"));
const form = button?.form;
if (button && form) {
  const ask = asking(button, form, (page) => {
    const counted = page.querySelectorAll(".counted, .worth");
    form.querySelectorAll(".counted, .worth").forEach((text, place) => copy(counted[place], text));
  });
  form.addEventListener("change", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.type !== "text") ask();
  });
}
