/* Amounts as people type them at the table, with the cases of `tests/cash/rules/test_money.py`. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { parseAmount } from "../../assets/table/words.ts";

const cases = JSON.parse(readFileSync("fixtures/amounts.json", "utf8"));

test("an amount is read as people write it, up to the most a fine can be", () => {
  for (const [text, cents] of cases.read) assert.equal(parseAmount(text, "cents"), cents, text);
  assert.deepEqual(["10000", "10.000,01", "0", ",00"].map((text) => parseAmount(text, "cents")), [1000000, null, null, null]);
});

test("nothing else is an amount, nor what reads two ways", () => {
  for (const text of [...cases.refused, ...cases.asked]) assert.equal(parseAmount(text, "cents"), null, text);
});

test("minutes are whole, up to a day", () => {
  assert.deepEqual(["7", "1440", "1441", "1,5"].map((text) => parseAmount(text, "minutes")), [7, 1440, null, null]);
});
