/*
 * The offline page: lists a link to each table whose page is kept on this phone.
 */
const place = document.getElementById("tables") as HTMLElement;
const template = (place.firstElementChild as HTMLTemplateElement).content;

async function show() {
  for (const name of (await caches.keys()).filter((one) => one.startsWith("table "))) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const title = (await cache.match(request))?.headers.get("Title");
      if (!title || request.url.includes("?")) continue;
      const link = (template.firstElementChild as Element).cloneNode(true) as Element;
      (link.querySelector("a") as HTMLAnchorElement).href = request.url;
      (link.querySelector("small") as Element).textContent = decodeURIComponent(title);
      place.append(link);
    }
  }
}

if (globalThis.caches) show();

export {};
