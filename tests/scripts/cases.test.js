/* Every worked case of the rules: value, points, steps, what is refused, what is odd, and how evenings go on. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { follow, findOddities } from "../../assets/rules/score.ts";
import { codes, presets } from "./examples.js";

const CASES = "fixtures/cases/";
const PLAIN_BOCK = {
  triggers: [], per_game: "one", length: "table", overlap: "append", cap: 8, effect: "all", duty_solo_uses: true, carry: false,
};

/** The whole rule set of a case, as settings.py resolves it; nothing where there is no such base. */
function whole(rules) {
  const { base, ...own } = typeof rules === "string" ? { base: rules } : rules;
  if (!Object.hasOwn(presets, base)) return undefined;
  const at = Object.fromEntries(Object.entries(presets[base].at).map(([table, settings]) =>
    [table, Object.fromEntries(Object.entries(settings).filter(([key]) => !(key in own)))]));
  const merged = ["bock", "specials", "seating"].filter((key) => own[key]).map((key) =>
    [key, { ...(presets[base][key] ?? PLAIN_BOCK), ...own[key] }]);
  return { ...presets[base], at, ...own, ...Object.fromEntries(merged), codes };
}

/** A line of the command as the page has it. */
function asDeal({ table = 4, dealer = null, redeal, rules, expect, note, ...facts }) {
  const isShort = !("kind" in facts) && ["winners", "base", "solo"].some((field) => field in facts);
  return { form: redeal ? "redeal" : isShort ? "short" : "played", table, dealer, facts };
}

const inAnyOrder = (steps) => steps.map((step) => JSON.stringify(Object.entries(step).sort())).sort();

/** What is expected and what is found, made comparable. */
function sides({ expect }, result, odd, totals) {
  const found = { ...result, odd, totals, error_fields: Object.keys(result.error ?? {}).sort() };
  const same = Object.fromEntries(Object.keys(expect).map((key) => [key, found[key]]));
  if (!expect.steps) return [same, expect];
  return [{ ...same, steps: inAnyOrder(found.steps ?? []) }, { ...expect, steps: inAnyOrder(expect.steps) }];
}

const files = readdirSync(CASES).filter((name) => name.endsWith(".jsonl"));

for (const name of files) {
  test(`the cases of ${name}`, () => {
    let open = [];
    let totals = [];
    let compared = 0;
    for (const text of readFileSync(CASES + name, "utf8").split("\n").filter((line) => line.trim())) {
      const line = JSON.parse(text);
      if (line.evening) [open, totals] = [[], []];
      // Whether a rule set is one is judged by the server alone.
      if (line.evening || line.expect.error_fields?.includes("rules")) continue;
      const [deal, rules] = [asDeal(line), whole(line.rules ?? "ddv")];
      const next = follow(deal, rules, open);
      open = next.open;
      totals = next.result.points?.map((points, seat) => points + (totals[seat] ?? 0)) ?? totals;
      assert.deepEqual(...sides(line, next.result, findOddities(deal, rules), totals), `${text}\n${JSON.stringify(next.result)}`);
      compared += 1;
    }
    assert(compared >= 13);
  });
}

/** The steps of a game, or the fields that are refused. */
function stepsOf(own, facts) {
  const { result } = follow(asDeal({ kind: "normal", re: [0, 1], ...facts }), whole({ base: "ddv", ...own }), []);
  return result.error ? Object.keys(result.error) : result.steps.map(({ code, party, add, times }) => [code, party ?? "×", add ?? times]);
}

test("who had no trick is no border that the further eye of Re moves", () => {
  assert.deepEqual(stepsOf({ re_limit_more: 1 }, { band: "0" }).at(0), ["won", "kontra", 1]);
  assert.deepEqual(stepsOf({ re_limit_more: 1 }, { band: "30-59" }), ["band"]);
});

test("only one card makes the last trick, but what is of the game was no card", () => {
  const specials = { karlchen: { points: 1, of: "game" }, fuchs_am_ende: { points: 1, of: "game" } };
  const both = { karlchen: 1, fuchs_am_ende: 1 };
  assert.deepEqual(stepsOf({ specials }, { eyes: 130, game_specials: both }).length, 3);
  assert.deepEqual(stepsOf({ specials: { fuchs_am_ende: 1 } }, { eyes: 130, re_specials: both }), ["re_specials"]);
});

test("where an Absage only costs, its line stands also where nobody has won", () => {
  const own = { missed_absage: "costs", tie_120: "nobody", kontra_121: "always", against_absage: "off" };
  assert.deepEqual(stepsOf(own, { eyes: 120, re_said: "no90" }), [["re_no90", "kontra", 1]]);
});

test("a key that every object knows is a key like any other", () => {
  const specials = { constructor: { name: "Konstrukteur", points: 2, most: 2 } };
  const expected = [["won", "re", 1], ["special:constructor", "re", 4]];
  assert.deepEqual(stepsOf({ specials }, { eyes: 130, re_specials: { constructor: 2 } }), expected);
});

test("a game that is too large on its way is refused, though it is capped in the end", () => {
  const own = { highest: 10, won: 10_000, bock: { triggers: [], cap: 16, factor: 4 }, specials: { fuchs: { points: { times: 4 }, most: 9 } } };
  assert.deepEqual(stepsOf(own, { eyes: 130, re_specials: { fuchs: 9 }, bock: 16 }), ["kind"]);
  assert.deepEqual(stepsOf(own, { eyes: 130, bock: 16 }).at(-1), ["highest", "kontra", 10_000 * 4 ** 16 - 10]);
});

test("all files of cases are there", () => assert.equal(files.length, 10));
