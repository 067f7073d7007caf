/*
 * The outbox: entries that the server has not answered yet. They are stored first, chained to the one before, and sent in order, once each;
 * after a failure they are retried as soon as the server answers. A request that fails or takes too long counts as offline, not the browser's
 * flag. A refused entry stays with its reason and holds back those behind it. No access to the page.
 */
import { isEdit } from "./lines.js";
import { isOnlyHere, read, writeEntries } from "./stored.js";

const PAUSES = [2, 4, 8, 16, 30];
// Statuses that concern the entry itself. Others (no login, no right, a busy server) concern the sender or the moment.
const REFUSALS = [409, 422];
// Without the right to change a line the user decides; games behind it can still be sent.
const SHUT = [403, 404, 410];
// The server keeps it as a late entry: no line of the sheet yet, and not to be sent again.
const LATE = 202;

/** Remove the dashes of a UUID. @param {string} key */
const short = (key) => key.replaceAll("-", "");

/** Return the body to send, without empty fields. Players are sent by id, or by name if only this phone knows them. @param {OutboxEntry} entry */
export function buildBody(entry) {
  if (entry.letter) return entry.letter;
  const { key, after, round, form, dealer, note, facts, seats, before, names, version } = entry;
  if (before) return { key, before, people: seats.map((player) => names?.[player] ?? player) };
  if (form === "deletion") return { version, confirm: true };
  const typed = { form: form === "played" ? undefined : form, dealer, note: note || undefined, ...facts };
  if (isEdit(entry)) return { ...(version === undefined ? { key } : { version }), confirm: true, ...typed };
  return { key: short(key), after: short(after), round, ...typed };
}

/** @param {{errors?: Record<string, string>, error?: string}} body @returns {string[]} */
const inWords = ({ errors, error }) => (errors ? Object.values(errors) : error ? [error] : []);

/** @param {BeforeUnloadEvent} event */
export function askBeforeLeaving(event) {
  event.preventDefault();
  // Chrome before 119 needs this.
  event.returnValue = "";
}

/**
 * Open the outbox of one table, identified by the address of its entries. Entries of another author are among the `others`: `me` can adopt them, or
 * they wait for their author.
 *
 * `flight` is the running request for the first entry, `held` the key of an entry that must not be sent now. `isStuck`: an entry has waited longer
 * than one try. `isUnread`: stored entries could not be read. `isOnlyHere`: an entry is stored in this open page only. `isReseated`: entries may be
 * for other people than the server has at the table.
 *
 * @typedef {object} Told
 * @property {(letter: object, address: string) => Promise<Answer>} post  send one entry
 * @property {(body: Taken, entry: OutboxEntry) => void} saved  hear the server's answer
 * @property {(body: Taken & {late: string}, entry: OutboxEntry) => void} late  hear that it is a late entry
 * @property {(body: Refused, entry: OutboxEntry) => void} refused
 * @property {(answer: Answer | null) => void} failed  hear why nothing can be sent; null without an answer
 * @property {() => void} changed  hear that the outbox has changed
 *
 * @param {string} address
 * @param {Typist} me
 * @param {Told} told
 */
