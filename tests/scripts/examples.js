/* A table of four by the rules of a preset, for the tests of the scripts. */

/** What the page hands over with a rule set (scoring/rules/constants.py), and the complete presets (scoring/rules/settings.py). */
export const codes = JSON.parse(process.env.CODES);
export const presets = JSON.parse(process.env.PRESETS);

/** A text that shows what it was filled with. */
const said = new Proxy({}, { get: (_, name) => `${String(name)} {label}{what}{n}{names}` });

export const page = (preset = "ddv") => ({
  lines: [], next: next(), columns: [11, 12, 13, 14], names: { 11: "Anna", 12: "Ben", 13: "Cora", 14: "Dirk" }, seats: [11, 12, 13, 14],
  open: true, late: 0, planned: 0, chain: [], me: "anna", rules: { ...presets[preset], codes }, labels: {}, kinds: {}, penalties: [], texts: said,
  sides: { partner: { re: "Re", kontra: "Kontra" }, solo: { re: "Solo", kontra: "Gegner" }, short: { re: "Gewinner", kontra: "Verlierer" } },
  reasons: new Proxy({}, { get: (_, name) => String(name) }), said: {},
});

export const next = (own = {}) => ({
  number: 1, cycle: 1, dealer: 0, leader: 1, out: [], owing: [], soloist: null, bock: [], bock_runs: [], bock_origin: "", after: "", round: 7,
  ...own,
});

export const entry = (key, own = {}) => ({
  key, after: "", round: "7", form: "played", dealer: 0, note: "", facts: { kind: "normal", re: [0, 1], eyes: 130 }, seats: [11, 12, 13, 14],
  ...own,
});

/** A line that the server has. */
export const line = (key, own = {}) => ({
  key, version: 1, form: "played", number: 1, cycle: 1, ends_cycle: false, table: 4, seats: [11, 12, 13, 14], dealer: 0, out: [], soloist: null,
  facts: { kind: "normal", re: [0, 1], eyes: 130 }, note: "", winner: "re", winners: [0, 1], value: 1, points: [1, 1, -1, -1], bock: 0,
  bock_started: 0, label: "1", ...own,
});

export const waits = (...entries) => ({ entries, others: [], held: null, isStuck: false, isUnread: false, isOnlyHere: false });

/** What is half typed: these fields, behind the last of these lines. */
export const draft = (fields, own = {}) => ({ typed: Object.entries(fields), after: "", seats: [11, 12, 13, 14], lines: [], ...own });
