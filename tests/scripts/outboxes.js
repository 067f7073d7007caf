/* An outbox whose server is played, and what it sent and told. */
import { beforeEach } from "node:test";

import { open } from "../../assets/table/outbox.ts";

globalThis.addEventListener = () => {};
globalThis.document = { addEventListener: () => {} };
// No IndexedDB here: what waits is in localStorage.
globalThis.localStorage = Object.create({
  getItem(name) {
    return this[name] ?? null;
  },
  setItem(name, value) {
    this[name] = value;
  },
  removeItem(name) {
    delete this[name];
  },
});

export const ME = { who: "1", name: "anna" };
export let sent = [];
export let letters = [];
export let told = [];
// Nothing goes out again by itself but where a test lets the time pass.
export let later = [];
globalThis.setTimeout = (work, wait) => later.push({ work, wait });
globalThis.clearTimeout = () => {};
beforeEach(() => {
  [sent, letters, told, later] = [[], [], [], []];
  for (const name of Object.keys(localStorage)) localStorage.removeItem(name);
});

/** An outbox whose server gives these answers, one after the other; then there is no net. */
export const outboxOf = (...answers) => open("/games/", ME, {
  post: async (what) => {
    sent.push(what.key);
    letters.push(what);
    const answer = answers.shift();
    if (!answer) throw new TypeError("no net");
    return answer;
  },
  saved: (body) => told.push(["saved", body]),
  late: (body, { key }) => told.push(["late", key]),
  refused: (body, { key }) => told.push(["refused", key]),
  failed: (answer) => told.push(["failed", answer?.status ?? null]),
  changed: () => told.push(["changed"]),
});
export const SAVED = { status: 201, body: {} };
export const settled = () => new Promise((resolve) => setImmediate(resolve));
export const keys = (outbox) => outbox.entries.map(({ key }) => key);
