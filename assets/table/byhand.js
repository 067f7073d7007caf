/*
 * Edit a penalty, a correction by hand or a new deal of the server in a drawer, without a network. The caller handles the result.
 */
import { all, field, inputs, make, makeButton } from "../dom.js";
import { offerDrawer } from "./drawers.js";
import { makeGroup } from "./panels.js";
import { form } from "./pills.js";

/** Return whether this drawer is for such a line. @param {Line} line */
export const isByHand = ({ form: kind }) => ["penalty", "correction", "redeal"].includes(kind);

/**
 * @param {Line} line
 * @param {Pick<PageData, "names" | "texts">} page
 * @param {(facts: Facts) => void} done  receives the typed facts
 */
export function offerByHand({ key, form: kind, seats, facts: { points = [], seat, reason = "" } }, { names, texts }, done) {
  const link = /** @type {HTMLAnchorElement} */ (form.querySelector('.beside [href="?form=penalty"]'));
  offerDrawer(link, "by-hand", (panel) => {
    // Input in the drawer is not part of a game.
    for (const type of ["input", "change"]) panel.addEventListener(type, (event) => event.stopPropagation());
    const rows = make("div", undefined, "by-hand");
    panel.append(rows);
    const places = kind === "redeal" ? [] : seats.map((player, place) => placeOf(rows, names[player], String(points[place])));
    for (const label of all("label", rows)) label.translate = false;
    for (const place of places) Object.assign(place, { type: "number", step: "1", required: true });
    const why = placeOf(rows, texts.reason, reason);
    why.maxLength = field(form, "note").maxLength;
    why.required = kind !== "redeal";
    let guilty = seat;
    const pills = seats.map((player, place) => {
      const pill = makeButton(names[player], "key", () => {
        guilty = guilty === place ? undefined : place;
        pills.forEach((one, other) => (one.ariaPressed = String(other === guilty)));
      });
      pill.ariaPressed = String(place === guilty);
      return pill;
    });
    if (!places.length) panel.append(makeGroup(texts.because, pills));
    const give = () => {
      const said = why.value.trim() ? { reason: why.value.trim() } : {};
      const typed = places.length ? { points: places.map(({ value }) => Number(value)) } : guilty === undefined ? {} : { seat: guilty };
      if ([...places, why].every((place) => place.reportValidity())) done({ ...typed, ...said });
    };
    panel.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !inputs("input", panel).includes(/** @type {HTMLInputElement} */ (event.target))) return;
      event.preventDefault();
      give();
    });
    panel.append(makeButton(texts.correct, "key", give));
  }, all(`#rows tr[data-key="${key}"] a`)[0] ?? link);
}

/** @param {HTMLElement} rows @param {string} called @param {string} value */
function placeOf(rows, called, value) {
  const label = make("label", called);
  const place = make("input", undefined, "form-control");
  place.id = label.htmlFor = `by-hand-${rows.children.length}`;
  place.value = value;
  rows.append(label, place);
  return place;
}
