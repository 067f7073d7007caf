/*
 * The state of the table's page: one object, which only `reduce` replaces. Everything that is shown follows from it. No access to the page, and
 * nothing is stored.
 */
import { lookAhead, predictNext } from "./ahead.js";

const NOTHING_WAITS = { entries: [], others: [], held: null, isStuck: false, isUnread: false, isOnlyHere: false };

/** @param {PageData} page @param {Undo | null} undo @returns {State} */
export function beginState(page, undo) {
  const { lines, next, seats } = page;
  return {
    phase: "empty", mending: null, edit: null, place: null, unfinished: null, entered: null, trouble: "", isReached: true,
    lines, next, seats, undo, waits: NOTHING_WAITS, waiting: [], shown: lines, standing: lines, upcoming: next,
  };
}

/**
 * @param {State} state
 * @param {Action} action
 * @param {Pick<PageData, "rules" | "chain" | "texts">} page
 * @returns {State}
 */
export function reduce(state, action, page) {
  switch (action.type) {
    case "typed":
      return { ...state, phase: state.phase === "checking" ? "checking" : state.mending ? "mending" : "typing" };
    case "checking":
      return { ...state, phase: "checking" };
    case "checked":
      return { ...state, phase: state.mending ? "mending" : "typing" };
    case "emptied":
      return { ...state, phase: rests(state) ? "saved" : "empty", mending: null, edit: null, place: null };
    case "kept":
      return { ...state, phase: "saved", entered: action.key };
    case "mending": {
      const { key: mending, unfinished, edit = null } = action;
      const mended = { ...state, mending };
      const { seats } = findLine(state, mending) ?? state;
      const place = edit && predictNext(getLinesBefore(mended), seats, page.rules, page.chain);
      return { ...mended, phase: "mending", unfinished, edit, place };
    }
    case "returned":
      return { ...state, phase: "returned" };
    case "set aside":
      return { ...state, unfinished: action.draft };
    case "taken up":
      return { ...state, phase: "typing", unfinished: null };
    case "reached":
      return { ...state, isReached: action.isReached };
    case "trouble":
      return { ...state, trouble: action.text };
    case "told of waiting":
      return { ...state, entered: null };
    case "known": {
      const { lines = state.lines, next = state.next, undo = state.undo, seats = state.seats, waits } = action;
      return { ...state, lines, next, undo, seats, waits, ...lookAhead(lines, next, waits.entries, { ...page, seats }) };
    }
  }
}

// ---- questions ----

/** Return whether the button rests, so that a hasty second tap does nothing. @param {State} state */
export const rests = ({ phase }) => phase === "saved" || phase === "returned";

/** Return whether the form has content that must not be lost. @param {State} state */
export const isBusy = ({ phase }) => phase !== "empty" && phase !== "saved";

/** Return whether an unsaved change of a server's line is in the form. @param {State} state */
export const isEditing = ({ edit, mending, waits }) => edit !== null && !waits.entries.some(({ key }) => key === mending);

/** Return whether there is a draft, in the form or behind it. An entry that is being edited is in the outbox. @param {State} state */
export const isDrafting = (state) => state.unfinished !== null || isEditing(state) || (isBusy(state) && !state.mending);

/** Return all lines of the sheet, including those deleted here. @param {State} state @returns {Line[]} */
export const getLines = ({ shown, waiting }) => [...shown, ...waiting];

/** @param {State} state @param {string} key */
export const findLine = (state, key) => getLines(state).find((line) => line.key === key);

/** Return the future lines before the one in the form. @param {State} state */
export function getLinesBefore({ standing, mending }) {
  const index = standing.findIndex(({ key }) => key === mending);
  return index < 0 ? standing : standing.slice(0, index);
}

/** Return the game in the form at its place. @param {State} state */
export const getGameInForm = ({ waiting, mending, place, upcoming }) => place ?? waiting.find(({ key }) => key === mending)?.ahead ?? upcoming;

/**
 * Merge lines of the server: those from `keep` on are new, or each replaces the line with its key. If a deletion overtook an answer, its lines may
 * be before `keep` already; no line is added twice.
 * @param {Line[]} lines
 * @param {{keep?: number, lines: Line[]}} told
 */
export function merge(lines, { keep, lines: told }) {
  const kept = lines.slice(0, keep).filter(({ key }) => !told.some((one) => one.key === key));
  if (keep !== undefined) return [...kept, ...told];
  const known = new Set(lines.map(({ key }) => key));
  return [...lines.map((line) => told.find(({ key }) => key === line.key) ?? line), ...told.filter(({ key }) => !known.has(key))];
}

/**
 * Return the key of the line that the form follows: the same as before, or if it is gone the line now at that place. Only a line that came in
 * between needs a question; a deleted line leaves its place to the form.
 * @param {{lines: {key: string}[]}} before
 * @param {State} state
 * @param {string} after
 */
export function findFollowedLine(before, state, after) {
  const known = new Set(before.lines.map(({ key }) => key));
  const isBetween = state.lines.some(({ key }) => !known.has(key));
  return isBetween || findLine(state, after) ? after : state.upcoming.after;
}
