/* The state of the table's page: what may follow what, and when the button rests. */
import assert from "node:assert/strict";
import test from "node:test";

import { beginState, findFollowedLine, getGameInForm, isBusy, isDrafting, findLine, getLinesBefore, merge, reduce, rests } from "../../assets/table/state.ts";
import { draft, entry, line, next, page, waits } from "./examples.js";

const table = page();
/** The state after these actions. */
const after = (...actions) => actions.reduce((state, action) => reduce(state, action, table), beginState(table, null));
const phase = (...actions) => after(...actions).phase;
const TYPED = { type: "typed" };
const EMPTIED = { type: "emptied" };
const KEPT = { type: "kept", key: "a" };
const MENDING = { type: "mending", key: "a", unfinished: null };

test("a page begins empty, and typing makes it busy", () => {
  assert.equal(phase(), "empty");
  assert.equal(phase(TYPED), "typing");
  assert.equal(isBusy(after(TYPED)), true);
  assert.equal(phase(TYPED, EMPTIED), "empty");
});

test("after a game was taken the button rests until something is typed", () => {
  const saved = after(TYPED, KEPT, EMPTIED);
  assert.equal(saved.phase, "saved");
  assert.equal(rests(saved), true);
  assert.equal(isBusy(saved), false);
  assert.equal(rests(reduce(saved, TYPED, table)), false);
});

test("what is tapped while the server is asked does not ask it twice", () => {
  assert.equal(phase(TYPED, { type: "checking" }, TYPED), "checking");
  assert.equal(phase(TYPED, { type: "checking" }, { type: "checked" }), "typing");
  assert.equal(phase(MENDING, { type: "checking" }, { type: "checked" }), "mending");
});

test("what was refused rests as long as it is the same", () => {
  const returned = after(MENDING, { type: "returned" });
  assert.equal(rests(returned), true);
  assert.equal(isBusy(returned), true);
  assert.equal(reduce(returned, TYPED, table).phase, "mending");
  assert.equal(reduce(returned, EMPTIED, table).phase, "saved");
  assert.equal(reduce(returned, EMPTIED, table).mending, null);
});

test("an unfinished game waits while something else is mended, and goes on behind it", () => {
  const unfinished = draft({ key: "u" });
  const mending = after(TYPED, { ...MENDING, unfinished });
  assert.equal(mending.unfinished, unfinished);
  const emptied = reduce(mending, EMPTIED, table);
  assert.equal(emptied.unfinished, unfinished);
  assert.deepEqual([reduce(emptied, { type: "taken up" }, table)].map((state) => [state.phase, state.unfinished]), [["typing", null]]);
});

test("a new game is half typed until it is entered, also behind what came into the form", () => {
  const unfinished = draft({ key: "u" });
  const setAside = after(TYPED, { type: "set aside", draft: unfinished }, KEPT, EMPTIED);
  const states = [after(), after(TYPED), after(TYPED, KEPT), after(TYPED, EMPTIED), after(MENDING), after({ ...MENDING, unfinished }), setAside];
  assert.deepEqual(states.map(isDrafting), [false, true, false, false, false, true, true]);
});

test("so is what is to be done to a line that the server has, until it waits", () => {
  const mending = reduce(after(), { ...MENDING, edit: { key: MENDING.key, version: 1, to: "", round: "" } }, table);
  const kept = reduce(reduce(mending, KEPT, table), { type: "known", waits: waits({ ...entry(MENDING.key), version: 1 }) }, table);
  assert.deepEqual([mending, kept, reduce(mending, EMPTIED, table)].map(isDrafting), [true, false, false]);
});

test("what the state does not speak of stays as it is", () => {
  const before = after(TYPED, { type: "reached", isReached: false }, { type: "trouble", text: "no right" });
  const known = reduce(before, { type: "known", lines: [line("s")], waits: waits() }, table);
  assert.deepEqual([known.phase, known.isReached, known.trouble, known.next], ["typing", false, "no right", table.next]);
  assert.deepEqual(known.lines.map(({ key }) => key), ["s"]);
  assert.equal(reduce(known, { type: "known", undo: { change: 3, what: "x" }, waits: waits() }, table).undo.change, 3);
  assert.equal(before.lines.length, 0, "no state is changed, another takes its place");
});

test("the form shows the game where it stands", () => {
  const [first, second] = [entry("a"), entry("b", { after: "a", dealer: 1 })];
  const state = after({ type: "known", lines: [line("s")], next: next({ number: 2, after: "s" }), waits: waits({ ...first, after: "s" }, second) });
  assert.deepEqual([state.upcoming.number, state.upcoming.after, getGameInForm(state).number], [4, "b", 4]);
  assert.deepEqual(getLinesBefore(state).map(({ key }) => key), ["s", "a", "b"]);
  const mending = reduce(state, { type: "mending", key: "b", unfinished: null }, table);
  assert.equal(getGameInForm(mending).number, 3);
  assert.deepEqual(getLinesBefore(mending).map(({ key }) => key), ["s", "a"]);
  assert.equal(findLine(mending, "b").waiting, true);
});

test("what the server says takes the place of the lines that it names, or of all from one on", () => {
  const lines = [line("a"), line("b")];
  assert.deepEqual(merge(lines, { lines: [line("b", { value: 5 }), line("c")] }).map(({ key, value }) => [key, value]), [["a", 1], ["b", 5], ["c", 1]]);
  assert.deepEqual(merge(lines, { keep: 1, lines: [line("c")] }).map(({ key }) => key), ["a", "c"]);
  assert.deepEqual(merge(lines, { keep: 2, lines: [] }), lines);
  assert.deepEqual(merge(lines, { keep: 2, lines: [line("b", { value: 5 })] }).map(({ key, value }) => [key, value]), [["a", 1], ["b", 5]], "an answer overtaken by a deletion");
  assert.equal(merge(lines, { lines: [line("c")] })[0], lines[0], "a line that nobody spoke of is the same one");
});

test("what is typed goes on following its line, unless that is gone and nothing came in between", () => {
  const known = (...lines) => after({ type: "known", lines, next: next({ after: lines.at(-1)?.key ?? "" }), waits: waits() });
  const before = known(line("a"), line("b"));
  assert.equal(findFollowedLine(before, known(line("a"), line("b"), line("c")), "b"), "b", "a question: was it the same game?");
  assert.equal(findFollowedLine(before, known(line("a")), "b"), "a", "struck out");
  assert.equal(findFollowedLine(before, known(line("a"), line("b")), "b"), "b");
});
