/*
 * The state of the table's page: one object, which only `reduce` makes anew from what happens. Everything that is shown follows from it. It
 * touches no page and keeps nothing.
 */
import { lookAhead } from "./ahead.js";
import { placeBehind } from "./amended.js";

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
      const { seats } = lineOf(state, mending) ?? state;
      const place = edit && placeBehind(linesBefore(mended), seats, page.rules, page.chain);
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

/** Does the button rest, so that the second tap of a hasty thumb enters nothing? @param {State} state */
export const rests = ({ phase }) => phase === "saved" || phase === "returned";

/** Is anything in the form that somebody would miss? @param {State} state */
export const isBusy = ({ phase }) => phase !== "empty" && phase !== "saved";

/** Is something about a line that the server has in the form, and not entered yet? @param {State} state */
export const isEditing = ({ edit, mending, waits }) => edit !== null && !waits.entries.some(({ key }) => key === mending);

/** Is something half typed, in the form or behind what came into it? What is mended waits in the outbox. @param {State} state */
export const isDrafting = (state) => state.unfinished !== null || isEditing(state) || (isBusy(state) && !state.mending);

/** All lines of the sheet, those that are struck out here among them. @param {State} state @returns {Line[]} */
export const linesNow = ({ shown, waiting }) => [...shown, ...waiting];

/** @param {State} state @param {string} key */
export const lineOf = (state, key) => linesNow(state).find((line) => line.key === key);

/** The lines before the one in the form, as they will stand. @param {State} state */
export function linesBefore({ standing, mending }) {
  const index = standing.findIndex(({ key }) => key === mending);
  return index < 0 ? standing : standing.slice(0, index);
}

/** What the game in the form looks like where it stands. @param {State} state */
export const inForm = ({ waiting, mending, place, upcoming }) => place ?? waiting.find(({ key }) => key === mending)?.ahead ?? upcoming;

/**
 * The lines with what the server said of some of them: those from `keep` on are new, or each takes the place of the one with its key.
 * Where an answer was overtaken by a deletion, what it told stands before `keep` already; no line stands twice.
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
 * What the line in the form followed: the same one still, unless it is gone, and then whatever stands there now.
 * Only a line that came in between asks a question. One that was struck out leaves its place to what is typed.
 * @param {{lines: {key: string}[]}} before
 * @param {State} state
 * @param {string} after
 */
export function followed(before, state, after) {
  const known = new Set(before.lines.map(({ key }) => key));
  const isBetween = state.lines.some(({ key }) => !known.has(key));
  return isBetween || lineOf(state, after) ? after : state.upcoming.after;
}
