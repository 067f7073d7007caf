/*
 * On every page: whose pages this phone keeps. Those of anybody else go, and the worker that shows them without a net (worker.js) is
 * set up for whoever may open a table. Browsers have all this on HTTPS and localhost only.
 */
(async () => {
  "use strict";

  const { worker, offline } = document.currentScript.dataset;
  const { who } = document.body.dataset;
  if (!navigator.serviceWorker) return;

  /** The offline page speaks the language of the others. */
  async function translate(name) {
    const cache = await caches.open(name);
    const page = await cache.match(offline, { ignoreVary: true });
    if (page && page.headers.get("Content-Language") !== document.documentElement.lang) await cache.add(offline);
  }

  try {
    for (const name of await caches.keys()) {
      if (name.startsWith("table ") && name !== `table ${who}`) await caches.delete(name);
      if (name.startsWith("offline ")) await translate(name);
    }
    if (who) await navigator.serviceWorker.register(worker);
  } catch {
    // No net, or a browser that keeps nothing: the pages are the same without.
  }
})();
