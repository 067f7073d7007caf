/*
 * On every page: deletes the kept pages and drafts of other users, so that a phone keeps those of the logged-in user only. If the user may
 * open a table, installs the service worker (worker.ts), which shows kept pages without a network. Browsers allow this on HTTPS and on
 * localhost only. The start page also offers to install the app.
 */
const script = document.querySelector("script[data-worker]") as HTMLElement;
const { worker = "", offline = "" } = script.dataset;
const { who } = document.body.dataset;

/** Fetch the offline page again if the user has changed the language. */
async function translate(name: string) {
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

// Drafts of other users (table/draft.ts).
for (const name of Object.keys(localStorage)) {
  if (who && name.startsWith("typed ") && !name.startsWith(`typed ${who} `)) localStorage.removeItem(name);
}

// It fails without a network or without storage; the pages work all the same.
if (navigator.serviceWorker) tidy().catch(() => {});

// ---- the app ----

const ANSWERED = "install answered";

/** Offer to install the app if the browser can, until a user has answered on this phone. */
function offerApp(hint: HTMLElement) {
  let installEvent: (Event & { prompt: () => Promise<unknown> }) | null = null;
  const [yes, no] = hint.querySelectorAll("button");
  const answer = () => {
    localStorage.setItem(ANSWERED, "yes");
    hint.hidden = true;
  };
  addEventListener("beforeinstallprompt", (event) => {
    if (localStorage.getItem(ANSWERED)) return;
    event.preventDefault();
    installEvent = event as typeof installEvent;
    hint.hidden = false;
  });
  yes.addEventListener("click", async () => {
    await installEvent?.prompt();
    answer();
  });
  no.addEventListener("click", answer);
  addEventListener("appinstalled", answer);
}

const hint = document.getElementById("install");
if (hint) offerApp(hint);

export {};
