/*
 * The five questions: after each answer the sample games and their worths are shown anew, without moving anything on the page.
 */
import { copy, previewOf } from "./preview.js";

const button = /** @type {HTMLButtonElement | null} */ (document.getElementById("count"));
const form = button?.form;
if (button && form) {
  const preview = previewOf(button, form, (page) => {
    const counted = page.querySelectorAll(".counted, .worth");
    form.querySelectorAll(".counted, .worth").forEach((text, index) => copy(counted[index], text));
  });
  form.addEventListener("change", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.type !== "text") preview();
  });
}
