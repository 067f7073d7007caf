/*
 * A line as the rules read it, and what is to be done to lines that the server has, as entries of the outbox: a correction and a deletion
 * stand under the key of their line and say which version of it was seen; a line to be inserted says before which one. It touches no page.
 */

// As in views/data.py.
const USUAL = { form: "played", version: 1, note: "", soloist: null, bock: 0, bock_started: 0, ends_cycle: false };

/**
 * The lines of a page, which do not say what is usual, how many games there were before, nor the keys that stand in its rows.
 * @param {Line[]} lines
 * @param {string[]} keys
 * @returns {Line[]}
 */
export function wholeLines(lines, keys) {
  let games = 0;
  return lines.map((line, place) => ({
    ...USUAL, ...line, key: keys[place], ...(line.number !== null && { number: ++games, label: String(games) }),
  }));
}

/** A line as the rules read it. @param {Pick<Line, "form" | "table" | "dealer" | "facts">} line @returns {Deal} */
export const asDeal = ({ form, table, dealer, facts }) => ({ form, table, dealer, facts });

/** @param {Pick<OutboxEntry, "version" | "beside">} entry */
export const isEdit = ({ version, beside }) => version !== undefined || beside !== undefined;

/** What makes of something typed the correction of this line. @param {Line} line @param {string} to  its address @returns {Edit} */
export const correctionOf = ({ key, version }, to) => ({ key, version, to, round: "" });

/**
 * What makes of something typed a line before this one, and behind `after`.
 * @param {Line} line
 * @param {string} to
 * @param {string} after
 * @returns {Edit}
 */
export const insertionOf = ({ key }, to, after) => ({ beside: key, to: `${to}insert/`, round: "", after });

/** @param {Line} line @param {string} to  its address @param {string} after  the key of the line before it @returns {OutboxEntry} */
export const deletionOf = ({ key, version, seats }, to, after) => ({
  key, version, to: `${to}delete/`, round: "", after, form: "deletion", dealer: null, note: "", facts: {}, seats,
});

/**
 * Of an entry that waits, what makes the same of what is typed in its place; it replaces what stands by now.
 * @param {OutboxEntry} entry
 * @returns {Edit | null}
 */
export function editOf({ key, version, beside, to, after, refused }) {
  if (beside !== undefined) return { beside, to, round: "", after };
  return version === undefined ? null : { key, version: refused?.standing?.version ?? version, to, round: "" };
}
