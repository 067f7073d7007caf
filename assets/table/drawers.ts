/*
 * Panels that lie over the form for a moment: the drawers of the dock, panels beside the form, and the solos. Only one is open; a tap outside,
 * Escape and the Back button close it and do nothing else.
 */
import { all, find, make, makeButton, onEnter } from "../dom.ts";
import { isByKeys, takeFocus } from "../focus.ts";

const entry = find("entry");
const dock = entry.querySelector(".entry-foot") as HTMLElement;
const drawers = () => all(".drawers > details", entry) as HTMLDetailsElement[];
const soloPanel = document.getElementById("solos");
let closeSolos = () => {};

// A panel beside the form; after a tap in it, it stays for a moment.
const OFFERED = ".offered:not([data-done])";

/** Close a panel after a moment, so that a hasty second tap hits nothing else. */
export function closeSoon(tapped: HTMLElement, close: () => void = closeOffered) {
  tapped.dataset.done = "";
  setTimeout(() => tapped.isConnected && close(), 600);
}

/** Open this drawer and close all others. */
export function openDrawer(drawer: Element | null = null) {
  for (const one of drawers()) one.open = one === drawer;
  if (drawer) guardHistory();
  closeOffered(OFFERED);
}

export function closeOffered(which = ".offered") {
  document.querySelector(which)?.remove();
  for (const link of all('.beside [aria-expanded="true"]', entry)) link.setAttribute("aria-expanded", "false");
}

/** Open a drawer instead of following a link beside the form; `fill` adds its content. A second tap closes it. @param opener  gets the focus back */
export function offerDrawer(
  link: HTMLAnchorElement,
  id: string,
  fill: (body: HTMLElement) => void,
  opener: HTMLElement = link.closest("details")?.querySelector("summary") ?? link,
) {
  const isOpen = link.getAttribute("aria-expanded") === "true";
  openDrawer();
  if (isOpen) return;
  // Also one that a tap has just been made in.
  closeOffered();
  link.setAttribute("aria-expanded", "true");
  const panel = make("div", undefined, "drawer offered");
  const body = make("div");
  panel.id = id;
  panel.append(body);
  giveHead(panel, String(link.textContent).trim());
  // Input in the drawer is not part of a game.
  for (const type of ["input", "change"]) body.addEventListener(type, (event) => event.stopPropagation());
  fill(body);
  find("save").before(panel);
  takeFocus(panel, opener);
  guardHistory();
}

/** Return whether a panel is open. A tap in the dock is not outside of it. */
const isPanelOpen = () => Boolean(dock.querySelector(`.drawers > [open], ${OFFERED}, .asks, #solos:not([hidden])`));

/** Keep the form in place under the thumb while something appears or disappears above it. */
export function keepInPlace(work: () => void) {
  const people = entry.querySelector(".people") as Element;
  const { top } = people.getBoundingClientRect();
  work();
  if (navigator.userActivation?.hasBeenActive ?? true) scrollBy(0, people.getBoundingClientRect().top - top);
}

/** Raise a question from the dock after a tap. If it is left open, it goes above the form. */
export function raise(tray: HTMLElement) {
  openDrawer();
  tray.classList.add("drawer", "asks");
  dock.prepend(tray);
  guardHistory();
}

/** Lower the question when it is answered or the user looks elsewhere. */
export function lower() {
  const tray = dock.querySelector(".asks") as HTMLElement | null;
  if (!tray) return;
  tray.classList.remove("drawer", "asks");
  keepInPlace(() => find("conflict").before(tray));
}

export function showSoloPanel(open: boolean) {
  if (!soloPanel) return;
  soloPanel.hidden = !open;
  if (!open) return;
  endAtRow(soloPanel);
  guardHistory();
}

