/*
 * What other phones enter: while the page is in sight, the server says on an open connection that something is new at the table, and the page
 * asks for it. Where there is no such connection the page asks every moment. While beats arrive on it there is a net, so a tap need not ask.
 * The entry takes over what is new (entry.js), and hears whether the server can be reached; a page that only shows the sheet shows it anew.
 */
import { request, SOON } from "./request.js";

const EVERY = 1500;
// If neither a beat (live.py) nor news arrives for so long, the connection is dead.
const RARELY = 12000;
// When somebody taps and no beat follows within this time, the page asks the server.
const OVERDUE = 1800;
const AT_MOST = 30000;
// By then the server has answered what this phone has sent itself.
const MOMENT = 300;
const { url = "", state = "" } = /** @type {HTMLElement} */ (document.querySelector("script[data-url]")).dataset;
// A page that this phone has kept may be told everything anew.
let known = "kept" in document.documentElement.dataset ? "" : state;
/** @type {EventSource | null} */
let told = null;
let every = EVERY;
let wait = EVERY;
let timer = 0;
let isAsking = false;
let isRefused = false;
// The numbers of what became new since it was last asked: an answer under way may not know of it.
const news = new Set();
// And of what this phone did itself; what was asked before that was answered knows nothing of it, and is dropped.
const own = new Set();
// Nothing is to be asked as long as the server beats.
let rests = false;
let late = 0;

async function ask() {
  rests = false;
  isAsking = true;
  news.clear();
  const before = own.size;
  try {
    const answer = await get(url, { Accept: "application/json", "If-None-Match": known });
    // Nobody is let in any more, until somebody opens the new link or logs in elsewhere.
    if (answer.status === 401) tell("table", await answer.json());
    if (answer.status === 200) {
      const heard = await answer.json();
      if (before === own.size) {
        if (!tell("table", heard)) await showAnew();
        known = answer.headers.get("ETag") ?? "";
      } else news.add(before);
    } else if (answer.status !== 304) throw new Error(String(answer.status));
    listen();
    wait = news.size ? MOMENT : every;
    rests = wait === RARELY;
  } catch {
    wait = Math.min(Math.max(wait, EVERY) * 2, AT_MOST);
  } finally {
    calm();
    isAsking = false;
  }
  if (!document.hidden) later(rests ? doubt : ask, wait);
}

/** Hear of what is new. A connection that breaks is opened again when the server answers; one that is refused is not. */
function listen() {
  if (told || isRefused || document.hidden) return;
  const source = new EventSource(`${url}live/`);
  told = source;
  source.addEventListener("b", hearBeat);
  source.onmessage = ({ data }) => {
    hearBeat();
    news.add(data);
    if (!isAsking) later(look, MOMENT);
  };
  source.onerror = () => {
    isRefused = source.readyState === EventSource.CLOSED;
    stop();
    if (!isAsking) later(ask, EVERY);
  };
}

function stop() {
  told?.close();
  told = null;
  every = EVERY;
  rests = false;
}

/** @param {() => void} work @param {number} pause */
function later(work, pause) {
  clearTimeout(timer);
  timer = setTimeout(work, pause);
}

/** There is a net, and what is new is told of. */
function hearBeat() {
  every = RARELY;
  if (!rests) return;
  if (late) tell("reach", true);
  calm();
  if (!news.size) later(doubt, RARELY);
}

function calm() {
  clearTimeout(late);
  late = 0;
}

/** Something is new: unless this phone did all of it, it asks. */
function look() {
  for (const change of own) news.delete(change);
  if (rests && !news.size) later(doubt, RARELY);
  else ask();
}

/** Nothing was heard for too long. */
function doubt() {
  stop();
  askNow();
}

/** @param {string} address @param {Record<string, string>} [headers] */
const get = (address, headers) => request(address, { headers, cache: "no-store" }, (isReached) => tell("reach", isReached));

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
  news.add("");
  wait = EVERY;
  if (!document.hidden && !isAsking) ask();
}

document.addEventListener("entered", ({ detail }) => {
  own.add(String(detail));
  // Out of reach until now.
  if (wait > every) askNow();
});
document.addEventListener("visibilitychange", () => {
  isRefused = false;
  calm();
  doubt();
});
// Whoever taps is told soon where there is no net.
addEventListener("pointerdown", () => {
  if (!rests || news.size) askNow();
  else if (!late) {
    late = setTimeout(tell, SOON, "reach", false);
    later(doubt, OVERDUE);
  }
}, { capture: true });
addEventListener("online", askNow);
if (!document.hidden) later(ask, EVERY);

export {};
