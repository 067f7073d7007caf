/*
 * Actions beside the form in one tap: a penalty, and players who come, go or swap seats. They are sent like a game.
 */
import { all, fill, find } from "../dom.ts";
import { begin, change, getDraft, getNextSeats, outbox, page, round, state, update } from "./board.ts";
import { fitsForm } from "./draft.ts";
import { closeSoon } from "./drawers.ts";
import { buildRedeal } from "./fields.ts";
import { makeKey } from "./lines.ts";
import { offerPenalties, say } from "./panels.ts";
import { form } from "./pills.ts";
import { offerSeats } from "./seating.ts";
import { isBusy } from "./state.ts";

const penalties = form.querySelector('.beside [href="?form=penalty"]') as HTMLAnchorElement;
const seating = all('.beside [href*="#"]', form) as HTMLAnchorElement[];

/** @param keep  adds a line to the sheet */
export function prepareBeside(keep: (entry: OutboxEntry) => void, opening: Promise<Outbox>) {
  const offered = seating.map((link) => [link, () => offerSeats(link, getNextSeats(), page, seatPeople)] as const);
  if (page.penalties.length) offered.push([penalties, () => offerPenalties(penalties, page, punish)]);
  for (const [link, offer] of offered) {
    link.setAttribute("aria-expanded", "false");
    link.addEventListener("click", (event) => {
      event.preventDefault();
      offer();
    });
  }

  /** Add a penalty at once. A game that is being typed stays and follows it, unless the penalty uses up its deal. */
  function punish({ lost, won, reason, dealt }: Penalty, offender: number) {
    if ("done" in find("penalties").dataset) return;
    if (state.mending) return say(page.texts.decide, true);
    const entry = { ...buildRedeal(page.seats), key: makeKey() };
    const points = page.seats.map((_, seat) => (seat === offender ? lost : won));
    if (isBusy(state) && !dealt) change({ type: "set aside", draft: getDraft(entry.key) });
    closeSoon(find("penalties"));
    keep({ ...entry, form: "penalty", dealer: dealt ? entry.dealer : null, facts: { points, reason } });
  }

  /** Seat these players from the next game on. A game that is being typed stays for the present players. */
  async function seatPeople(seats: number[]) {
    if ("done" in find("seating").dataset) return;
    if (!fitsForm({ seats }, page) && !state.isReached) return say(page.texts.other_size, true);
    closeSoon(find("seating"));
    const { add } = outbox ?? (await opening);
    const before = getNextSeats();
    const names = Object.fromEntries([...before, ...seats].filter((player) => player < 0).map((player) => [player, page.names[player]]));
    const entry = { key: makeKey(), after: "", round: round(), form: "seats" as const, dealer: null, note: "", facts: {} };
    add({ ...entry, seats, before, names, to: seating[0].pathname });
    (isBusy(state) ? update : begin)();
    say(fill(page.texts.seated, { names: seats.map((player) => page.names[player]).join(", ") }));
  }
}
