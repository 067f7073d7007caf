/*
 * The state of the table's page: one object, which only `reduce` replaces. Everything that is shown follows from it. No access to the page, and
 * nothing is stored.
 */
import { lookAhead, predictNext } from "./ahead.ts";

const NOTHING_WAITS = { entries: [], others: [], held: null, isStuck: false, isUnread: false, isOnlyHere: false };

export function beginState(page: PageData, undo: Undo | null): State {
  const { lines, next, seats } = page;
  return {
    phase: "empty", mending: null, edit: null, place: null, unfinished: null, entered: null, trouble: "", isReached: true,
    lines, next, seats, undo, waits: NOTHING_WAITS, waiting: [], shown: lines, standing: lines, upcoming: next,
  };
}

export function reduce(state: State, action: Action, page: Pick<PageData, "rules" | "chain" | "texts">): State {
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

/** Return whether the button rests, so that a hasty second tap does nothing. */
export const rests = ({ phase }: State) => phase === "saved" || phase === "returned";

/** Return whether the form has content that must not be lost. */
export const isBusy = ({ phase }: State) => phase !== "empty" && phase !== "saved";

/** Return whether an unsaved change of a server's line is in the form. */
export const isEditing = ({ edit, mending, waits }: State) => edit !== null && !waits.entries.some(({ key }) => key === mending);

/** Return whether there is a draft, in the form or behind it. An entry that is being edited is in the outbox. */
export const isDrafting = (state: State) => state.unfinished !== null || isEditing(state) || (isBusy(state) && !state.mending);

/** Return all lines of the sheet, including those deleted here. */
export const getLines = ({ shown, waiting }: State): Line[] => [...shown, ...waiting];

export const findLine = (state: State, key: string) => getLines(state).find((line) => line.key === key);

/** Return the future lines before the one in the form. */
export function getLinesBefore({ standing, mending }: State) {
  const index = standing.findIndex(({ key }) => key === mending);
  return index < 0 ? standing : standing.slice(0, index);
}

/** Return the game in the form at its place. */
export const getGameInForm = ({ waiting, mending, place, upcoming }: State) => place ?? waiting.find(({ key }) => key === mending)?.ahead ?? upcoming;

/**
 * Merge lines of the server: those from `keep` on are new, or each replaces the line with its key. If a deletion overtook an answer, its lines may
 * be before `keep` already; no line is added twice.
 */
export function merge(lines: Line[], { keep, lines: told }: { keep?: number; lines: Line[] }) {
  const kept = lines.slice(0, keep).filter(({ key }) => !told.some((one) => one.key === key));
  if (keep !== undefined) return [...kept, ...told];
  const known = new Set(lines.map(({ key }) => key));
  return [...lines.map((line) => told.find(({ key }) => key === line.key) ?? line), ...told.filter(({ key }) => !known.has(key))];
}

/**
 * Return the key of the line that the form follows: the same as before, or if it is gone the line now at that place. Only a line that came in
 * between needs a question; a deleted line leaves its place to the form.
 */
export function findFollowedLine(before: { lines: { key: string }[] }, state: State, after: string) {
  const known = new Set(before.lines.map(({ key }) => key));
  const isBetween = state.lines.some(({ key }) => !known.has(key));
  return isBetween || findLine(state, after) ? after : state.upcoming.after;
}
