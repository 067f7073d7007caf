/*
 * What is done about entries that wait: the buttons of their boxes, a tap on their lines, and taking the last one back.
 */
import { all, field, find } from "../dom.js";
import { takeFocus } from "../focus.js";
import { begin, fillIn, isIdle, outbox, page, round, state, undoForm, update } from "./board.js";
import { asksTheSame } from "./draft.js";
import { newKey } from "./keys.js";
import { isEdit } from "./lines.js";
import { say } from "./panels.js";
import { form, isShort } from "./pills.js";
import { isBusy } from "./state.js";

const redealing = /** @type {HTMLFormElement} */ (find("redeal"));

/** What a button of a box does. @param {Act} what @param {string} key */
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
    // What was typed before goes out first: the next game is another one now.
    if (isIdle()) begin();
  }
}

/** Take out what waits. What is being typed behind it follows what stands there now. @param {string} key */
function takeOut(key) {
  if (state.mending === key) begin();
  const gone = outbox?.entries.find((entry) => entry.key === key);
  const after = outbox?.discard(key) ?? "";
  const was = gone?.form === "deletion" ? gone.after : key;
  for (const place of [form, redealing]) if (field(place, "after").value === was) field(place, "after").value = after;
  if (isIdle()) begin();
}

/** The line that it was to be done to is gone: what was typed goes behind the last one. @param {string} key */
function enterAnew(key) {
  const found = outbox?.entries.find((entry) => entry.key === key);
  if (!outbox || !found) return;
  const { form: kind, dealer, note, facts, seats } = found;
  takeOut(key);
  const { after, round: next } = state.upcoming;
  outbox.add({ key: newKey(), after, round: String(next), form: kind, dealer, note, facts, seats });
  (isBusy(state) ? update : begin)();
}

/** Tapped on the sheet: what waits can be mended or taken out, and is not sent meanwhile. @param {string} key */
export async function hold(key) {
  if (outbox?.flight && outbox.entries[0].key === key) await outbox.flight;
  const entry = outbox?.entries.find((one) => one.key === key);
  if (!outbox || !entry || outbox.held === key) return;
  outbox.held = key;
  const isHere = isEdit(entry) ? asksTheSame(entry, page) : entry.round === round();
  if (entry.form === field(form, "form").value && isHere) fillIn(entry);
  update();
  find("outbox").scrollIntoView({ block: "center" });
  takeFocus(find("outbox"), all(`#rows tr[data-key="${key}"] a`)[0]);
  outbox.send();
}

/**
 * The last thing entered is taken out of the outbox as long as it waits; what is just on its way is answered first.
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
