/* What the table's page says: what is missing, and the boxes of what was refused or tapped. */
import assert from "node:assert/strict";
import test from "node:test";

import { beginState, reduce } from "../../assets/table/state.ts";
import { buildBoxes, describeLine, getBockSign, cueOf, buildHead, buildDealHead, joinExplanation, explainLine, describeMissing, describeWin, listMissing } from "../../assets/table/words.ts";
import { entry, line, next, page, waits } from "./examples.js";

const table = page();
const FORM = { kind: "played", round: "7" };
const stateOf = (waiting, lines = []) => reduce(beginState(table, null), { type: "known", lines, next: next({ number: lines.length + 1 }), waits: waiting }, table);
const refusal = (own = {}) => ({ sentences: ["No."], after: undefined, standing: undefined, ...own });
const acts = (box) => box.buttons.map(({ act }) => act);

test("what is missing is told in the order of the form", () => {
  const need = (facts, isSolo = false) => listMissing(entry("a", { facts }), {}, isSolo, table)[0]?.[0] ?? null;
  assert.equal(need({ kind: "normal", re: [0] }), "re");
  assert.equal(need({ kind: "damensolo", re: [0] }, true), "eyes");
  assert.equal(need({ kind: "normal", re: [0, 1], band: "120" }), null);
  const short = (facts) => listMissing(entry("a", { form: "short", facts }), {}, false, table)[0]?.[0] ?? null;
  assert.deepEqual([short({ winners: [] }), short({ winners: [0] }), short({ winners: [0], base: 0 })], ["winners", "base", null]);
  assert.equal(listMissing(entry("a"), { error: { last_said: "missing" } }, false, table)[0][0], "last_said");
});

test("whom to mark and how it ended are told together", () => {
  const texts = { ...table.texts, lacks: "-{what}", lacks_re: "Re", lacks_soloist: "S", lacks_result: "E", lacks_out: "{n} out" };
  assert.deepEqual(listMissing(entry("a", { facts: { kind: "normal", re: [] } }), {}, false, table), [["re", "re"], ["eyes", "result"]]);
  const describe = (typed, isSolo) => describeMissing(listMissing(typed, {}, isSolo, table), typed, { ...table, texts });
  const lacks = (facts, isSolo = false, seats = [1, 2, 3, 4]) => describe(entry("a", { facts, seats }), isSolo);
  assert.equal(lacks({ kind: "normal", re: [] }), "-Re, E");
  assert.equal(lacks({ kind: "normal", re: [], band: "120" }), "-Re");
  assert.equal(lacks({ kind: "damensolo", re: [] }, true), "-S, E");
  assert.equal(lacks({ kind: "normal", re: [0, 1] }), "-E");
  assert.equal(lacks({ kind: "normal", re: [], out: [4] }, false, [1, 2, 3, 4, 5, 6]), "-1 out");
  assert.equal(lacks({ kind: "normal", re: [0, 1], band: "120" }), "");
});

test("the tiles are marked where the next tap goes there", () => {
  assert.deepEqual([["re", "re"], ["re", "partner"], ["re", "soloist"], ["winners", "winners"], ["eyes", "result"]].map((first) => cueOf([first])), ["re", "re", "one", "one", ""]);
});

test("a winner is asked for where no eyes are counted, and may stand in their place", () => {
  const own = page();
  own.rules.per_kind = {
    nullo: { name: "Nullo", like: "fleischlos", decided: "hand" }, damensolo: { decided: "both" }, jungfrau: { name: "Ramsch", like: "ramsch" },
  };
  const need = (facts) => listMissing(entry("a", { facts: { re: [0], ...facts } }), {}, true, own)[0]?.[0] ?? null;
  assert.deepEqual([need({ kind: "nullo" }), need({ kind: "nullo", winner: "re" })], ["winner", null]);
  assert.deepEqual([need({ kind: "jungfrau" }), need({ kind: "jungfrau", winner: "kontra" })], ["winner", null]);
  assert.deepEqual([need({ kind: "damensolo" }), need({ kind: "damensolo", winner: "re" }), need({ kind: "damensolo", eyes: 130 })], ["eyes", null, null]);
});

