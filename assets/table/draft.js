/*
 * Drafts: what is half typed stays on this phone, field by field, until it is saved or discarded; the last one of each table, under its author
 * (data-who). It survives each way of leaving the page. phone.js deletes it when another user logs in.
 */
import { rulesAt } from "../rules/parsing.js";

const place = () => `typed ${document.body.dataset.who} ${location.pathname}`;

// If the phone's storage is full, the draft is in the open page only.
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

/** Return the fields of the form. @param {HTMLFormElement} form @returns {[string, string][]} */
export const readFields = (form) => [...new FormData(form)].flatMap(([name, value]) => (name === "csrfmiddlewaretoken" ? [] : [[name, String(value)]]));

/**
 * Fill in fields as they were typed. Missing fields are skipped; new ones stay as they are.
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

/** Return the value of this field in a draft. @param {Draft} draft @param {string} field */
export const getTypedValue = ({ typed }, field) => typed.find(([name]) => name === field)?.[1] ?? "";

/** Return what the form asks for this number of players, apart from what the page draws itself (seating.js). @param {number} size @param {Rules} settings */
function listQuestions(size, settings) {
  const { specials, bock, duty_solo, per_kind, decided, re_kontra, kontra_121, missed_absage, deck } = rulesAt(settings, size);
  const isLastAsked = JSON.stringify(kontra_121 ?? "").includes("kontra_last");
  const byHand = bock?.triggers.includes("manual") && bock.per_game;
  return JSON.stringify([specials, byHand, duty_solo, per_kind, decided, re_kontra, isLastAsked, missed_absage, deck > 40]);
}

/**
 * Return whether the form of the present players can show a draft for other players.
 * @param {Pick<Draft, "seats">} draft
 * @param {Pick<PageData, "seats" | "names" | "rules">} page
 */
export function fitsForm({ seats }, { seats: now, names, rules }) {
  const isSize = seats.length === now.length || listQuestions(seats.length, rules) === listQuestions(now.length, rules);
  return isSize && seats.every((player) => player in names);
}
