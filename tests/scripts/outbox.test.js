/* The outbox: everything goes out once and in order, and what is refused holds back what follows it. */
import assert from "node:assert/strict";
import test from "node:test";

import { buildBody, open } from "../../assets/table/outbox.ts";
import { entry } from "./examples.js";
import { ME, SAVED, keys, later, letters, outboxOf, sent, settled, told } from "./outboxes.js";

/** The phone opens the page anew, with what it has stored. */
async function openAgain(...answers) {
  const outbox = await outboxOf(...answers);
  await outbox.send();
  return outbox.entries;
}
const REFUSED = { status: 422, body: { errors: { eyes: "No such eyes." } } };
const ANOTHER = { status: 409, body: { error: "Another game.", after: "s", standing: { key: "s" } } };

test("a letter says nothing that says nothing", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(buildBody(entry("a")))), { key: "a", after: "", round: "7", dealer: 0, kind: "normal", re: [0, 1], eyes: 130 });
  assert.equal(buildBody(entry("a", { form: "short", note: "n" })).form, "short");
});

test("what is added goes out once, in its order, each behind the one before", async () => {
  const outbox = await outboxOf(SAVED, SAVED);
  outbox.add(entry("a", { after: "s" }));
  outbox.add(entry("b", { after: "s" }));
  assert.equal(outbox.entries[1].after, "a");
  await settled();
  assert.deepEqual([sent, keys(outbox), outbox.isStuck], [["a", "b"], [], false]);
});

test("what waits keeps the shape that it has in the phones by now", async () => {
  const outbox = await outboxOf();
  outbox.add(entry("a"));
  const shape = ["address", "after", "dealer", "facts", "form", "key", "note", "place", "refused", "round", "seats", "typist"];
  assert.deepEqual(Object.keys(outbox.entries[0]).sort(), shape);
  await settled();
});

test("those who sat here before have a chain of their own", async () => {
  const outbox = await outboxOf();
  for (const [key, round] of [["a", "6"], ["b", "7"], ["c", "7"], ["d", "6"]]) outbox.add(entry(key, { round, after: "s" }));
  assert.deepEqual(outbox.entries.map(({ after }) => after), ["s", "s", "b", "a"]);
  await settled();
});

test("without a net it waits, tries again by itself, and says that it is stuck", async () => {
  const outbox = await outboxOf(undefined, SAVED);
  outbox.add(entry("a"));
  await settled();
  assert.deepEqual([sent, told, outbox.isStuck], [["a"], [["failed", null]], true]);
  assert.deepEqual(later.map(({ wait }) => wait), [2000]);
  later[0].work();
  await settled();
  assert.deepEqual([sent, keys(outbox), outbox.isStuck], [["a", "a"], [], false]);
  assert.deepEqual(letters.map(({ people }) => people), [undefined, entry("a").seats]);
});

test("who has no right, or a server that is busy, keeps everything waiting", async () => {
  for (const status of [401, 403, 500, 503]) {
    const outbox = await outboxOf({ status, body: { error: "no" } });
    outbox.add(entry("a"));
    outbox.held = "a";
    await settled();
    assert.deepEqual(keys(outbox), ["a"]);
    assert.deepEqual(told.at(-1), ["failed", status]);
    outbox.discard("a");
  }
});

test("what came too late is the server's", async () => {
  const outbox = await outboxOf({ status: 202, body: { late: "kept" } });
  outbox.add(entry("a"));
  await settled();
  assert.deepEqual([told, keys(outbox)], [[["late", "a"]], []]);
});

test("what is refused stays with its reason and holds back what follows", async () => {
  const outbox = await outboxOf(REFUSED);
  outbox.add(entry("a"));
  outbox.add(entry("b"));
  await settled();
  assert.deepEqual([sent, keys(outbox)], [["a"], ["a", "b"]]);
  assert.deepEqual(outbox.entries[0].refused, { sentences: ["No such eyes."], after: undefined, standing: undefined });
});

test("another game was in the way: mine goes behind it, with its own key", async () => {
  const outbox = await outboxOf(ANOTHER, SAVED);
  outbox.add(entry("a"));
  await settled();
  assert.deepEqual(outbox.entries[0].refused.standing, { key: "s" });
  outbox.again("a");
  assert.deepEqual([outbox.entries[0].after, outbox.entries[0].refused], ["s", null]);
  await settled();
  assert.deepEqual([sent, keys(outbox)], [["a", "a"], []]);
});

