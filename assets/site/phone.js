/*
 * On every page: a phone keeps pages and a half-typed game only of the person who is logged in. It deletes those of anybody else. For people
 * who may open a table it installs the service worker (worker.js), which shows the kept pages without a net. Browsers allow both on HTTPS
 * and on localhost only.
 */
const script = /** @type {HTMLElement} */ (document.querySelector("script[data-worker]"));
const { worker = "", offline = "" } = script.dataset;
const { who } = document.body.dataset;

/** The offline page speaks the language of the others. @param {string} name */
async function translate(name) {
  const cache = await caches.open(name);
  const page = await cache.match(offline, { ignoreVary: true });
  if (page && page.headers.get("Content-Language") !== document.documentElement.lang) await cache.add(offline);
}

async function tidy() {
  for (const name of await caches.keys()) {
    if (name.startsWith("table ") && name !== `table ${who}`) await caches.delete(name);
    if (name.startsWith("offline ")) await translate(name);
  }
  if (who) await navigator.serviceWorker.register(worker);
}

// What somebody else left half typed here (table/draft.js).
for (const name of Object.keys(localStorage)) {
  if (who && name.startsWith("typed ") && !name.startsWith(`typed ${who} `)) localStorage.removeItem(name);
}

// No net, or a browser that keeps nothing: the pages are the same without.
if (navigator.serviceWorker) tidy().catch(() => {});

export {};
