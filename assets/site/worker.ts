/*
 * The service worker. It asks the network first. If that fails or takes too long, it answers with the page of a table that kept.ts has
 * kept, or with the offline page. It never touches POST requests and data. site/views.py writes SITE, the files and addresses, in front of
 * this file. It is a classic script because some browsers accept no module as a worker.
 */
(() => {
  "use strict";

  const worker = self as unknown as ServiceWorkerGlobalScope;
  const { version, offline, files, leaving } = SITE;
  const OWN = `offline ${version}`;
  // Milliseconds until the kept page is shown.
  const TIMEOUT = 4000;
  const REFUSALS = [401, 403, 404, 410];

  const drop = async (which: (name: string) => boolean) => Promise.all((await caches.keys()).filter(which).map((name) => caches.delete(name)));

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
    // A login or logout deletes the kept pages.
    if (request.method === "POST" && leaving.includes(pathname)) event.waitUntil(drop((name) => name.startsWith("table ")));
    if (request.method !== "GET") return;
    if (request.mode === "navigate") event.respondWith(page(event));
    else if (SITE.static && pathname.startsWith(SITE.static)) event.respondWith(file(request));
  });

  /** Return a static file from the cache if it is there: its name changes with its content. */
  async function file(request: Request) {
    return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
  }

  async function page(event: FetchEvent) {
    const { request } = event;
    const key = keyOf(new URL(request.url));
    const isKept = Boolean(await caches.match(key, { ignoreVary: true }));
    const asked = fetch(request).then(async (answer) => {
      if (isKept && (answer.type === "opaqueredirect" || REFUSALS.includes(answer.status))) await forget(key.split("?")[0]);
      return answer;
    });
    // A late answer may still be a refusal.
    event.waitUntil(asked.catch(() => {}));
    const late: Promise<null> = new Promise((resolve) => isKept && setTimeout(resolve, TIMEOUT, null));
    const answer = await Promise.race([asked.catch(() => null), late]);
    return answer && !(isKept && answer.status >= 500) ? answer : fromPhone(key);
  }

  /** Return the cache key of a page: the forms of a table are pages of their own, other parameters are not. */
  function keyOf({ pathname, searchParams }: URL) {
    const form = searchParams.get("form") ?? "played";
    return form === "played" ? pathname : `${pathname}?form=${form}`;
  }

  async function fromPhone(key: string) {
    const empty = await caches.match(offline, { ignoreVary: true }) as Response;
    const kept = await caches.match(key, { ignoreVary: true });
    // A kept page has no headers. It gets those of the offline page, with the Content-Security-Policy.
    const headers = new Headers(empty.headers);
    for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
    return new Response((kept ?? empty).body, { headers });
  }

  /** Delete all kept pages of a table. */
  async function forget(table: string) {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        if (new URL(request.url).pathname.startsWith(table)) await cache.delete(request);
      }
    }
  }
})();
