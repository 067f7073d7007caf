/*
 * The offline page: lists a link to each table whose page is kept on this phone.
 */
const place = /** @type {HTMLElement} */ (document.getElementById("tables"));
const template = /** @type {HTMLTemplateElement} */ (place.firstElementChild).content;

async function show() {
  for (const name of (await caches.keys()).filter((one) => one.startsWith("table "))) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const title = (await cache.match(request))?.headers.get("Title");
      if (!title || request.url.includes("?")) continue;
      const link = /** @type {Element} */ (/** @type {Element} */ (template.firstElementChild).cloneNode(true));
      /** @type {HTMLAnchorElement} */ (link.querySelector("a")).href = request.url;
      /** @type {Element} */ (link.querySelector("small")).textContent = decodeURIComponent(title);
      place.append(link);
    }
  }
}

if (globalThis.caches) show();

export {};