export async function open(address, me, { post, saved, late, refused, failed, changed }) {
  const { isUnread, entries: found } = await read(address);
  /** @param {OutboxEntry} entry */
  const isMine = ({ typist }) => !typist || typist.who === me.who;
  const entries = found.filter(isMine);
  const others = found.filter((entry) => !isMine(entry));
  const outbox = {
    entries,
    others,
    flight: /** @type {Promise<boolean | null> | null} */ (null),
    held: /** @type {string | null} */ (null),
    isStuck: entries.length > 0,
    isUnread,
    isOnlyHere: false,
    isReseated: false,
    add, adopt, discard, again, mend, send,
  };
  let failures = 0;
  let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);

  /** Resolves once the last change is stored. */
  let stored = Promise.resolve();
  /** Store changes on this phone, and report if no store accepts them. @type {typeof writeEntries} */
  const store = (rows, gone) =>
    (stored = writeEntries(rows, gone).then(() => {
      if (outbox.isOnlyHere === isOnlyHere()) return;
      outbox.isOnlyHere = isOnlyHere();
      changed();
    }));

  async function send() {
    if (outbox.flight) return;
    clearTimeout(timer);
    while (entries.length && !entries[0].refused && entries[0].key !== outbox.held) {
      outbox.flight = deliver(entries[0]).finally(() => (outbox.flight = null));
      if (await outbox.flight) continue;
      clearTimeout(timer);
      timer = setTimeout(send, PAUSES[Math.min(failures, PAUSES.length - 1)] * 1000);
      failures += 1;
      return;
    }
  }

  /** Send an entry; return whether it is settled. @param {OutboxEntry} entry */
  async function deliver(entry) {
    // On a retry, or after a change of line-up, others may sit at the table and the round may be deleted.
    const people = (outbox.isStuck || outbox.isReseated) && !entry.to ? entry.seats : undefined;
    const answer = await post({ people, ...buildBody(entry) }, entry.to ?? address).catch(() => null);
    const isLate = answer?.body && answer.status === LATE;
    const isSaved = answer?.body && answer.status <= LATE;
    const isRefused = answer && (answer.body ? REFUSALS : isEdit(entry) ? SHUT : []).includes(answer.status);
    if (isSaved) {
      entries.shift();
      if (entry.before) seat(entry, /** @type {Seated} */ (answer.body));
      store(entry.before ? entries : [], [entry]);
    }
    if (isRefused) {
      const { after, standing, before } = /** @type {Refused} */ (answer.body ?? {});
      entry.refused = { sentences: inWords(answer.body ?? {}), after, standing, ...(before && { before }) };
      store([entry]);
    }
    if (isSaved || isRefused) failures = 0;
    outbox.isStuck = entries.length > 0 && (outbox.isStuck || !isSaved);
    if (isLate) late(/** @type {Taken & {late: string}} */ (answer.body), entry);
    else if (isSaved) saved(/** @type {Taken} */ (answer.body), entry);
    else if (isRefused) refused(/** @type {Refused} */ (answer.body ?? {}), entry);
    else {
      // The message depends on where the entry is stored.
      await stored;
      failed(answer);
    }
    return isSaved || isRefused;
  }

  /**
   * Give the entries of a new line-up its round and the ids of the server.
   * @param {OutboxEntry} entry
   * @param {Pick<Seated, "round" | "people">} told
   */
  function seat({ key, seats }, { round, people }) {
    /** @param {number[]} [ids] */
    const known = (ids) => ids?.map((player) => people[seats.indexOf(player)] ?? player);
    outbox.isReseated = true;
    for (const entry of entries) {
      if (entry.round === key) entry.round = String(round);
      Object.assign(entry, { seats: known(entry.seats) }, entry.before && { before: known(entry.before) });
    }
  }

  /** @param {string} key */
  const place = (key) => entries.findIndex((entry) => entry.key === key);
  /** @param {string} key */
  const follower = (key) => entries.find((entry) => entry.after === key);

  /**
   * Append an entry to the chain of its line-up. Each line-up has a chain of its own; line-ups themselves and changes of saved lines are in none.
   * The entry is stored while it is sent, so that nothing is lost if the page is killed; resolves once it is stored.
   * @param {OutboxEntry} entry
   */
  function add(entry) {
    /** @param {OutboxEntry} one */
    const isChained = (one) => one.round === entry.round && !one.before && !isEdit(one);
    const last = isChained(entry) ? entries.filter(isChained).at(-1) : null;
    const chained = { ...entry, address, typist: me, refused: null, after: last?.key ?? entry.after, place: (entries.at(-1)?.place ?? 0) + 1 };
    entries.push(chained);
    store([chained]);
    send();
    return stored;
  }

  /** Send the entries of other authors behind it in the name of the present user. Their keys stay, since some may have arrived. */
  function adopt() {
    for (const entry of others.splice(0)) add(entry);
    changed();
  }

  /**
   * Remove an entry; the entry behind it follows the line before. Return the key of that line. After a removed deletion, entries for its place
   * follow the restored line.
   * @param {string} key
   */
  function discard(key) {
    const index = place(key);
    const [entry] = entries.splice(index, 1);
    const { refused, version, form } = entry;
    const after = version === undefined ? (refused?.after ?? entry.after) : key;
    const next = form === "deletion" ? entries.slice(index).find((one) => one.after === entry.after && !isEdit(one)) : follower(key);
    if (next) next.after = after;
    store(next ? [next] : [], [entry]);
    outbox.isStuck = outbox.isStuck && entries.length > 0;
    release(key);
    return after;
  }

  /** Send a refused entry again, behind the line that was in the way, or for the present version. @param {string} key */
  function again(key) {
    const entry = entries[place(key)];
    const { after = entry.after, before = entry.before, standing } = entry.refused ?? {};
    const version = standing && entry.version !== undefined ? standing.version : entry.version;
    Object.assign(entry, { after, refused: null }, before && { before }, version && { version });
    store([entry]);
    release(key);
  }

  /**
   * Replace the content of an entry. A new line gets another key, since the old content may have arrived under the old one.
   * @param {string} key
   * @param {Omit<OutboxEntry, "after">} mended
   */
  function mend(key, mended) {
    const entry = entries[place(key)];
    const next = follower(key);
    Object.assign(entry, { after: entry.refused?.after ?? entry.after, refused: null }, mended);
    if (next) next.after = entry.key;
    store(next ? [entry, next] : [entry], [{ key }]);
    release(key);
  }

  /** @param {string} key */
  function release(key) {
    if (outbox.held === key) outbox.held = null;
    changed();
    send();
  }

  for (const event of ["online", "pageshow"]) addEventListener(event, send);
  addEventListener("beforeunload", (event) => {
    if (isOnlyHere()) askBeforeLeaving(event);
  });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && send());
  return outbox;
}
