/*
 * What leads to another page, a form or a link, is followed only when the server can be reached: the browser's own page about a missing net
 * would take the place of everything that was typed. Where no answer comes soon, a note at the place that was tapped says so; the next tap
 * takes it away. So it does of any other tap by which the page finds out. What the page knows about that place itself is told beside it.
 */

// So many milliseconds without an answer, and whoever tapped is told; so many more, and nothing comes of it.
const SOON = 2500;
const PATIENCE = 8000;
const { text = "" } = /** @type {HTMLElement} */ (document.querySelector("script[data-text]")).dataset;
let isLed = false;
/** @type {{target: EventTarget | null, timeStamp: number} | null} */
let tapped = null;
/** What was tapped is not followed any more. */
let leave = () => {};

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || form.method !== "post" || isLed) return;
  event.preventDefault();
  const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
  lead(submitter ?? form, () => {
    isLed = true;
    form.requestSubmit(submitter);
    isLed = false;
  });
});

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[href]"));
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || !leadsAway(link)) return;
  event.preventDefault();
  const follow = () => location.assign(link.href);
  lead(link, follow, async () => ((await isKept(link)) ? follow() : say(link)));
});

/** @param {HTMLAnchorElement} link */
const leadsAway = ({ origin, target, href, hash }) => origin === location.origin && !target && !(hash && href.split("#")[0] === location.href.split("#")[0]);

/** Does this phone show the page by itself (worker.js)? @param {HTMLAnchorElement} link */
const isKept = async ({ pathname, search }) =>
  Boolean(await globalThis.caches?.match(pathname + search.replace("?form=played", ""), { ignoreVary: true }));

/**
 * Go on where the server answers, unless something else is tapped meanwhile, or the page does by itself what was tapped.
 * @param {HTMLElement} place
 * @param {() => void} go
 * @param {() => void} stay
 */
async function lead(place, go, stay = () => say(place)) {
  const wait = new AbortController();
  const timers = [setTimeout(say, SOON, place), setTimeout(() => wait.abort(), PATIENCE)];
  let isLeft = false;
  leave = () => wait.abort((isLeft = true));
  addEventListener("pointerdown", leave, { once: true, capture: true });
  const isReached = await fetch("/healthz", { method: "HEAD", cache: "no-store", signal: wait.signal }).then(() => true, () => false);
  timers.forEach(clearTimeout);
  if (isLeft) return;
  if (!isReached) return stay();
  // A page that goes breaks off what it asks for: no sign of a missing net, and nothing to tell at the finger.
  tapped = null;
  go();
}

/** @param {Element} place */
function say(place, words = text) {
  hush();
  const { top, bottom } = place.getBoundingClientRect();
  const note = document.createElement("p");
  note.className = "fault unreached";
  note.setAttribute("role", "alert");
  note.textContent = words;
  document.body.append(note);
  if (!place.dispatchEvent(new CustomEvent("stranded", { bubbles: true, cancelable: true, detail: note }))) leave();
  if (top > innerHeight / 2) note.style.bottom = `${innerHeight - top}px`;
  else note.style.top = `${bottom}px`;
}

const hush = () => document.querySelector(".unreached")?.remove();
// What is offered in it is tapped there.
addEventListener("pointerdown", ({ target }) => /** @type {Element} */ (target).closest(".unreached") ?? hush(), { capture: true });
addEventListener("keydown", ({ key }) => key === "Escape" && hush());
for (const event of ["scroll", "pagehide"]) addEventListener(event, hush, { capture: true });
// Not before the finger is lifted: what is tapped would be done twice.
addEventListener("click", (event) => (tapped = event), { capture: true });
document.addEventListener("unreached", ({ timeStamp, detail }) => {
  const isFresh = tapped && timeStamp - tapped.timeStamp < PATIENCE && !document.querySelector(".unreached");
  if (isFresh && tapped?.target instanceof Element && tapped.target.isConnected) say(tapped.target, detail);
});

export {};