/** Size a panel over the form so that it cuts no row in two. */
function endAtRow(panel: HTMLElement) {
  panel.style.minHeight = "";
  if (getComputedStyle(panel).position !== "absolute") return;
  const end = (panel.offsetParent?.getBoundingClientRect().top ?? 0) + panel.offsetTop + panel.offsetHeight;
  const rows = all(".people, .kinds, .eyes-row, .bands > *", entry).map((row) => row.getBoundingClientRect());
  const edges = [rows[0].top, ...rows.map(({ bottom }) => bottom)].filter((edge) => edge >= 0 && edge <= end - panel.offsetHeight);
  if (edges.length) panel.style.minHeight = `${end - Math.max(...edges)}px`;
}

/** Return the open details of the head, which cover the players. */
const openFacts = () => document.querySelector(".facts-line[open]") as HTMLDetailsElement | null;

/** Close the topmost panel. @returns whether a panel was open */
function closeTop(): boolean {
  const facts = openFacts();
  const isOpen = Boolean(facts) || isPanelOpen();
  if (facts) facts.open = false;
  else if (isOpen) closeAll();
  return isOpen;
}

function closeAll() {
  openDrawer();
  lower();
  closeSolos();
}

// ---- the Back button ----

const isGuard = () => Boolean(history.state?.guard);
let guarded = isGuard();
let guardedAddress = location.href;

/**
 * Add a guard to the browser's history, so that the Back button closes a panel instead of leaving the page. A panel that is closed otherwise leaves
 * the guard for the next one, since going back by script would race with the tap.
 */
function guardHistory() {
  if (!isGuard()) history.pushState({ guard: true }, "");
  guarded = true;
  guardedAddress = location.href;
}

addEventListener("popstate", () => {
  const wasGuarded = guarded;
  guarded = isGuard();
  // A link within the page comes here as well.
  if (!wasGuarded || guarded || location.href !== guardedAddress) return;
  // The panel of this guard is closed already, so the user wants to leave.
  if (!closeTop()) history.back();
});

/** Show a number on a button; none if it is 0. */
export function showCount(button: HTMLElement, count: number) {
  if (count) button.dataset.count = String(count);
  else delete button.dataset.count;
}

/** Add the head of a panel: its name, the link to the help, and the close button. */
function giveHead(panel: HTMLElement, name: string, ...below: HTMLElement[]) {
  const head = make("div", undefined, "drawer-head");
  const closer = makeButton("×", "key close", closeAll);
  closer.ariaLabel = entry.dataset.close ?? "";
  head.append(make("h2", name), ...all(":scope > .help", panel), closer, ...below);
  panel.role = "group";
  panel.ariaLabel = name;
  panel.prepend(head);
}

/** Add heads above the columns of both parties: faces, names and points. Screen readers hear these elsewhere. */
function makeHeads() {
  const heads = make("div", undefined, "heads");
  heads.ariaHidden = "true";
  for (const side of all("[data-side]", entry)) {
    const head = make("p");
    const name = make("span", side.textContent ?? "");
    [name.dataset.party, name.dataset.alone] = [side.dataset.party, side.dataset.alone];
    head.append(make("b"), name, make("span", undefined, "faces"));
    heads.append(head);
  }
  return heads;
}

