/*
 * Handle waiting entries: the buttons of their boxes, taps on their lines, and the undo of the last one.
 */
import { all, field, find } from "../dom.js";
import { takeFocus } from "../focus.js";
import { begin, fillIn, isIdle, outbox, page, round, state, undoForm, update } from "./board.js";
import { fitsForm } from "./draft.js";
import { makeKey } from "./keys.js";
import { isEdit } from "./lines.js";
import { say } from "./panels.js";
import { form, isShort } from "./pills.js";
import { isBusy } from "./state.js";

const redealing = /** @type {HTMLFormElement} */ (find("redeal"));

/** Run the action of a button in a box. @param {Act} what @param {string} key */
export function settle(what, key) {
  if (!outbox) return;
  if (["again", "leave"].includes(what) && state.mending === key) begin();
  if (what === "again") outbox.again(key);
  if (what === "mend") hold(key);
  if (what === "open") location.assign(`?form=${isShort ? "played" : "short"}`);
  if (what === "discard") takeOut(key);
  if (what === "anew") enterAnew(key);
  if (what === "leave") {
    outbox.held = null;
    update();
    outbox.send();
  }
  if (what === "adopt") {
    outbox.adopt();
    // The earlier entry goes first: the next game is another one now.
    if (isIdle()) begin();
  }
}

/** Remove a waiting entry. A game that is being typed behind it follows the line before. @param {string} key */
function takeOut(key) {
  if (state.mending === key) begin();
  const gone = outbox?.entries.find((entry) => entry.key === key);
  const after = outbox?.discard(key) ?? "";
  const was = gone?.form === "deletion" ? gone.after : key;
  for (const place of [form, redealing]) if (field(place, "after").value === was) field(place, "after").value = after;
  if (isIdle()) begin();
}

/** Add the content of a change as a new line behind the last one, because its line is gone. @param {string} key */
function enterAnew(key) {
  const found = outbox?.entries.find((entry) => entry.key === key);
  if (!outbox || !found) return;
  const { form: kind, dealer, note, facts, seats } = found;
  takeOut(key);
  const { after, round: next } = state.upcoming;
  outbox.add({ key: makeKey(), after, round: String(next), form: kind, dealer, note, facts, seats });
  (isBusy(state) ? update : begin)();
}

/** Hold a waiting entry that was tapped on the sheet: it can be edited or removed, and is not sent meanwhile. @param {string} key */
export async function hold(key) {
  if (outbox?.flight && outbox.entries[0].key === key) await outbox.flight;
  const entry = outbox?.entries.find((one) => one.key === key);
  if (!outbox || !entry || outbox.held === key) return;
  outbox.held = key;
  const isHere = isEdit(entry) ? fitsForm(entry, page) : entry.round === round();
  if (entry.form === field(form, "form").value && isHere) fillIn(entry);
  update();
  find("outbox").scrollIntoView({ block: "center" });
  takeFocus(find("outbox"), all(`#rows tr[data-key="${key}"] a`)[0]);
  outbox.send();
}

/**
 * Undo the last entry: remove it from the outbox while it waits. If it is being sent, wait for the answer first.
 * @param {Event} event
 */
export async function undo(event) {
  const last = outbox?.entries.at(-1);
  if (!outbox || !last) return;
  event.preventDefault();
  if (outbox.flight && outbox.entries.length === 1) await outbox.flight;
  if (!outbox.entries.includes(last)) return undoForm.requestSubmit();
  takeOut(last.key);
  say(page.texts.taken_back);
}
