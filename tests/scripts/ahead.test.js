/* What waits on this phone, as it will stand on the sheet. */
import assert from "node:assert/strict";
import test from "node:test";

import { lookAhead } from "../../assets/table/state.ts";
import { entry, line, next, page } from "./examples.js";

const keys = (lines) => lines.map(({ key }) => key);

test("nothing waits: the next game is the server's", () => {
  const ahead = next({ number: 2, after: "s" });
  const { standing, waiting, upcoming } = lookAhead([line("s")], ahead, [], page());
  assert.deepEqual([keys(standing), waiting, upcoming], [["s"], [], ahead]);
});

test("what waits has points, a number and a dealer, and so has what follows", () => {
  const { waiting, upcoming } = lookAhead([], next(), [entry("a"), entry("b", { after: "a", dealer: 1 })], page());
  assert.deepEqual(waiting.map(({ number, label, points }) => [number, label, points.length]), [[1, "1", 4], [2, "2", 4]]);
  assert.deepEqual(waiting[0].points, [1, 1, -1, -1]);
  assert.deepEqual([upcoming.number, upcoming.dealer, upcoming.leader, upcoming.after], [3, 2, 3, "b"]);
});

test("after a redeal the same seat deals, and sits out again with five", () => {
  const { upcoming } = lookAhead([], next(), [entry("r", { form: "redeal", dealer: 0, facts: {} })], page("ohne_neunen"));
  assert.deepEqual([upcoming.number, upcoming.dealer, upcoming.leader, upcoming.cycle], [1, 0, 1, 1]);
  const seats = [11, 12, 13, 14, 15];
  const five = lookAhead([], next({ out: [0] }), [entry("r", { form: "redeal", dealer: 0, facts: {}, seats })], { ...page("hausrunde"), seats });
  assert.deepEqual([five.upcoming.dealer, five.upcoming.out], [0, [0]]);
});

test("the fourth dealer ends the cycle", () => {
  const entries = [0, 1, 2, 3].map((dealer) => entry(`k${dealer}`, { dealer, after: dealer ? `k${dealer - 1}` : "" }));
  const { waiting, upcoming } = lookAhead([], next(), entries, page());
  assert.deepEqual(waiting.map(({ ends_cycle }) => ends_cycle), [false, false, false, true]);
  assert.equal(upcoming.cycle, 2);
});

test("who dealt out of turn is told whose deal it was", () => {
  const { waiting } = lookAhead([], next(), [entry("a", { dealer: 2 })], page());
  assert.equal(waiting[0].turn, 0);
});

test("what the server has by now waits no longer", () => {
  const { waiting } = lookAhead([line("a")], next({ number: 2, after: "a" }), [entry("a")], page());
  assert.deepEqual(waiting, []);
});

test("what was typed for those who sat here before goes behind their last line", () => {
  const lines = [line("a"), line("b", { number: 2, label: "2" })];
  const earlier = entry("x", { after: "a", round: "6" });
  const { standing, waiting, upcoming } = lookAhead(lines, next({ number: 3, after: "b" }), [earlier], page());
  assert.deepEqual(keys(standing), ["a", "x", "b"]);
  assert.deepEqual([waiting[0].number, upcoming.after], [null, "b"]);
});

test("a penalty uses up no deal, and a refused game is worth nothing yet", () => {
  const penalty = entry("p", { form: "penalty", dealer: null, facts: { points: [-3, 1, 1, 1], reason: "" } });
  const spoiled = entry("q", { after: "p", facts: { kind: "normal", re: [0], eyes: 130 } });
  const { waiting, upcoming } = lookAhead([], next(), [penalty, spoiled], page());
  assert.deepEqual(waiting.map(({ number, points }) => [number, points]), [[null, [-3, 1, 1, 1]], [1, [0, 0, 0, 0]]]);
  assert.deepEqual([upcoming.number, upcoming.dealer], [2, 1]);
});

test("a game that starts a Bock names itself as its origin", () => {
  const lost = entry("a", { facts: { kind: "normal", re: [0, 1], eyes: 100, re_said: "said" } });
  const { upcoming } = lookAhead([], next(), [lost], page("anleitung"));
  assert.deepEqual([upcoming.bock, upcoming.bock_runs], [[1, 1, 1, 1], [[1, 4]]]);
});

test("a Bock that is filled up stands behind the highest level, and one that is used up is gone", () => {
  const table = page("anleitung");
  table.rules.bock = { ...table.rules.bock, overlap: "fill", cap: 2, length: 4, triggers: ["lost_announcement", "redeal"] };
  const lost = (key, after, dealer) => entry(key, { after, dealer, facts: { kind: "normal", re: [0, 1], eyes: 100, re_said: "said" } });
  const behind = (count) => {
    const all = [lost("a", "", 0), lost("b", "a", 1), lost("c", "b", 2)].slice(0, count);
    const { upcoming } = lookAhead([], next(), all, table);
    return [upcoming.bock, upcoming.bock_runs];
  };
  assert.deepEqual(behind(1), [[1, 1, 1, 1], [[1, 4]]]);
  assert.deepEqual(behind(2), [[2, 2, 2, 1], []], "two sides, of which one is a chain");
  table.rules.bock = { ...table.rules.bock, per_game: "each", triggers: ["lost_announcement", "lost_re"] };
  assert.deepEqual(behind(1), [[2, 2, 2, 2], [[1, 4], [1, 4]]]);
});

