/*
 * The other phones: while the page is in sight it asks whether anything is new at the table, whenever the server says so on a connection that
 * it holds open, and every moment where it holds none. As long as the server beats there, nobody who taps need ask whether there is a net. The entry takes over what is new (entry.js), and hears whether the server can be
 * reached; a page that only shows the sheet shows it anew.
 */
const EVERY = 1500;
// The line has died without a word where nothing is heard for so long: no beat (clubledger/server/held.py), and no news.
const RARELY = 10000;
// Whoever taps waits so long for a beat; one that is only late costs a question, for whose answer so much is left.
const OVERDUE = 1900;
const LEFT = 900;
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
// The numbers of what is new, and of what this phone did itself.
const news = new Set();
const own = new Set();
// Nothing is to be asked as long as the server beats.
let rests = false;
let overdue = 0;

async function ask(soon = SOON) {
  isAsking = true;
  isToldMeanwhile = false;
  rests = false;
  news.clear();
  const before = entered;
  try {
    const answer = await get(url, { Accept: "application/json", "If-None-Match": known }, soon);
    tell("reach", true);
    // Nobody is let in any more, until somebody opens the new link or logs in elsewhere.
    if (answer.status === 401) tell("table", await answer.json());
    if (answer.status === 200) {
      const heard = await answer.json();
      if (before === entered) {
        if (!tell("table", heard)) await showAnew();
        known = answer.headers.get("ETag") ?? "";
      } else isToldMeanwhile = true;
    } else if (answer.status !== 304) throw new Error(String(answer.status));
    listen();
    wait = isToldMeanwhile ? MOMENT : every;
    rests = wait === RARELY;
  } catch {
    wait = Math.min(Math.max(wait, EVERY) * 2, AT_MOST);
  } finally {
    isAsking = false;
  }
  if (!document.hidden) timer = setTimeout(rests ? doubt : ask, wait);
}

/** Hear of what is new. A connection that breaks is opened again when the server answers; one that is refused is not. */
function listen() {
  if (told || isRefused || document.hidden) return;
  const source = new EventSource(`${url}live/`);
  told = source;
  source.addEventListener("b", hearBeat);
  source.onmessage = ({ data }) => {
    hearBeat();
    isToldMeanwhile = isAsking;
    news.add(data);
    clearTimeout(timer);
    if (!isAsking) timer = setTimeout(look, MOMENT);
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
  rests = false;
  clearTimeout(overdue);
  overdue = 0;
}

/** There is a net, and whoever is new is told of. */
function hearBeat() {
  every = RARELY;
  if (overdue) tell("reach", true);
  clearTimeout(overdue);
  overdue = 0;
  if (rests && !news.size) rest();
}

function rest() {
  clearTimeout(timer);
  timer = setTimeout(doubt, RARELY);
}

/** Something is new: unless this phone did all of it, it asks. */
function look() {
  if (!rests || [...news].some((change) => !own.has(change))) ask();
  else {
    news.clear();
    rest();
  }
}

/** Nothing was heard for too long. */
function doubt() {
  stop();
  askNow(LEFT);
}

/**
 * @param {string} address
 * @param {Record<string, string>} [headers]
 */
async function get(address, headers, soon = SOON) {
  const late = setTimeout(tell, soon, "reach", false);
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

function askNow(soon = SOON) {
  clearTimeout(timer);
  wait = EVERY;
  isToldMeanwhile = isAsking;
  if (!document.hidden && !isAsking) ask(soon);
}

document.addEventListener("entered", ({ detail }) => {
  own.add(String(detail));
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
const hearTap = () => (rests ? (overdue ||= setTimeout(doubt, OVERDUE)) : askNow());
addEventListener("pointerdown", hearTap, { capture: true });
addEventListener("online", () => askNow());
if (!document.hidden) timer = setTimeout(ask, EVERY);

export {};
