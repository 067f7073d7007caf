/*
 * What is half typed at the table stays on this phone, field by field, until it is entered or thrown away: of each table the last of it,
 * under the name of whoever typed it (data-who). It is there again however the page was left. phone.js forgets it where somebody else comes.
 */
import { rulesAt } from "../rules/parsing.js";

const place = () => `typed ${document.body.dataset.who} ${location.pathname}`;

// A phone that is full has it in the open page only.
let isUnkept = false;

/** Return whether the draft would be lost with this page. */
export const isDraftOnlyHere = () => isUnkept;

/** @param {Draft} draft */
export function keepDraft(draft) {
  try {
    localStorage.setItem(place(), JSON.stringify(draft));
    isUnkept = false;
  } catch {
    isUnkept = true;
  }
}

export function forgetDraft() {
  localStorage.removeItem(place());
  isUnkept = false;
}

/** @returns {Draft | null} */
export const readDraft = () => JSON.parse(localStorage.getItem(place()) ?? "null");

/** The fields of the form as they are. @param {HTMLFormElement} form @returns {[string, string][]} */
export const fieldsOf = (form) => [...new FormData(form)].flatMap(([name, value]) => (name === "csrfmiddlewaretoken" ? [] : [[name, String(value)]]));

/**
 * Fields as they were typed. One that is not there any more is left out; what was not asked then stays as it is.
 * @param {HTMLInputElement[]} places
 * @param {[string, string][]} typed
 */
export function retype(places, typed) {
  for (const place of places) {
    const values = typed.filter(([name]) => name === place.name).map(([, value]) => value);
    if (place.type === "checkbox" || (place.type === "radio" && values.length)) place.checked = values.includes(place.value);
    else if (place.type !== "radio" && values.length) place.value = values[0];
  }
}

/** What was typed in this field. @param {Draft} draft @param {string} field */
export const typedAs = ({ typed }, field) => typed.find(([name]) => name === field)?.[1] ?? "";

/** What is asked of a game where so many sit, but for what the page draws itself (sizes.js). @param {number} size @param {Rules} settings */
function askedAt(size, settings) {
  const { specials, bock, duty_solo, per_kind, decided, re_kontra, kontra_121, missed_absage, deck } = rulesAt(settings, size);
  const isLastAsked = JSON.stringify(kontra_121 ?? "").includes("kontra_last");
  const byHand = bock?.triggers.includes("manual") && bock.per_game;
  return JSON.stringify([specials, byHand, duty_solo, per_kind, decided, re_kontra, isLastAsked, missed_absage, deck > 40]);
}

/**
 * Can those for whom it was typed be asked by the form that is there for those who sat down since?
 * @param {Pick<Draft, "seats">} draft
 * @param {Pick<PageData, "seats" | "names" | "rules">} page
 */
export function asksTheSame({ seats }, { seats: now, names, rules }) {
  const isSize = seats.length === now.length || askedAt(seats.length, rules) === askedAt(now.length, rules);
  return isSize && seats.every((player) => player in names);
}