test("what takes from the winner has a minus, and nothing is multiplied by nothing", () => {
  const add = (code, party, points) => ({ code, party, add: points });
  const steps = [add("won", "kontra", 4), add("fuchs", "re", 1), { code: "bock", times: 2 }, add("highest", "re", 2)];
  const told = (winner, ...more) =>
    explainLine(line("a"), { steps: [...steps, ...more], winner, value: 0, points: [0, 0, 0, 0], bock_started: 0 }, table).steps;
  assert.deepEqual(told("kontra"), ["won: +4", "fuchs: −1", "bock: ×2", "highest: −2"]);
  assert.deepEqual(told(null), ["won: −4", "fuchs: +1", "bock: ×2", "highest: +2"]);
  assert.equal(told("kontra", { code: "negative", times: 0 }).at(-1), "negative");
});

test("in brief all points before the first factor are one step", () => {
  const steps = [{ code: "won", add: 1 }, { code: "no_90", add: 1 }, { code: "fuchs", party: "kontra", add: 1 }, { code: "bock", times: 2 }];
  const summed = ["won: +1", "no_90: +1", "fuchs: −1"];
  const explained = (...told) => {
    const worth = { steps: told, winner: "re", value: 0, points: [0, 0, 0, 0], bock_started: 0 };
    return explainLine(line("a"), worth, { ...table, texts: { points_in_all: "all: {n}" } });
  };
  const inBrief = (...told) => [explained(...told).summed, explained(...told).brief];
  assert.deepEqual(inBrief(...steps), [summed, ["all: +1", "bock: ×2"]]);
  // Without a factor they are the whole value, and a single one is its own sum.
  assert.deepEqual(inBrief(...steps.slice(0, 3)), [[], summed]);
  assert.deepEqual(inBrief(steps[0], steps[3]), [[], ["won: +1", "bock: ×2"]]);
});

test("the points of a game in the short form are its winners'", () => {
  const short = line("a", { form: "short", facts: { winners: [0, 1], base: 5 } });
  const worth = { steps: [{ code: "base", add: 5 }], winner: null, value: 5, points: [5, 5, -5, -5], bock_started: 0 };
  assert.deepEqual(explainLine(short, worth, table).steps, ["base: +5"]);
});

test("a line tells the eyes first, and what is plain from them behind the steps", () => {
  const told = { steps: ["Won: +1", "No 90: +1"], reasons: ["Re has more."], shares: ["Re +2."], isHalf: true };
  assert.equal(joinExplanation(told), "Won: +1, No 90: +1. Re has more. Re +2.");
  assert.equal(joinExplanation({ ...told, isHalf: false }), "Re has more. Won: +1, No 90: +1. Re +2.");
  assert.equal(joinExplanation({ steps: [], reasons: [], shares: [], isHalf: false }), "");
});

test("who won how much, where there are parties", () => {
  const own = page();
  own.rules.per_kind = { jungfrau: { name: "Ramsch", like: "ramsch" } };
  const codes = ["re_won", "kontra_won", "re_won_alone", "kontra_won_alone", "re_won_each", "kontra_won_each", "nobody_won"];
  own.texts = Object.fromEntries(codes.map((code) => [code, code.endsWith("each") ? `${code} {n} {each}` : `${code} {n}`]));
  const told = (one) => describeWin(line("a", one), own);
  assert.equal(told({ value: 4 }), "re_won 4");
  assert.equal(told({ winner: "kontra", value: -6 }), "kontra_won 6");
  assert.equal(told({ winner: "kontra", value: 2 }), "kontra_won −2");
  const solo = (points, winner = "kontra") => told({ facts: { kind: "damensolo", re: [0], eyes: 90 }, winner, value: winner === "re" ? 6 : -6, points });
  assert.equal(solo([-18, 6, 6, 6]), "kontra_won_each −18 6");
  assert.equal(solo([18, -6, -6, -6], "re"), "re_won_each 18 −6");
  assert.equal(solo([-6, 2, 0, 2, 2]), "kontra_won_each −6 2");
  assert.equal(solo([-19, 6, 6, 7]), "kontra_won_alone 6");
  assert.match(describeWin(line("a", { winner: null, value: 0 }), own), /^nobody_won/);
  assert.equal(describeWin(line("a", { form: "penalty", facts: {} }), own), "");
  assert.equal(describeWin(line("a", { facts: { kind: "jungfrau", re: [0] }, winner: "kontra" }), own), "");
});

