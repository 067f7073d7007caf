/*
 * Follow links and forms only if the server can be reached, since the browser's error page would replace everything that was typed. Without an
 * answer a note appears at the tapped element; the next tap removes it. The page can add what it knows about that element.
 */
import { PATIENCE, SOON } from "./outbox.ts";

const { text = "" } = (document.querySelector("script[data-text]") as HTMLElement).dataset;
let isLed = false;
let tapped: { target: EventTarget | null; timeStamp: number } | null = null;
/** Stop following the last tap. */
let leave = () => {};

document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (event.defaultPrevented || form.method !== "post" || isLed) return;
  event.preventDefault();
  const submitter = event.submitter as HTMLButtonElement | null;
  lead(submitter ?? form, () => {
    isLed = true;
    form.requestSubmit(submitter);
    isLed = false;
  });
});

document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest("a[href]") as HTMLAnchorElement | null;
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || !leadsAway(link)) return;
  event.preventDefault();
  const follow = () => location.assign(link.href);
  lead(link, follow, async () => ((await isKept(link)) ? follow() : say(link)));
});

const leadsAway = ({ origin, target, href, hash }: HTMLAnchorElement) =>
  origin === location.origin && !target && !(hash && href.split("#")[0] === location.href.split("#")[0]);

/** Return whether the service worker (worker.ts) has this page. */
const isKept = async ({ pathname, search }: HTMLAnchorElement) =>
  Boolean(await globalThis.caches?.match(pathname + search.replace("?form=played", ""), { ignoreVary: true }));

/** Follow a tap once the server answers, unless another element is tapped meanwhile or the page handles the tap itself. */
async function lead(place: HTMLElement, go: () => void, stay: () => void = () => say(place)) {
  const wait = new AbortController();
  const timers = [setTimeout(say, SOON, place), setTimeout(() => wait.abort(), PATIENCE)];
  let isLeft = false;
  leave = () => wait.abort((isLeft = true));
  addEventListener("pointerdown", leave, { once: true, capture: true });
  const isReached = await fetch("/healthz", { method: "HEAD", cache: "no-store", signal: wait.signal }).then(() => true, () => false);
  timers.forEach(clearTimeout);
  if (isLeft) return;
  if (!isReached) return stay();
  // Leaving the page aborts its requests: that does not mean that the network is gone.
  tapped = null;
  go();
}

function say(place: Element, words = text) {
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
// Taps inside of it are handled there.
addEventListener("pointerdown", ({ target }) => (target as Element).closest(".unreached") ?? hush(), { capture: true });
addEventListener("keydown", ({ key }) => key === "Escape" && hush());
for (const event of ["scroll", "pagehide"]) addEventListener(event, hush, { capture: true });
// Wait until the finger is lifted, else the tap would count twice.
addEventListener("click", (event) => (tapped = event), { capture: true });
document.addEventListener("unreached", ({ timeStamp, detail }) => {
  const isFresh = tapped && timeStamp - tapped.timeStamp < PATIENCE && !document.querySelector(".unreached");
  if (isFresh && tapped?.target instanceof Element && tapped.target.isConnected) say(tapped.target, detail);
});
