/*
 * The service worker: decides what this phone answers by itself. The net comes first; a table that was open on this phone comes from what
 * kept.js has kept of it where the net fails or takes too long, and any other page is then one that says so. Answers to POST and data are
 * never touched. SITE, in front of this file (site/views.py), says which files and addresses there are. It is no module: not every browser
 * that we know takes one as a worker.
 */
(() => {
  "use strict";

  const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
  const { version, offline, files, leaving } = SITE;
  const OWN = `offline ${version}`;
  // So many milliseconds, and whoever wants to write a game down need not wait any longer.
  const PATIENCE = 4000;
  const REFUSALS = [401, 403, 404, 410];

  /** @param {(name: string) => boolean} which */
  const drop = async (which) => Promise.all((await caches.keys()).filter(which).map((name) => caches.delete(name)));

  worker.addEventListener("install", (event) => {
    worker.skipWaiting();
    event.waitUntil(caches.open(OWN).then((cache) => cache.addAll([offline, ...files])));
  });

  worker.addEventListener("activate", (event) => {
    event.waitUntil(Promise.all([worker.clients.claim(), drop((name) => name.startsWith("offline ") && name !== OWN)]));
  });

  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (origin !== location.origin) return;
    // Whoever comes or goes leaves no page to the next one at this phone.
    if (request.method === "POST" && leaving.includes(pathname)) event.waitUntil(drop((name) => name.startsWith("table ")));
    if (request.method !== "GET") return;
    if (request.mode === "navigate") event.respondWith(page(event));
    else if (SITE.static && pathname.startsWith(SITE.static)) event.respondWith(file(request));
  });

  /**
   * Files have names that change with what is in them: the one that is here is the right one.
   * @param {Request} request
   */
  async function file(request) {
    return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
  }

  /** @param {FetchEvent} event */
  async function page(event) {
    const { request } = event;
    const key = keyOf(new URL(request.url));
    const isKept = Boolean(await caches.match(key, { ignoreVary: true }));
    const asked = fetch(request).then(async (answer) => {
      if (isKept && (answer.type === "opaqueredirect" || REFUSALS.includes(answer.status))) await forget(key.split("?")[0]);
      return answer;
    });
    // What comes too late may still be a refusal.
    event.waitUntil(asked.catch(() => {}));
    /** @type {Promise<null>} */
    const late = new Promise((resolve) => isKept && setTimeout(resolve, PATIENCE, null));
    const answer = await Promise.race([asked.catch(() => null), late]);
    return answer && !(isKept && answer.status >= 500) ? answer : fromPhone(key);
  }

  /**
   * The table for games and the one for the short form are two pages; another dealer is no page of its own.
   * @param {URL} address
   */
  function keyOf({ pathname, searchParams }) {
    const form = searchParams.get("form") ?? "played";
    return form === "played" ? pathname : `${pathname}?form=${form}`;
  }

  /** @param {string} key */
  async function fromPhone(key) {
    const empty = /** @type {Response} */ (await caches.match(offline, { ignoreVary: true }));
    const kept = await caches.match(key, { ignoreVary: true });
    // A page that was kept has no headers; those of this site, its Content-Security-Policy among them, stand on the one that always is.
    const headers = new Headers(empty.headers);
    for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
    return new Response((kept ?? empty).body, { headers });
  }

  /**
   * All that is kept of a table.
   * @param {string} table
   */
  async function forget(table) {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        if (new URL(request.url).pathname.startsWith(table)) await cache.delete(request);
      }
    }
  }
})();
