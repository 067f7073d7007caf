/*
 * What this phone has typed and the server has not answered yet: kept on the phone first, each entry chained to the one before, and sent in
 * order, once each; what found no net goes out as soon as the server answers again. A request that fails or takes too long decides that,
 * never the browser's own idea of being online. What the server refuses stays, with its reason, and holds back what was typed after it. It
 * shows nothing.
 */
import { isEdit } from "./lines.js";
import { isOnlyHere, read, writeEntries } from "./stored.js";

const PAUSES = [2, 4, 8, 16, 30];
// Answers about the entry itself. Any other (no login, no right, a server that is busy) is about who sends it, or when.
const REFUSALS = [409, 422];
// Whoever may not, or no longer, do something to a line decides about it; games behind it may be taken all the same.
const SHUT = [403, 404, 410];
// Kept by the server for somebody to decide about: no line of the sheet yet, and no longer this phone's to send.
const LATE = 202;

/** A UUID means the same without its dashes. @param {string} key */
const short = (key) => key.replaceAll("-", "");

/** As it is sent: without what says nothing. Who sits down comes by id, and by name whom only this phone knows. @param {OutboxEntry} entry */
export function letter(entry) {
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
  // Chrome below 119 asks for this alone.
  event.returnValue = "";
}

// ---- sent ----

/**
 * @param {(address: string, options: RequestInit) => Promise<Response>} ask
 * @param {string} address
 * @param {object} letter
 * @param {string} token  of the page, where the browser has no newer one
 * @returns {Promise<Answer>}
 */
export async function post(ask, address, letter, token) {
  const answer = await ask(address, {
    method: "POST",
    credentials: "same-origin",
    // Whoever taps on at once takes nothing of it back.
    keepalive: true,
    referrerPolicy: "origin",
    headers: {
      "Content-Type": "application/json",
      "X-CSRFToken": document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? token,
      // Who types here: a login, or a person who came by the link of the table.
      "Typed-By": document.body.dataset.who ?? "",
    },
    body: JSON.stringify(letter),
  });
  return { status: answer.status, body: answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null };
}

/**
 * The outbox of one table, known by the address its entries go to. What was typed here under another login is among the `others`, and waits
 * for `me` to adopt it or for whoever typed it to come back.
 *
 * `flight` is the sending of the first entry while it lasts, `held` the key of an entry that is not to be sent now, and `isStuck` says
 * that something has waited longer than one try. `isUnread` says that what waits here could not be read, `isOnlyHere` that something is kept
 * in this open page only.
 *
 * @typedef {object} Told
 * @property {(letter: object, address: string) => Promise<Answer>} post  sends one
 * @property {(body: Taken, entry: OutboxEntry) => void} saved  what the server answered
 * @property {(body: Taken & {late: string}, entry: OutboxEntry) => void} late  it came too late, and is the server's all the same
 * @property {(body: Refused, entry: OutboxEntry) => void} refused
 * @property {(answer: Answer | null) => void} failed  what kept everything from being sent; nothing, where no answer came
 * @property {() => void} changed  the outbox looks different
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
    add, adopt, discard, again, mend, send,
  };
  let isReseated = false;
  let failures = 0;
  let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);

  /** Resolves once what changed last is stored. */
  let stored = Promise.resolve();
  /** Keep on this phone what changed, and say so where no store takes it. @type {typeof writeEntries} */
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

  /** Is this entry done with, for good or ill? @param {OutboxEntry} entry */
  async function deliver(entry) {
    // By the time of a second try, or since people sat down here, others sit at the table, and the server may have forgotten who did.
    const people = (outbox.isStuck || isReseated) && !entry.to ? entry.seats : undefined;
    const answer = await post({ people, ...letter(entry) }, entry.to ?? address).catch(() => null);
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
      // What is said then depends on where it is kept.
      await stored;
      failed(answer);
    }
    return isSaved || isRefused;
  }

  /**
   * What was typed for those who sit down is for their round, and for the ids that the server gave them.
   * @param {OutboxEntry} entry
   * @param {Pick<Seated, "round" | "people">} told
   */
  function seat({ key, seats }, { round, people }) {
    /** @param {number[]} [ids] */
    const known = (ids) => ids?.map((player) => people[seats.indexOf(player)] ?? player);
    isReseated = true;
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
   * The last of the chain of its people from now on: those who sat here before have one of their own, and sitting down is in none, nor is
   * what is about a line that stands. It is written down while it is sent, so that a page that is killed meanwhile loses nothing; resolves
   * once it is.
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

  /** What others typed goes out behind it, in the name of whoever is here now. The keys stay: some of it may have arrived. */
  function adopt() {
    for (const entry of others.splice(0)) add(entry);
    changed();
  }

  /**
   * Take an entry out; what came after it follows what stands there now. Answers what that is. A line that is not struck out after all has
   * behind it what was typed for its place.
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

  /** Send a refused entry again in its place, behind what was in the way, or in the place of what stands there by now. @param {string} key */
  function again(key) {
    const entry = entries[place(key)];
    const { after = entry.after, before = entry.before, standing } = entry.refused ?? {};
    const version = standing && entry.version !== undefined ? standing.version : entry.version;
    Object.assign(entry, { after, refused: null }, before && { before }, version && { version });
    store([entry]);
    release(key);
  }

  /**
   * Other content in its place. A new line gets another key: the old one may have arrived, with the old content.
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
