/*
 * The page of a table that this phone may not change any more, because the evening is closed or the link has ended. Waiting entries are sent and
 * become late entries; those that cannot be sent stay here with the reason.
 */
import { fill, make, makeBox } from "../dom.ts";
import { describeOthers, open, post } from "./outbox.ts";

const unsent = document.getElementById("unsent") as HTMLElement;
const texts = { ...unsent.dataset } as Record<string, string>;
const { who = "" } = document.body.dataset;
const token = (unsent.querySelector("input") as HTMLInputElement).value;

/** @param trouble  the server's sentence why it cannot be sent */
function show(place: HTMLElement, { entries, others, discard }: Outbox, trouble = "") {
  place.replaceChildren();
  if (entries.length) {
    const { key, refused } = entries[0];
    const why = refused ? refused.sentences : [trouble].filter(Boolean);
    place.append(makeBox("status", [fill(texts.text, { n: entries.length }), ...why], refused ? [[texts.discard, () => discard(key)]] : []));
  }
  if (others.length) place.append(makeBox("status", [describeOthers(others, texts)], []));
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
