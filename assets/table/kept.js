/*
 * The table on this phone: the screen stays awake, and what is needed to open the page without a net is kept. That is the page as the
 * server sent it with its files, and a copy of the lines whenever they change: a page from the phone begins with the copy, one from the
 * server is always right. Only open tables are kept, a few of them, for whoever is logged in (phone.js); worker.js shows them.
 */
import { keysOnPage, make } from "../dom.js";
import { wholeLines } from "./lines.js";

const AT_MOST = 4;
const script = /** @type {HTMLElement} */ (document.querySelector("script[data-table]"));
const { table = "", state = "" } = script.dataset;
const COPY = `${table}kept`;
const root = document.documentElement;
const isOpen = state.endsWith('open"');
const isFromPhone = "kept" in root.dataset;
const asServed = () => `<!doctype html>${root.outerHTML.replace("<html", "<html data-kept")}`;
// Taken before any script changes it.
const served = asServed();

// ---- the screen ----

async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  // A battery that runs low may refuse.
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
if (data) data.lines = wholeLines(data.lines, keysOnPage());
/** @type {Promise<Cache>} */
const opening = navigator.serviceWorker?.ready.then(() => caches.open(`table ${document.body.dataset.who}`));

/** @param {{url: string}} what */
const pathOf = ({ url }) => new URL(url).pathname;

/** The address of this page without what is asked for one game only, or nothing where it is no page to begin an evening with. */
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
 * The files of this page. Where they are new ones the site has changed, and what was kept of it before goes.
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

// Then the scripts behind this one have run.
const listening = new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
let isHeard = false;

/** Begin with the copy as if the server had said it, unless it has said something by now or the copy is of other people. */
async function takeCopy() {
  /** @type {News | undefined} */
  const copy = await (await (await opening).match(COPY))?.json();
  await listening;
  if (isHeard || !data) return;
  /** @param {News} news */
  const sits = ({ next, columns, seats, planned, chain }) => JSON.stringify([next.round, columns, seats, planned, chain]);
  const known = copy && sits(copy) === sits(data) ? copy : data;
  // Nothing can be taken back without a net.
  document.dispatchEvent(new CustomEvent("table", { cancelable: true, detail: { ...known, keep: 0, undo: null, isCopy: true } }));
}

/** One after the other; a phone that is full keeps what it has. */
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
    // Nobody is let in here any more.
    if (detail.error) then(() => forget(table));
  });
  document.addEventListener("known", ({ detail }) => then(() => (detail ? keepCopy(detail) : keepPage(asServed()))));
}

if (navigator.serviceWorker) begin();