/** @param closing  folds the solos */
export function prepareDrawers(closing: () => void) {
  closeSolos = closing;
  openDrawer(drawers().find((drawer) => drawer.querySelector(".fault:not([hidden])")));
  for (const drawer of drawers()) {
    const [summary, panel] = all(":scope > *", drawer);
    giveHead(panel, String(summary.textContent).trim(), ...(drawer.dataset.more === undefined ? [makeHeads()] : []));
    for (const legend of all(".parties legend", panel)) legend.className = "visually-hidden";
    // A drawer that opens because of a fault does not take the focus.
    drawer.addEventListener("toggle", () => drawer.open && document.activeElement === summary && takeFocus(panel, summary));
    // Before the first paint.
    if (drawer.dataset.more === undefined) new MutationObserver(() => drawer.open && endAtRow(panel)).observe(drawer, { attributeFilter: ["open"] });
  }
  if (soloPanel) {
    const legend = soloPanel.querySelector("legend") as HTMLElement;
    giveHead(soloPanel, String(legend.textContent));
    legend.remove();
    // It rises from the dock like the drawers; without scripts it is below the kinds.
    soloPanel.classList.add("drawer");
    dock.prepend(soloPanel);
  }
  entry.addEventListener("click", ({ target }) => {
    const drawer = (target as Element).closest("summary")?.parentElement;
    for (const one of drawer ? drawers() : []) if (one !== drawer) one.open = false;
    if (drawer) closeOffered();
  });
  // A panel over the form would hide the focused element.
  document.addEventListener("focusin", ({ target }) => {
    if (!isByKeys()) return;
    const facts = openFacts();
    if (facts && !facts.contains(target as Node)) facts.open = false;
    if (isPanelOpen() && !dock.contains(target as Node)) closeAll();
  });
  document.addEventListener("click", (event) => {
    if (!isPanelOpen() || dock.contains(event.target as Node)) return;
    event.preventDefault();
    event.stopPropagation();
    closeAll();
  }, true);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && closeTop());
  document.addEventListener("click", ({ target }) => {
    if ((target as Element).closest(":is(.drawers > details, .facts-line):not([open]) > summary")) guardHistory();
  });
}

// ---- what is in a panel ----

export function makeToggle(text: string, isPressed: boolean, work: () => void) {
  const key = makeButton(text, "key", work);
  key.ariaPressed = String(isPressed);
  return key;
}

/** Make a group of buttons with a heading and a hint. */
export function makeGroup(legend: string, buttons: HTMLElement[], hint = "", kind = "names") {
  const box = make("fieldset");
  const head = make("legend", legend);
  const pills = make("div", undefined, `pills ${kind}`);
  if (hint) head.append(" ", make("small", hint));
  if (kind === "names") pills.translate = false;
  pills.append(...buttons);
  box.append(head, pills);
  return box;
}

/** Put the face of a player before the name, which is cut if it does not fit: the one of the tile, or the first letter. */
export function wearFace(key: HTMLElement, player: number) {
  const name = String(key.textContent);
  const tile = all(".tile", entry).find((one) => one.querySelector(".pill")?.textContent?.trim() === name);
  const face = (tile?.querySelector("[data-i]")?.cloneNode() ?? make("span")) as HTMLElement;
  if (!tile) drawFace(face, name, player);
  key.replaceChildren(face, make("span", name, "cut"));
  return key;
}

// The number of colours for players in the stylesheet (club/names.py).
const COLOURS = 12;

export function drawFace(face: HTMLElement | null, name: string, player: number) {
  if (!face) return;
  // A player whom only this phone knows has no id yet, and so no colour.
  face.className = player < 0 ? "" : `p${player % COLOURS}`;
  face.dataset.i = name[0].toUpperCase();
}

/** Make an input with its button, which Enter presses as well, and a place for what is wrong with the input. */
export function makeInput(label: string, button: string, enter: () => void) {
  const row = make("div", undefined, "new-name");
  const input = make("input", undefined, "form-control");
  const fault = make("p", "", "fault");
  fault.role = "alert";
  fault.hidden = true;
  input.ariaLabel = input.placeholder = label;
  onEnter(input, enter);
  row.append(input, makeButton(button, "key", enter));
  return { row, input, fault };
}

/** Make a chip that turns into a stepper once it counts: its name above "− 1 +". */
export function makeChip(name: string, add: () => void, take: () => void) {
  const chip = make("div", undefined, "chip");
  const more = makeButton("", "key more", add);
  more.append(make("span", name, "name"));
  const less = makeButton("−", "key less", take);
  less.ariaLabel = `${name} −1`;
  chip.append(more, less);
  return { chip, more, less };
}
