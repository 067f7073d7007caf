/*
 * A table that is shut to this phone: the evening is closed, or the link has ended. What the phone still holds for it goes to the server,
 * where it waits for somebody who decides; what cannot be sent stays here, and says so.
 */
import { fill, make } from "../dom.js";
import { open, post, request } from "./outbox.js";

const place = /** @type {HTMLElement} */ (document.getElementById("unsent"));
const texts = /** @type {Record<string, string>} */ ({ ...place.dataset });
const { who = "" } = document.body.dataset;
const address = new URL(texts.address, location.href).href;
const token = /** @type {HTMLInputElement} */ (place.querySelector("input")).value;
// What keeps it from being sent, in a sentence, where the server said one.
let trouble = "";

/** @param {string} text */
function panel(text) {
  const box = make("div", undefined, "panel conflict mb-2");
  box.role = "status";
  box.append(make("p", text));
  return box;
}

/** @param {Outbox} outbox */
function show({ entries, others, discard }) {
  for (const box of place.querySelectorAll(".panel")) box.remove();
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
    const names = [...new Set(others.map(({ typist }) => typist?.name || texts.somebody))].join(", ");
    place.append(panel(fill(texts.others, { names, n: others.length })));
  }
}

async function begin() {
  /** Where all of it has arrived, the page shows it as the server has it. */
  const arrived = () => (outbox.entries.length ? show(outbox) : location.reload());
  const outbox = await open(address, { who }, {
    post: (letter, to) => post(request, to, letter, token),
    saved: arrived,
    late: arrived,
    refused: () => show(outbox),
    failed: (answer) => {
      trouble = answer?.body?.error ?? "";
      show(outbox);
    },
    changed: () => show(outbox),
  });
  show(outbox);
  // What was refused while the evening was open may find another answer now.
  const [first] = outbox.entries;
  if (first?.refused) outbox.again(first.key);
  else outbox.send();
}

begin();
