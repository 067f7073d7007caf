/*
 * Watch the table for changes of other phones: while the page is visible, an event stream says that there is news, and the page requests it.
 * Without a stream the page polls. Beats on the stream show that the network works, so taps need no check. entry.ts takes over the news; a page
 * without the form shows the sheet anew. Such a page needs only this script. The cache comes first, to see the page as it was sent.
 */
import "./kept.ts";
import "./reach.ts";
import { request, SOON } from "./outbox.ts";

const EVERY = 1500;
// Milliseconds without a beat (live.py) or news after which the connection is dead.
const RARELY = 12000;
// Milliseconds after a tap without a beat until the page asks the server.
const OVERDUE = 1800;
const AT_MOST = 30000;
// By then the server has answered this phone's own requests.
const MOMENT = 300;
const { url = "", state = "" } = (document.querySelector("script[data-url]") as HTMLElement).dataset;
// A cached page may receive everything again.
let known = "kept" in document.documentElement.dataset ? "" : state;
let told: EventSource | null = null;
let every = EVERY;
let wait = EVERY;
let timer = 0;
let isAsking = false;
let isRefused = false;
// The numbers of changes since the last request: a running request may not include them.
const news = new Set();
// And of this phone's own changes; an answer to an earlier request lacks them and is dropped.
const own = new Set();
// No request is needed as long as beats arrive.
let rests = false;
let late = 0;

async function ask() {
  rests = false;
  isAsking = true;
  news.clear();
  const before = own.size;
  try {
    const answer = await get(url, { Accept: "application/json", "If-None-Match": known });
    // Access has ended, until the user opens the new link or logs in.
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

/** Open the event stream. A broken connection is reopened when the server answers; a refused one is not. */
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

function later(work: () => void, pause: number) {
  clearTimeout(timer);
  timer = setTimeout(work, pause);
}

/** Note that the network works and news will arrive. */
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

/** Request the news, unless this phone made all changes itself. */
function look() {
  for (const change of own) news.delete(change);
  if (rests && !news.size) later(doubt, RARELY);
  else ask();
}

/** Doubt the connection after too long a silence. */
function doubt() {
  stop();
  askNow();
}

const get = (address: string, headers?: Record<string, string>) =>
  request(address, { headers, cache: "no-store" }, (isReached) => tell("reach", isReached));

/** Dispatch an event; return whether a listener handled it. */
const tell = (name: string, detail: unknown) => !document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));

async function showAnew() {
  const answer = await get(location.href);
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["#head", ".sheet-side"]) {
    document.querySelector(part)?.replaceWith(page.querySelector(part) as Element);
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
  // The server was out of reach until now.
  if (wait > every) askNow();
});
document.addEventListener("visibilitychange", () => {
  isRefused = false;
  calm();
  doubt();
});
// After a tap the user is told soon if there is no network.
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