test("another game was the same: mine is thrown away, and what follows it follows the other", async () => {
  const outbox = await outboxOf(ANOTHER, SAVED);
  outbox.add(entry("a"));
  outbox.add(entry("b"));
  await settled();
  assert.equal(outbox.discard("a"), "s");
  assert.equal(outbox.entries[0]?.after, "s");
  await settled();
  assert.deepEqual(sent, ["a", "b"]);
});

test("what is mended has another key, and the one behind it knows", async () => {
  const outbox = await outboxOf(REFUSED, SAVED, SAVED);
  outbox.add(entry("a"));
  outbox.add(entry("b"));
  await settled();
  const { after, ...mended } = entry("c");
  outbox.mend("a", mended);
  assert.deepEqual(outbox.entries.map((one) => [one.key, one.after]), [["c", ""], ["b", "c"]]);
  await settled();
  assert.deepEqual(sent, ["a", "c", "b"]);
});

test("what is held is not sent until it is let go", async () => {
  const outbox = await outboxOf(SAVED);
  outbox.held = "a";
  outbox.add(entry("a"));
  await settled();
  assert.deepEqual(sent, []);
  outbox.held = null;
  outbox.send();
  await settled();
  assert.deepEqual(sent, ["a"]);
});

test("what others typed waits for them, or goes out in my name", async () => {
  const outbox = await outboxOf(SAVED);
  outbox.others.push({ ...entry("x"), typist: { who: "2", name: "ben" } });
  outbox.adopt();
  await settled();
  assert.deepEqual([sent, outbox.others], [["x"], []]);
});

const seated = (key, own = {}) => entry(key, { form: "seats", before: [11, 12, 13, 14], seats: [11, 12, 13, 14, -1], names: { "-1": "Horst" }, to: "/seats/", ...own });

test("who sits down goes out by id, and by name whom only this phone knows", () => {
  assert.deepEqual(buildBody(seated("s")), { key: "s", before: [11, 12, 13, 14], people: [11, 12, 13, 14, "Horst"] });
});

test("what was typed for those who sit down is for their round and their ids, once the server has them", async () => {
  const outbox = await outboxOf(null);
  outbox.add(entry("a", { after: "x" }));
  outbox.add(seated("s"));
  outbox.add(entry("b", { round: "s", after: "a", seats: [11, 12, 13, 14, -1] }));
  outbox.add(seated("t", { round: "s", before: [11, 12, 13, 14, -1], seats: [12, 13, 14, -1] }));
  assert.deepEqual(outbox.entries.map(({ after }) => after), ["x", "", "a", ""]);
  await settled();
  const answers = [SAVED, { status: 200, body: { round: 9, people: [11, 12, 13, 14, 15] } }];
  const again = await openAgain(...answers);
  assert.deepEqual(again.map(({ key, round, seats, before }) => [key, round, seats, before]), [
    ["b", "9", [11, 12, 13, 14, 15], undefined],
    ["t", "9", [12, 13, 14, 15], [11, 12, 13, 14, 15]],
  ]);
});

test("what is typed for those who sat down too late goes out under their ids, and says who they were", async () => {
  const late = { status: 202, body: { late: "closed", round: 0, people: [11, 12, 13, 14, 15] } };
  const letters = [];
  const outbox = await open("/games/", ME, {
    post: async (what) => letters.push(what) === 1 ? late : { status: 202, body: { late: "kept" } },
    saved: () => {}, late: () => {}, refused: () => {}, failed: () => {}, changed: () => {},
  });
  outbox.add(seated("s"));
  outbox.add(entry("a", { round: "s", after: "x", seats: [11, 12, 13, 14, -1] }));
  await settled();
  assert.deepEqual(letters.map(({ key, round, people }) => [key, round, people]), [["s", undefined, [11, 12, 13, 14, "Horst"]], ["a", "0", [11, 12, 13, 14, 15]]]);
  assert.deepEqual(keys(outbox), []);
});

test("who sits there by now takes the place of who sat there, where it is done all the same", async () => {
  const outbox = await outboxOf({ status: 409, body: { error: "Others.", before: [11, 12, 13, 15] } });
  outbox.add(seated("s"));
  await settled();
  assert.deepEqual(outbox.entries[0].refused, { sentences: ["Others."], after: undefined, standing: undefined, before: [11, 12, 13, 15] });
  outbox.again("s");
  assert.deepEqual([outbox.entries[0].before, outbox.entries[0].refused], [[11, 12, 13, 15], null]);
  await settled();
});