test("a Bock says what it does", () => {
  const sign = (bock) => getBockSign(2, { ...page("anleitung").rules, bock: { ...page("anleitung").rules.bock, ...bock } }, 4);
  assert.deepEqual([sign({}), sign({ factor: 3 }), sign({ factor: "linear" }), sign({ effect: { add: 5 } })], ["×4", "×9", "×3", "+10"]);
});

test("what waits and nobody tapped has no box", () => {
  assert.deepEqual(buildBoxes(stateOf(waits(entry("a"))), table, FORM), []);
});

test("what was tapped can be mended, thrown away or left", () => {
  const state = stateOf({ ...waits(entry("a")), held: "a" });
  const [box] = buildBoxes(state, table, FORM);
  assert.deepEqual([box.role, acts(box)], ["status", ["mend", "discard", "leave"]]);
  assert.match(box.points, /Anna \+1/);
  const mending = reduce(state, { type: "mending", key: "a", unfinished: null }, table);
  assert.deepEqual(acts(buildBoxes(mending, table, FORM)[0]), ["discard", "leave"]);
});

test("what was refused by its fields can be sent again, mended or thrown away", () => {
  const [box] = buildBoxes(stateOf(waits(entry("a", { refused: refusal() }))), table, FORM);
  assert.deepEqual([box.role, acts(box)], ["alert", ["again", "mend", "discard"]]);
  assert.ok(box.sentences.includes("No."));
});

test("another game in the way is shown beside mine, and asks whether it is the same", () => {
  const standing = line("s", { number: 1 });
  const mine = entry("a", { refused: refusal({ after: "s", standing }) });
  const [box] = buildBoxes(stateOf(waits(mine), [standing]), table, FORM);
  assert.deepEqual(acts(box), ["discard", "again", "mend"]);
  assert.equal(box.buttons[0].text.split(" ")[0], "same");
  assert.equal(box.buttons[1].text.split(" ")[0], "other");
  const [typed, there] = box.sentences.slice(-2);
  assert.equal(typed.slice(typed.indexOf("Re ")), there.slice(there.indexOf("Re ")), "the same game looks the same");
});

test("what was typed for people who are gone, or in the other form, is not mended here", () => {
  const others = entry("a", { round: "6", refused: refusal() });
  assert.deepEqual(acts(buildBoxes(stateOf(waits(others)), table, FORM)[0]), ["again", "discard"]);
  const short = entry("a", { form: "short", facts: { winners: [0, 1], base: 2 }, refused: refusal() });
  assert.deepEqual(acts(buildBoxes(stateOf(waits(short)), table, FORM)[0]), ["again", "open", "discard"]);
  const penalty = entry("a", { form: "penalty", facts: { points: [0, 0, 0, 0] }, refused: refusal() });
  assert.deepEqual(acts(buildBoxes(stateOf(waits(penalty)), table, FORM)[0]), ["again", "discard"]);
});

test("people who could not sit down: as long as nothing was played by them they need not", () => {
  const seats = entry("s", { form: "seats", before: [11, 12, 13, 14], seats: [12, 11, 13, 14], refused: { sentences: ["Others."], before: [11] } });
  const boxes = (...entries) => buildBoxes(stateOf(waits(...entries)), table, FORM).map(({ sentences, buttons }) => [sentences[1], buttons.map(({ act }) => act)]);
  assert.deepEqual(boxes(seats), [["seat_typed {label}{what}{n}Ben, Anna, Cora, Dirk", ["again", "discard"]]]);
  assert.deepEqual(boxes(seats, entry("b", { round: "s" })), [["seat_typed {label}{what}{n}Ben, Anna, Cora, Dirk", ["again"]]]);
  const never = { ...seats, refused: { sentences: ["No such name."] } };
  assert.deepEqual(boxes(never, entry("b", { round: "s" }))[0][1], ["again", "discard"]);
});

test("what others typed on this phone waits for a button", () => {
  const state = stateOf({ ...waits(), others: [entry("x", { typist: { who: "2", name: "Ben" } })] });
  assert.deepEqual(acts(buildBoxes(state, table, FORM)[0]), ["adopt"]);
});

test("the head tells of the next game, and not who deals while something is typed", () => {
  const state = stateOf(waits());
  assert.deepEqual([buildHead(state, table).dealer, buildHead(state, table).leader, buildHead(state, table).waiting], ["Anna", "Ben", ""]);
  assert.equal("dealer" in buildHead(reduce(state, { type: "typed" }, table), table), false);
  assert.deepEqual(buildDealHead({ dealer: 2, leader: 3, out: [] }, 0, table), { dealer: "Cora", turn: "Anna", leader: "Dirk", out: "" });
});

