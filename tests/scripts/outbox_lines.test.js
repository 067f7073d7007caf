/* The outbox: what is done to lines that the server has goes out in its order, and is in no chain of new lines. */
import assert from "node:assert/strict";
import test from "node:test";

import { getEdit } from "../../assets/table/outbox.ts";
import { open } from "../../assets/table/outbox.ts";
import { entry } from "./examples.js";
import { ME, SAVED, keys, outboxOf, sent, settled } from "./outboxes.js";

const correction = (own = {}) => entry("x", { version: 3, to: "/x/", round: "", note: "n", ...own });
const deletion = (own = {}) => entry("x", { version: 3, to: "/x/delete/", round: "", form: "deletion", after: "w", facts: {}, ...own });
const insertion = (own = {}) => entry("i", { beside: "x", to: "/x/insert/", round: "", after: "w", ...own });

test("what is done to a line goes to its address, and says what it saw", async () => {
  const posted = [];
  const outbox = await open("/games/", ME, {
    post: async (what, to) => posted.push([to, JSON.parse(JSON.stringify(what))]) && SAVED, saved: () => {}, changed: () => {},
  });
  for (const one of [correction(), deletion({ key: "y" }), insertion()]) outbox.add(one);
  await settled();
  const facts = { dealer: 0, kind: "normal", re: [0, 1], eyes: 130 };
  assert.deepEqual(posted, [
    ["/x/", { version: 3, confirm: true, note: "n", ...facts }],
    ["/x/delete/", { version: 3, confirm: true }],
    ["/x/insert/", { key: "i", confirm: true, ...facts }],
  ]);
});

test("it is in no chain of new lines, and goes out in its order", async () => {
  const outbox = await outboxOf(SAVED, SAVED, SAVED);
  outbox.add(entry("a", { after: "x" }));
  outbox.add(correction());
  outbox.add(entry("b", { after: "x" }));
  assert.deepEqual(outbox.entries.map(({ after }) => after), ["x", "", "a"]);
  await settled();
  assert.deepEqual(sent, ["a", undefined, "b"]);
});

const STALE = { status: 409, body: { error: "Another.", standing: { key: "x", version: 5 }, lines: [], next: {} } };

test("somebody else changed the line: sent again it replaces what stands by now", async () => {
  const outbox = await outboxOf(STALE);
  outbox.add(correction());
  await settled();
  assert.equal(outbox.entries[0].version, 3);
  outbox.again("x");
  assert.deepEqual([outbox.entries[0].version, outbox.entries[0].refused], [5, null]);
  await settled();
});

test("what is mended about a line stays about that line", async () => {
  const outbox = await outboxOf(STALE);
  outbox.add(correction());
  await settled();
  assert.equal(getEdit(outbox.entries[0]).version, 5);
  const { after, ...mended } = correction({ version: 5, note: "m" });
  outbox.mend("x", mended);
  assert.deepEqual(outbox.entries.map(({ key, version, to, note }) => [key, version, to, note]), [["x", 5, "/x/", "m"]]);
  await settled();
});

test("a correction that is thrown away leaves what follows the line where it is", async () => {
  const outbox = await outboxOf();
  outbox.add(correction());
  outbox.add(entry("b", { after: "x" }));
  assert.equal(outbox.discard("x"), "x");
  assert.deepEqual(outbox.entries.map(({ key, after }) => [key, after]), [["b", "x"]]);
  await settled();
});

test("a line that is not struck out after all is followed by what was typed for its place", async () => {
  const outbox = await outboxOf();
  outbox.add(entry("a", { round: "6", after: "w" }));
  outbox.add(deletion());
  outbox.add(entry("b", { after: "w" }));
  outbox.add(entry("c", { after: "w" }));
  outbox.discard("x");
  assert.deepEqual(outbox.entries.map(({ key, after }) => [key, after]), [["a", "w"], ["b", "x"], ["c", "b"]]);
  await settled();
});

test("a line put between others that is thrown away leaves its place to what followed it", async () => {
  const outbox = await outboxOf();
  outbox.add(insertion());
  outbox.add(entry("b", { after: "i" }));
  assert.equal(outbox.discard("i"), "w");
  assert.equal(outbox.entries[0].after, "w");
  await settled();
});

test("who may do nothing to a line any more decides about it, and what is typed behind it goes out", async () => {
  for (const status of [403, 404, 410]) {
    const outbox = await outboxOf({ status, body: null }, SAVED);
    outbox.add(deletion());
    outbox.add(entry("b", { after: "w" }));
    await settled();
    assert.deepEqual(outbox.entries[0].refused.sentences, []);
    outbox.discard("x");
    await settled();
    assert.deepEqual(keys(outbox), []);
  }
});

test("what waits from before lines could be changed goes out as it did", async () => {
  const { version, beside, ...old } = { ...entry("a", { after: "s" }), address: "/games/", typist: ME, refused: null, place: 1 };
  const posted = [];
  const outbox = await open("/games/", ME, {
    post: async (what, to) => posted.push([to, JSON.parse(JSON.stringify(what))]) && SAVED, saved: () => {}, changed: () => {},
  });
  outbox.entries.push(old);
  await outbox.send();
  assert.deepEqual(posted, [["/games/", { key: "a", after: "s", round: "7", dealer: 0, kind: "normal", re: [0, 1], eyes: 130 }]]);
  assert.deepEqual(outbox.entries, []);
});
