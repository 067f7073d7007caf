/* What is half typed: it comes back field by field, under the name of whoever typed it, and only into a form that asks the same. */
import assert from "node:assert/strict";
import test from "node:test";

import { fitsForm, forgetDraft, keepDraft, readDraft, retype, getTypedValue } from "../../assets/table/draft.ts";
import { draft, page } from "./examples.js";

const kept = new Map();
globalThis.localStorage = {
  getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text), removeItem: (name) => kept.delete(name),
};
globalThis.location = { pathname: "/c/karo/tables/1/" };
globalThis.document = { body: { dataset: { who: "3" } } };

const place = (type, name, value, checked = false) => ({ type, name, value, checked });
const shown = (places) => places.map(({ type, name, value, checked }) => (["radio", "checkbox"].includes(type) ? `${name}=${value} ${checked}` : `${name}=${value}`));

test("it is kept for one table and for whoever typed it", () => {
  const typed = draft({ key: "a" });
  keepDraft(typed);
  assert.deepEqual([...kept.keys()], ["typed 3 /c/karo/tables/1/"]);
  assert.deepEqual(readDraft(), typed);
  document.body.dataset.who = "4";
  assert.equal(readDraft(), null);
  document.body.dataset.who = "3";
  location.pathname = "/c/karo/tables/2/";
  assert.equal(readDraft(), null);
  location.pathname = "/c/karo/tables/1/";
  forgetDraft();
  assert.deepEqual([readDraft(), kept.size], [null, 0]);
});

test("a phone that is full goes on without", () => {
  localStorage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  keepDraft(draft({ key: "a" }));
  assert.equal(readDraft(), null);
});

test("each field is as it was typed", () => {
  const places = [
    place("hidden", "key", "new"), place("checkbox", "re", "0", true), place("checkbox", "re", "2"), place("radio", "kind", "normal", true),
    place("radio", "kind", "solo"), place("text", "eyes", ""), place("text", "note", "x"),
  ];
  retype(places, [["key", "a"], ["re", "2"], ["kind", "solo"], ["eyes", "13"], ["note", ""]]);
  assert.deepEqual(shown(places), ["key=a", "re=0 false", "re=2 true", "kind=normal false", "kind=solo true", "eyes=13", "note="]);
});

test("what is not there any more is left out, and what was not asked stays as it is", () => {
  const places = [place("radio", "side", "re", true), place("radio", "side", "kontra"), place("text", "eyes", "")];
  retype(places, [["gone_special:hirsch", "on"]]);
  assert.deepEqual(shown(places), ["side=re true", "side=kontra false", "eyes="]);
});

test("a field is found by its name", () => {
  assert.deepEqual(["key", "none"].map((name) => getTypedValue(draft({ key: "a", form: "short" }), name)), ["a", ""]);
});

test("others can sit in the form where it asks the same of them", () => {
  const table = page();
  const names = { ...table.names, 15: "Eva", 16: "Fred" };
  const five = { ...table, names, seats: [11, 12, 13, 14, 15] };
  const of = (...seats) => draft({}, { seats });
  assert.equal(fitsForm(of(11, 12, 13, 14), five), true, "somebody came");
  assert.equal(fitsForm(of(11, 12, 13, 14, 15), { ...table, names }), true, "somebody left");
  assert.equal(fitsForm(of(11, 12, 13, 99), table), false, "nobody knows who that was");
  const six = { ...five, seats: [11, 12, 13, 14, 15, 16] };
  const other = (at) => ({ ...six, rules: { ...six.rules, at: { 6: at } } });
  assert.equal(fitsForm(of(11, 12, 13, 14, 15), six), true, "the page draws what six are asked");
  assert.equal(fitsForm(of(11, 12, 13, 14, 15), other({ kinds: ["normal"], won: 3 })), true, "and their kinds of game");
  assert.equal(fitsForm(of(11, 12, 13, 14, 15), other({ specials: { herzstich: 1 } })), false, "other special points");
  assert.equal(fitsForm(of(11, 12, 13, 14, 15), other({ deck: 40 })), false, "no trick is without eyes");
  assert.equal(fitsForm(of(16, 12, 13, 14, 15, 11), other({ specials: {} })), true, "as many");
  const classic = { ...six, rules: page("klassisch").rules };
  assert.deepEqual([of(11, 12, 13, 14), of(11, 12, 13, 14, 15)].map((draft) => fitsForm(draft, classic)), [true, true]);
});