test("a line is told with its steps: one of the server among the server's, one that waits behind all", () => {
  const own = page();
  const state = stateOf(waits(entry("b", { after: "a" })), [line("a"), line("c", { number: 2, facts: { kind: "normal", re: [0, 1], eyes: 30 }, points: [-3, -3, 3, 3] })]);
  const [first, second] = state.lines.map((one) => describeLine(state, one, own).split(": Re Anna, Ben · ")[1]);
  assert.equal(first, "Re 130 : 110 Kontra. won: +1. half each Anna +1, Ben +1, Cora −1, Dirk −1");
  assert.equal(second.slice(0, -34), "Re 30 : 210 Kontra. won: +1, under_90: +1, under_60: +1, gegen_die_alten: +1. half each");
  const penalty = line("p", { form: "penalty", number: null, label: "Strafpunkte", facts: { points: [-3, 1, 1, 1], reason: "bedient" }, points: [-3, 1, 1, 1] });
  assert.equal(describeLine(stateOf(waits(), [penalty]), penalty, own), "Strafpunkte: bedient · Anna −3, Ben +1, Cora +1, Dirk +1");
  const [box] = buildBoxes(stateOf({ ...waits(entry("a")), held: "a" }), own, FORM);
  assert.equal(box.points, "won: +1. half each Anna +1, Ben +1, Cora −1, Dirk −1");
});

// ---- about lines that the server has ----

const about = (own = {}) => entry("s", { version: 1, to: "/s/", round: "", ...own });
const actsOf = (state, form = FORM) => buildBoxes(state, table, form).map(({ role, buttons }) => [role, buttons.map(({ act }) => act)]);

test("a correction that is tapped can be changed, thrown away or left", () => {
  const held = stateOf({ ...waits(about()), held: "s" }, [line("s")]);
  assert.deepEqual(actsOf(held), [["status", ["mend", "discard", "leave"]]]);
  assert.deepEqual(actsOf(held, { kind: "short", round: "7" }), [["status", ["discard", "leave"]]], "another form is in the page");
  const struck = stateOf({ ...waits(about({ form: "deletion", facts: {} })), held: "s" }, [line("s")]);
  assert.deepEqual(actsOf(struck), [["status", ["discard", "leave"]]]);
  const gone = stateOf({ ...waits(about()), held: "s" });
  assert.deepEqual(actsOf(gone), [["status", ["mend", "discard", "leave"]]], "another phone deleted its line");
});

test("where somebody else changed the line, both are shown and one of them holds", () => {
  const standing = line("s", { version: 2, facts: { kind: "normal", re: [0, 1], eyes: 200 } });
  const state = stateOf(waits(about({ refused: refusal({ standing }) })), [standing]);
  const [{ role, sentences, buttons }] = buildBoxes(state, table, FORM);
  assert.deepEqual([role, buttons.map(({ act }) => act)], ["alert", ["again", "mend", "discard"]]);
  assert.deepEqual(sentences.map((one) => one.match(/130|200|No/)?.[0]), ["No", "130", "200"]);
  const struck = stateOf(waits(about({ form: "deletion", facts: {}, refused: refusal({ standing }) })), [standing]);
  assert.deepEqual(actsOf(struck), [["alert", ["again", "discard"]]]);
});

test("where the line is gone, what was typed for it can become a new one of the same people", () => {
  const gone = stateOf(waits(about({ refused: refusal() })));
  assert.deepEqual(actsOf(gone), [["alert", ["anew", "discard"]]]);
  const others = stateOf(waits(about({ seats: [11, 12, 13, 15], refused: refusal() })));
  assert.deepEqual(actsOf(others), [["alert", ["discard"]]]);
  const refused = stateOf(waits(about({ refused: refusal() })), [line("s")]);
  assert.deepEqual(actsOf(refused), [["alert", ["again", "mend", "discard"]]], "the line stands, and the facts were refused");
});

test("a line that is in the form is named, and can be left as it is", () => {
  const state = reduce(stateOf(waits(), [line("s")]), { type: "mending", key: "s", unfinished: null, edit: { key: "s", version: 1, to: "/s/", round: "" } }, table);
  assert.deepEqual(actsOf(state), [["status", ["leave"]]]);
  assert.equal(state.place.number, 1);
});
