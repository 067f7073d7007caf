/*
 * Keep the table usable: the screen stays awake, and the page is cached for use without a network, with its files and a copy of the lines after
 * each change. A page from the cache starts with the copy; a page from the server is always right. Only some open tables are cached, for the
 * present user (phone.js); worker.js serves them.
 */
import { keysOnPage, make } from "../dom.js";
import { completeLines } from "./lines.js";

const AT_MOST = 4;
const script = /** @type {HTMLElement} */ (document.querySelector("script[data-table]"));
const { table = "", state = "" } = script.dataset;
const COPY = `${table}kept`;
const root = document.documentElement;
const isOpen = state.endsWith('open"');
const isFromPhone = "kept" in root.dataset;
const asServed = () => `<!doctype html>${root.outerHTML.replace("<html", "<html data-kept")}`;
// A copy from before any script changes the page.
const served = asServed();

// ---- the screen ----

async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  // The browser may refuse it at low battery.
  await navigator.wakeLock?.request("screen").catch(() => {});
}

if (isOpen) {
  stayAwake();
  document.addEventListener("visibilitychange", stayAwake);
}
const plain = document.getElementById("plain");
if (plain && !isSecureContext) {
  plain.append(make("summary", WORDS.texts.plain), make("p", WORDS.texts.plain_why));
  plain.hidden = false;
}

// ---- the page ----

/** @type {PageData | null} */
const data = JSON.parse(document.getElementById("table-data")?.textContent ?? "null");
if (data) data.lines = completeLines(data.lines, keysOnPage());
/** @type {Promise<Cache>} */
const opening = navigator.serviceWorker?.ready.then(() => caches.open(`table ${document.body.dataset.who}`));

/** @param {{url: string}} what */
const pathOf = ({ url }) => new URL(url).pathname;

/** Return the address of this page without the query for a single game; nothing if it is not a page of an open table. */
function addressOf() {
  const asked = new URLSearchParams(location.search);
  if (location.pathname !== table || asked.has("dealer") || (!data && document.querySelector("form.entry"))) return null;
  return asked.get("form") === "short" ? `${table}?form=short` : table;
}

/** @param {string} path */
async function forget(path) {
  const cache = await opening;
  for (const request of await cache.keys()) if (pathOf(request).startsWith(path)) await cache.delete(request);
}

/** @param {string} html */
async function keepPage(html) {
  const address = addressOf();
  if (!address) return;
  const cache = await opening;
  await keepFiles(cache);
  await cache.delete(COPY);
  const headers = { "Content-Type": "text/html; charset=utf-8", Title: encodeURIComponent(document.title) };
  await cache.put(address, new Response(html, { headers }));
  const tables = new Set((await cache.keys()).map(pathOf).filter((path) => /\/tables\/\d+\/$/.test(path)));
  for (const path of [...tables].slice(0, -AT_MOST)) await forget(path);
}

/**
 * Cache the files of this page. If they are new, the site was updated, and old files are deleted.
 * @param {Cache} cache
 */
async function keepFiles(cache) {
  /** @type {NodeListOf<HTMLLinkElement>} */
  const links = document.querySelectorAll("link:is([rel=stylesheet], [rel=icon])");
  /** @type {NodeListOf<HTMLScriptElement>} */
  const scripts = document.querySelectorAll("script[src]");
  const files = [...[...links].map(({ href }) => href), ...[...scripts].map(({ src }) => src)];
  const standing = (await cache.keys()).map(({ url }) => url);
  const missing = files.filter((url) => !standing.includes(url));
  if (!missing.length) return;
  await cache.addAll(missing);
  for (const url of standing) if (!files.includes(url)) await cache.delete(url);
}

// ---- the lines ----

/** @param {News} news */
async function keepCopy({ lines, next, columns, seats, open, planned, chain }) {
  const copy = { lines, next, columns, seats, open, planned, chain };
  await (await opening).put(COPY, new Response(JSON.stringify(copy), { headers: { "Content-Type": "application/json" } }));
}

// By then the later scripts have run.
const listening = new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
let isHeard = false;

/** Start with the stored copy as if the server had sent it, unless the server has answered already or the line-up differs. */
async function takeCopy() {
  /** @type {News | undefined} */
  const copy = await (await (await opening).match(COPY))?.json();
  await listening;
  if (isHeard || !data) return;
  /** @param {News} news */
  const sits = ({ next, columns, seats, planned, chain }) => JSON.stringify([next.round, columns, seats, planned, chain]);
  const known = copy && sits(copy) === sits(data) ? copy : data;
  // An undo needs a network.
  document.dispatchEvent(new CustomEvent("table", { cancelable: true, detail: { ...known, keep: 0, undo: null, isCopy: true } }));
}

/** Run jobs one after the other. A full storage keeps what it has. */
let work = Promise.resolve();
/** @param {() => Promise<void>} job */
const then = (job) => (work = work.then(job).catch(() => {}));

function begin() {
  const note = /** @type {HTMLElement} */ (document.getElementById("from-phone"));
  then(() => (isFromPhone ? takeCopy() : isOpen ? keepPage(served) : forget(table)));
  note.hidden = !isFromPhone;
  document.addEventListener("table", ({ detail }) => {
    if (detail.isCopy) return;
    isHeard = true;
    note.hidden = true;
    // Access to this page has ended.
    if (detail.error) then(() => forget(table));
  });
  document.addEventListener("known", ({ detail }) => then(() => (detail ? keepCopy(detail) : keepPage(asServed()))));
}

if (navigator.serviceWorker) begin();
