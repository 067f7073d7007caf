/*
 * The page that says there is no net: a way back to each table that this phone has kept.
 */
const place = /** @type {HTMLElement} */ (document.getElementById("tables"));
const template = /** @type {HTMLTemplateElement} */ (place.firstElementChild).content;

async function show() {
  for (const name of (await caches.keys()).filter((one) => one.startsWith("table "))) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const title = (await cache.match(request))?.headers.get("Title");
      if (!title || request.url.includes("?")) continue;
      const way = /** @type {Element} */ (/** @type {Element} */ (template.firstElementChild).cloneNode(true));
      /** @type {HTMLAnchorElement} */ (way.querySelector("a")).href = request.url;
      /** @type {Element} */ (way.querySelector("small")).textContent = decodeURIComponent(title);
      place.append(way);
    }
  }
}

if (globalThis.caches) show();

export {};
