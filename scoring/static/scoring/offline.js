/*
 * The page that says there is no net: a way back to each table that this phone has kept.
 */
(async () => {
  "use strict";

  const place = document.getElementById("tables");
  if (!globalThis.caches) return;
  for (const name of (await caches.keys()).filter((one) => one.startsWith("table "))) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const title = (await cache.match(request)).headers.get("Title");
      if (!title || request.url.includes("?")) continue;
      const way = place.firstElementChild.content.cloneNode(true);
      way.querySelector("a").href = request.url;
      way.querySelector("small").textContent = decodeURIComponent(title);
      place.append(way);
    }
  }
})();
