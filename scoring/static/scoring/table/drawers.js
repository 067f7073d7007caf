/*
 * What lies over the form for a moment: the drawers of the dock, the penalties and the solos. One at a time; a tap beside it closes it and
 * does nothing else, and so does Escape.
 */
import { all, find } from "../dom.js";

const form = find("entry");
const dock = /** @type {HTMLElement} */ (form.querySelector(".entry-foot"));
const drawers = () => /** @type {HTMLDetailsElement[]} */ (all(".drawers > details", form));
let closeSolos = () => {};

/** Only this one is open, or none. @param {Element | null} [drawer] */
export function openDrawer(drawer = null) {
  for (const one of drawers()) one.open = one === drawer;
  document.getElementById("penalties")?.remove();
}

/** What is open, and where a tap is none beside it. @returns {HTMLElement | null} */
function placeOfOpen() {
  const solos = document.getElementById("solos");
  if (dock.querySelector(".drawers > [open], #penalties")) return dock;
  return solos && !solos.hidden ? solos.parentElement : null;
}

function closeAll() {
  openDrawer();
  closeSolos();
}

/** How much is said or scored in a drawer stands on its button. @param {Element} drawer @param {number} count */
export function showCount(drawer, count) {
  const button = /** @type {HTMLElement} */ (drawer.firstElementChild);
  if (count) button.dataset.count = String(count);
  else delete button.dataset.count;
}

/** @param {() => void} closing  folds the solos */
export function prepareDrawers(closing) {
  closeSolos = closing;
  openDrawer(drawers().find((drawer) => drawer.querySelector(".fault:not([hidden])")));
  form.addEventListener("click", ({ target }) => {
    const drawer = /** @type {Element} */ (target).closest("summary")?.parentElement;
    for (const one of drawer ? drawers() : []) if (one !== drawer) one.open = false;
    if (drawer) document.getElementById("penalties")?.remove();
  });
  document.addEventListener("click", (event) => {
    const place = placeOfOpen();
    if (!place || place.contains(/** @type {Node} */ (event.target))) return;
    event.preventDefault();
    event.stopPropagation();
    closeAll();
  }, true);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && placeOfOpen() && closeAll());
}