test("a redeal that starts a Bock names the game before it", () => {
  const table = page("anleitung");
  table.rules.bock = { ...table.rules.bock, triggers: ["redeal"] };
  const entries = [entry("a"), entry("r", { after: "a", form: "redeal", dealer: 1, facts: {} })];
  const { upcoming } = lookAhead([], next(), entries, table);
  assert.deepEqual([upcoming.bock, upcoming.bock_runs], [[1, 1, 1, 1], [[1, 4]]]);
});

test("a game that keeps the Bock uses none up", () => {
  const table = page("anleitung");
  table.rules.per_kind = { normal: { in_bock: "keeps" } };
  const { upcoming } = lookAhead([], next({ bock: [1, 1], bock_runs: [[1, 2]] }), [entry("a")], { ...table, chain: [1, 1] });
  assert.deepEqual([upcoming.bock, upcoming.bock_runs], [[1, 1], [[1, 2]]]);
});

// ---- about lines that the server has ----

const three = () => [line("a"), line("b", { number: 2, label: "2", dealer: 1 }), line("c", { number: 3, label: "3", dealer: 2 })];
const behindThree = () => next({ number: 4, dealer: 3, leader: 0, after: "c" });
const about = (key, own = {}) => entry(key, { version: 1, to: `/${key}/`, round: "", ...own });
const struck = (key, own = {}) => about(key, { form: "deletion", facts: {}, dealer: null, ...own });
const told = ({ shown }) => shown.map(({ key, label, points, edit, waiting }) => [key, label, points[0], edit ?? "", Boolean(waiting)]);

test("a corrected line is worth what it will be, in its place", () => {
  const found = lookAhead(three(), behindThree(), [about("b", { dealer: 1, facts: { kind: "normal", re: [2, 3], eyes: 130 } })], page());
  assert.deepEqual(told(found), [["a", "1", 1, "", false], ["b", "2", -1, "correction", true], ["c", "3", 1, "", false]]);
  assert.deepEqual([found.upcoming.number, found.upcoming.dealer, found.upcoming.after, found.waiting], [4, 3, "c", []]);
});

test("a line that is struck out is still seen, counts for nothing, and the next game follows what is left", () => {
  const found = lookAhead(three(), behindThree(), [struck("c"), struck("a")], page());
  assert.deepEqual(told(found), [["a", "1", 1, "deletion", true], ["b", "1", 1, "", false], ["c", "3", 1, "deletion", true]]);
  assert.deepEqual([keys(found.standing), found.upcoming.number, found.upcoming.after, found.upcoming.dealer], [["b"], 2, "b", 2]);
});

test("a line put before another moves the numbers on", () => {
  const found = lookAhead(three(), behindThree(), [entry("i", { beside: "b", to: "/b/insert/", round: "", dealer: 1 })], page());
  assert.deepEqual(found.shown.map(({ key, label }) => [key, label]), [["a", "1"], ["i", "2"], ["b", "3"], ["c", "4"]]);
  assert.deepEqual([found.upcoming.number, found.upcoming.after], [5, "c"]);
});

test("what others did to the line meanwhile stands until it is decided", () => {
  const lines = three().map((one) => ({ ...one, version: 2 }));
  for (const one of [about("b", { facts: { kind: "normal", re: [2, 3], eyes: 130 } }), struck("b"), struck("b", { version: 2, refused: { sentences: [] } })]) {
    const found = lookAhead(lines, behindThree(), [one], page());
    assert.deepEqual(told(found)[1], ["b", "2", 1, one.form === "deletion" ? "deletion" : "correction", true]);
    assert.deepEqual(keys(found.standing), ["a", "b", "c"]);
  }
});

test("a correction of a line that is gone is still seen, and a deletion of it is done", () => {
  const found = lookAhead(three(), behindThree(), [about("x"), struck("y"), entry("i", { beside: "z", round: "" })], page());
  assert.deepEqual([keys(found.shown), keys(found.waiting), keys(found.standing)], [["a", "b", "c"], ["x", "i"], ["a", "b", "c"]]);
  assert.equal(lookAhead(three(), behindThree(), [struck("y")], page()).upcoming.after, "c");
});

test("what waits behind a corrected line is worth what follows from it", () => {
  const table = page("anleitung");
  const lost = { kind: "normal", re: [0, 1], eyes: 100, re_said: "said" };
  const entries = [entry("d", { after: "a", dealer: 1 }), about("a", { facts: lost })];
  const found = lookAhead([line("a")], next({ number: 2, dealer: 1, after: "a" }), entries, table);
  assert.deepEqual([found.waiting[0].bock, found.waiting[0].label, found.upcoming.bock], [1, "2", [1, 1, 1]]);
});
