/*
 * Keep the table usable: the screen stays awake, and the page is cached for use without a network, with its files and a copy of the lines after
 * each change. A page from the cache starts with the copy; a page from the server is always right. Only some open tables are cached, for the
 * present user (phone.ts); worker.ts serves them.
 */
import { keysOnPage, make } from "../dom.ts";
import { completeLines } from "./state.ts";

const AT_MOST = 4;
const script = document.querySelector("script[data-table]") as HTMLElement;
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

const data: PageData | null = JSON.parse(document.getElementById("table-data")?.textContent ?? "null");
if (data) data.lines = completeLines(data.lines, keysOnPage());
const opening: Promise<Cache> = navigator.serviceWorker?.ready.then(() => caches.open(`table ${document.body.dataset.who}`));

const pathOf = ({ url }: { url: string }) => new URL(url).pathname;

/** Return the address of this page without the query for a single game; nothing if it is not a page of an open table. */
function addressOf() {
  const asked = new URLSearchParams(location.search);
  if (location.pathname !== table || asked.has("dealer") || (!data && document.querySelector("form.entry"))) return null;
  return asked.get("form") === "short" ? `${table}?form=short` : table;
}

async function forget(path: string) {
  const cache = await opening;
  for (const request of await cache.keys()) if (pathOf(request).startsWith(path)) await cache.delete(request);
}

async function keepPage(html: string) {
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

/** Cache the files of this page. If they are new, the site was updated, and old files are deleted. */
async function keepFiles(cache: Cache) {
  const links: NodeListOf<HTMLLinkElement> = document.querySelectorAll("link:is([rel=stylesheet], [rel=icon])");
  const scripts: NodeListOf<HTMLScriptElement> = document.querySelectorAll("script[src]");
  const files = [...[...links].map(({ href }) => href), ...[...scripts].map(({ src }) => src)];
  const standing = (await cache.keys()).map(({ url }) => url);
  const missing = files.filter((url) => !standing.includes(url));
  if (!missing.length) return;
  await cache.addAll(missing);
  for (const url of standing) if (!files.includes(url)) await cache.delete(url);
}

// ---- the lines ----

async function keepCopy({ lines, next, columns, seats, open, planned, chain }: News) {
  const copy = { lines, next, columns, seats, open, planned, chain };
  await (await opening).put(COPY, new Response(JSON.stringify(copy), { headers: { "Content-Type": "application/json" } }));
}

// By then the later scripts have run.
const listening = new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
let isHeard = false;

/** Start with the stored copy as if the server had sent it, unless the server has answered already or the line-up differs. */
async function takeCopy() {
  const copy: News | undefined = await (await (await opening).match(COPY))?.json();
  await listening;
  if (isHeard || !data) return;
  const sits = ({ next, columns, seats, planned, chain }: News) => JSON.stringify([next.round, columns, seats, planned, chain]);
  const known = copy && sits(copy) === sits(data) ? copy : data;
  // An undo needs a network.
  document.dispatchEvent(new CustomEvent("table", { cancelable: true, detail: { ...known, keep: 0, undo: null, isCopy: true } }));
}

/** Run jobs one after the other. A full storage keeps what it has. */
let work = Promise.resolve();
const then = (job: () => Promise<void>) => (work = work.then(job).catch(() => {}));

function begin() {
  const note = document.getElementById("from-phone") as HTMLElement;
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
