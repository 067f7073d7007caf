/*
 * The other phones: while the page is in sight it asks whether anything is new at the table, whenever the server says so on a connection that
 * it holds open, and every moment where it holds none. The entry takes over what is new (entry.js), and hears whether the server can be
 * reached; a page that only shows the sheet shows it anew.
 */
const EVERY = 1500;
// While the server tells: for a line that has died without a word, and for what another process did.
const RARELY = 30000;
const AT_MOST = 30000;
// What this phone has entered itself is answered by then.
const MOMENT = 300;
// So many milliseconds without an answer, and the page says that there is no net; so many more, and it asks anew.
const SOON = 2500;
const PATIENCE = 8000;
const { url = "", state = "" } = /** @type {HTMLElement} */ (document.querySelector("script[data-url]")).dataset;
// A page that this phone has kept may be told everything anew.
let known = "kept" in document.documentElement.dataset ? "" : state;
/** @type {EventSource | null} */
let told = null;
let every = EVERY;
let wait = EVERY;
let timer = 0;
let isAsking = false;
// Something became new while an answer was under way, which may not know of it.
let isToldMeanwhile = false;
let isRefused = false;
// What was asked before a game of this phone was answered knows nothing of it, and is dropped.
let entered = 0;

async function ask() {
  isAsking = true;
  isToldMeanwhile = false;
  const before = entered;
  try {
    const answer = await get(url, { Accept: "application/json", "If-None-Match": known });
    tell("reach", true);
    // Nobody is let in any more, until somebody opens the new link or logs in elsewhere.
    if (answer.status === 401) tell("table", await answer.json());
    if (answer.status === 200) {
      const news = await answer.json();
      if (before === entered) {
        if (!tell("table", news)) await showAnew();
        known = answer.headers.get("ETag") ?? "";
      } else isToldMeanwhile = true;
    } else if (answer.status !== 304) throw new Error(String(answer.status));
    listen();
    wait = isToldMeanwhile ? MOMENT : every;
  } catch {
    wait = Math.min(Math.max(wait, EVERY) * 2, AT_MOST);
  } finally {
    isAsking = false;
  }
  if (!document.hidden) timer = setTimeout(ask, wait);
}

/** Hear of what is new. A connection that breaks is opened again when the server answers; one that is refused is not. */
function listen() {
  if (told || isRefused || document.hidden) return;
  const source = new EventSource(`${url}live/`);
  told = source;
  source.onopen = () => (every = RARELY);
  source.onmessage = () => {
    isToldMeanwhile = isAsking;
    clearTimeout(timer);
    if (!isAsking) timer = setTimeout(ask, MOMENT);
  };
  source.onerror = () => {
    isRefused = source.readyState === EventSource.CLOSED;
    stop();
    clearTimeout(timer);
    if (!isAsking) timer = setTimeout(ask, EVERY);
  };
}

function stop() {
  told?.close();
  told = null;
  every = EVERY;
}

/**
 * @param {string} address
 * @param {Record<string, string>} [headers]
 */
async function get(address, headers) {
  const late = setTimeout(tell, SOON, "reach", false);
  try {
    return await fetch(address, { headers, credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  } catch (error) {
    tell("reach", false);
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/**
 * Did anybody take it over?
 * @param {string} name
 * @param {unknown} detail
 */
const tell = (name, detail) => !document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));

async function showAnew() {
  const answer = await get(location.href);
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["#head", ".sheet-side"]) {
    document.querySelector(part)?.replaceWith(/** @type {Element} */ (page.querySelector(part)));
  }
  document.dispatchEvent(new Event("known"));
}

function askNow() {
  clearTimeout(timer);
  wait = EVERY;
  isToldMeanwhile = isAsking;
  if (!document.hidden && !isAsking) ask();
}

document.addEventListener("entered", () => {
  entered += 1;
  // Out of reach until now.
  if (wait > every) askNow();
});
document.addEventListener("visibilitychange", () => {
  isRefused = false;
  stop();
  askNow();
});
// Whoever taps is told soon where there is no net.
addEventListener("pointerdown", askNow, { capture: true });
addEventListener("online", askNow);
if (!document.hidden) timer = setTimeout(ask, EVERY);

export {};
