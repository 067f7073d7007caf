/* What waits on this phone, as it will stand on the sheet. */
import assert from "node:assert/strict";
import test from "node:test";

import { lookAhead } from "../../scoring/static/scoring/table/ahead.js";
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
