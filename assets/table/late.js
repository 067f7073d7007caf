/*
 * The page of a table that this phone may not change any more, because the evening is closed or the link has ended. Waiting entries are sent and
 * become late entries; those that cannot be sent stay here with the reason.
 */
import { fill, make } from "../dom.js";
import { open } from "./outbox.js";
import { post } from "./request.js";

const unsent = /** @type {HTMLElement} */ (document.getElementById("unsent"));
const texts = /** @type {Record<string, string>} */ ({ ...unsent.dataset });
const { who = "" } = document.body.dataset;
const token = /** @type {HTMLInputElement} */ (unsent.querySelector("input")).value;

/** @param {string} text */
function panel(text) {
  const box = make("div", undefined, "panel conflict mb-2");
  box.role = "status";
  box.append(make("p", text));
  return box;
}

/**
 * @param {HTMLElement} place
 * @param {Outbox} outbox
 * @param {string} trouble  the server's sentence why it cannot be sent
 */
function show(place, { entries, others, discard }, trouble = "") {
  place.replaceChildren();
  if (entries.length) {
    const box = panel(fill(texts.text, { n: entries.length }));
    const { key, refused } = entries[0];
    for (const sentence of refused ? refused.sentences : [trouble]) if (sentence) box.append(make("p", sentence));
    if (refused) {
      const button = make("button", texts.discard, "btn btn-outline-secondary w-100");
      button.type = "button";
      button.addEventListener("click", () => discard(key));
      box.append(button);
    }
    place.append(box);
  }
  if (others.length) {
    const names = [...new Set(others.map(({ typist }) => typist?.name || texts.another_user))].join(", ");
    place.append(panel(fill(texts.others, { names, n: others.length })));
  }
}

/** Show the entries for this address. @param {string} path */
async function begin(path) {
  const place = make("div");
  unsent.append(place);
  const address = new URL(path, location.href).href;
  /** Reload once all entries have arrived. */
  const arrived = () => (outbox.entries.length ? show(place, outbox) : location.reload());
  const outbox = await open(address, { who }, {
    post: (letter, to) => post(to, letter, token),
    saved: arrived,
    late: arrived,
    refused: () => show(place, outbox),
    failed: (answer) => show(place, outbox, answer?.body?.error),
    changed: () => show(place, outbox),
  });
  show(place, outbox);
  // Entries that were refused while the evening was open may get another answer now.
  const [first] = outbox.entries;
  if (first?.refused) outbox.again(first.key);
  else outbox.send();
}

begin(texts.address);
if (texts.cash) begin(texts.cash);
