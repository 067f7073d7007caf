/*
 * Drafts: what is half typed stays on this phone, field by field, until it is saved or discarded; the last one of each table, under its author
 * (data-who). It survives each way of leaving the page. phone.ts deletes it when another user logs in.
 */
import { rulesAt } from "../rules/parsing.ts";

const place = () => `typed ${document.body.dataset.who} ${location.pathname}`;

// If the phone's storage is full, the draft is in the open page only.
let isUnkept = false;

/** Return whether the draft would be lost with this page. */
export const isDraftOnlyHere = () => isUnkept;

export function keepDraft(draft: Draft) {
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

export const readDraft = (): Draft | null => JSON.parse(localStorage.getItem(place()) ?? "null");

/** Return the fields of the form. */
export const readFields = (form: HTMLFormElement): [string, string][] =>
  [...new FormData(form)].flatMap(([name, value]) => (name === "csrfmiddlewaretoken" ? [] : [[name, String(value)]]));

/** Fill in fields as they were typed. Missing fields are skipped; new ones stay as they are. */
export function retype(places: HTMLInputElement[], typed: [string, string][]) {
  for (const place of places) {
    const values = typed.filter(([name]) => name === place.name).map(([, value]) => value);
    if (place.type === "checkbox" || (place.type === "radio" && values.length)) place.checked = values.includes(place.value);
    else if (place.type !== "radio" && values.length) place.value = values[0];
  }
}

/** Return the value of this field in a draft. */
export const getTypedValue = ({ typed }: Draft, field: string) => typed.find(([name]) => name === field)?.[1] ?? "";

/** Return what the form asks for this number of players, apart from what the page draws itself (fields.ts). */
function listQuestions(size: number, settings: Rules) {
  const { specials, bock, duty_solo, per_kind, decided, re_kontra, kontra_121, missed_absage, deck } = rulesAt(settings, size);
  const isLastAsked = JSON.stringify(kontra_121 ?? "").includes("kontra_last");
  const byHand = bock?.triggers.includes("manual") && bock.per_game;
  return JSON.stringify([specials, byHand, duty_solo, per_kind, decided, re_kontra, isLastAsked, missed_absage, deck > 40]);
}

/** Return whether the form of the present players can show a draft for other players. */
export function fitsForm({ seats }: Pick<Draft, "seats">, { seats: now, names, rules }: Pick<PageData, "seats" | "names" | "rules">) {
  const isSize = seats.length === now.length || listQuestions(seats.length, rules) === listQuestions(now.length, rules);
  return isSize && seats.every((player) => player in names);
}
