/*
 * The page of a table that this phone may not change any more, because the evening is closed or the link has ended. Waiting entries are sent and
 * become late entries; those that cannot be sent stay here with the reason.
 */
import { fill, make } from "../dom.ts";
import { open } from "./outbox.ts";
import { post } from "./request.ts";

const unsent = document.getElementById("unsent") as HTMLElement;
const texts = { ...unsent.dataset } as Record<string, string>;
const { who = "" } = document.body.dataset;
const token = (unsent.querySelector("input") as HTMLInputElement).value;

function panel(text: string) {
  const box = make("div", undefined, "panel conflict mb-2");
  box.role = "status";
  box.append(make("p", text));
  return box;
}

/** @param trouble  the server's sentence why it cannot be sent */
function show(place: HTMLElement, { entries, others, discard }: Outbox, trouble = "") {
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

/** Show the entries for this address. */
async function begin(path: string) {
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
