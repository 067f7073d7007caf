/*
 * The outbox: entries that the server has not answered yet. They are stored first, chained to the one before, and sent in order, once each;
 * after a failure they are retried as soon as the server answers. A request that fails or takes too long counts as offline, not the browser's
 * flag. A refused entry stays with its reason and holds back those behind it. No access to the page.
 */
import { fill } from "../dom.ts";

// ---- entries ----

/** Return an entry as the rules read a line. */
export const toDeal = (entry: OutboxEntry) => ({ ...entry, table: entry.seats.length });

/** Return the sentence about entries of other authors, with their names. */
export const describeOthers = (others: OutboxEntry[], texts: Record<string, string>) =>
  fill(texts.others, { names: [...new Set(others.map(({ typist }) => typist?.name || texts.another_user))].join(", "), n: others.length });

export const isEdit = ({ version, beside }: Pick<OutboxEntry, "version" | "beside">) => version !== undefined || beside !== undefined;

/** Return the edit of a waiting entry, for new content in its place. It replaces the present version. */
export function getEdit({ key, version, beside, to, after, refused }: OutboxEntry): Edit | null {
  if (beside !== undefined) return { beside, to, round: "", after };
  return version === undefined ? null : { key, version: refused?.standing?.version ?? version, to, round: "" };
}

export function makeKey() {
  // randomUUID needs HTTPS or localhost; in a pub's network there may be neither.
  return crypto.randomUUID?.() ?? randomKey();
}

function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

// ---- stored on this phone: in IndexedDB; if it fails, in localStorage; if that fails too, in the open page only ----

const STORE = "entries";
// Keys in localStorage; the value null means that the entry was deleted.
const BESIDE = "entry ";

/** Entries that neither store accepted, by key; null means deleted. */
const onlyHere = new Map<string, OutboxEntry | null>();

let database: Promise<IDBDatabase> | null = null;

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function openDatabase() {
  const opening = indexedDB.open("club-ledger", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "key" });
  return settled(opening);
}

async function transact<T>(work: (store: IDBObjectStore) => IDBRequest<T> | void, mode: IDBTransactionMode): Promise<T> {
  const opened = await (database ??= openDatabase());
  return new Promise((resolve, reject) => {
    const transaction = opened.transaction(STORE, mode);
    const request = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve((request as IDBRequest<T>)?.result);
    transaction.onabort = () => reject(transaction.error);
    // From here on it survives if the page is killed.
    transaction.commit?.();
  });
}

/** Try twice, because an iPhone loses its connection in the background. */
async function run<T>(work: (store: IDBObjectStore) => IDBRequest<T> | void, mode: IDBTransactionMode): Promise<T> {
  for (let isLast = false; ; isLast = true) {
    try {
      return await transact(work, mode);
    } catch (error) {
      database = null;
      if (isLast) throw error;
    }
  }
}

/** Return the entries in localStorage, by key. */
function besideDatabase(): [string, OutboxEntry | null][] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(BESIDE));
    return names.map((name) => [name.slice(BESIDE.length), JSON.parse(localStorage.getItem(name) ?? "null")]);
  } catch {
    // Some browsers refuse localStorage.
    return [];
  }
}

function keepBeside(key: string, entry: OutboxEntry | null) {
  try {
    localStorage.setItem(BESIDE + key, JSON.stringify(entry));
    onlyHere.delete(key);
  } catch {
    onlyHere.set(key, entry);
  }
}

async function writeNow(changed: OutboxEntry[], gone: { key: string }[]) {
  const beside = new Map([...besideDatabase(), ...onlyHere]);
  const now: [string, OutboxEntry | null][] = [...gone.map(({ key }) => [key, null] as [string, null]), ...changed.map((entry) => [entry.key, entry] as [string, OutboxEntry])];
  try {
    await run((store) => {
      for (const [key, entry] of new Map([...beside, ...now])) {
        if (entry) store.put(entry);
        else store.delete(key);
      }
    }, "readwrite");
  } catch {
    for (const [key, entry] of new Map([...onlyHere, ...now])) keepBeside(key, entry);
    return;
  }
  for (const key of beside.keys()) {
    onlyHere.delete(key);
    if (globalThis.localStorage?.getItem(BESIDE + key)) localStorage.removeItem(BESIDE + key);
  }
}

let writing: Promise<void> = Promise.resolve();

/** Put and delete entries in one go, so that a chain is never half written. Never rejects: `isOnlyHere` says what no store took. */
const writeEntries = (changed: OutboxEntry[], gone: { key: string }[] = []) => (writing = writing.then(() => writeNow(changed, gone)));

/** Return whether an entry would be lost with this page. */
export const isOnlyHere = () => [...onlyHere.values()].some(Boolean);

/** Return the entries that wait for this address, or for any, in order; `isUnread` says that IndexedDB did not answer. */
export async function read(address?: string) {
  let isUnread = false;
  const stored = await run((store) => store.getAll() as IDBRequest<OutboxEntry[]>, "readonly").catch(() => {
    isUnread = true;
    return [] as OutboxEntry[];
  });
  const rows = new Map([...stored.map((entry) => [entry.key, entry] as [string, OutboxEntry | null]), ...besideDatabase(), ...onlyHere]);
  const entries: OutboxEntry[] = [];
  for (const entry of rows.values()) if (entry && (!address || entry.address === address)) entries.push(entry);
  return { isUnread, entries: entries.sort((a, b) => Number(a.place) - Number(b.place)) };
}

// ---- sent ----

// Milliseconds without an answer that count as no network; the user is told earlier.
export const PATIENCE = 8000;
export const SOON = 2500;

/** Send a request that fails if it takes too long. @param hear  called with whether the server was reached */
export async function request(address: string, options: RequestInit, hear: (isReached: boolean) => void = () => {}) {
  const late = setTimeout(hear, SOON, false);
  try {
    const answer = await fetch(address, { ...options, signal: AbortSignal.timeout(PATIENCE) });
    hear(true);
    return answer;
  } catch (error) {
    hear(false);
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Send an entry. @param token  the CSRF token of the page, if there is no newer cookie */
export async function post(address: string, body: object, token: string, hear?: (isReached: boolean) => void): Promise<Answer> {
  const options = {
    method: "POST",
    credentials: "same-origin",
    // The next tap does not undo it.
    keepalive: true,
    referrerPolicy: "origin",
    headers: {
      "Content-Type": "application/json",
      "X-CSRFToken": document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? token,
      // The author here: a login, or a player who opened the link of the table.
      "Typed-By": document.body.dataset.who ?? "",
    },
    body: JSON.stringify(body),
  } as const;
  const answer = await request(address, options, hear);
  return { status: answer.status, body: answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null };
}

// ---- the outbox ----

const PAUSES = [2, 4, 8, 16, 30];
// Statuses that concern the entry itself. Others (no login, no right, a busy server) concern the sender or the moment.
const REFUSALS = [409, 422];
// Without the right to change a line the user decides; games behind it can still be sent.
const SHUT = [403, 404, 410];
// The server keeps it as a late entry: no line of the sheet yet, and not to be sent again.
const LATE = 202;

/** Remove the dashes of a UUID. */
const short = (key: string) => key.replaceAll("-", "");

/** Return the body to send, without empty fields. Players are sent by id, or by name if only this phone knows them. */
export function buildBody(entry: OutboxEntry) {
  if (entry.letter) return entry.letter;
  const { key, after, round, form, dealer, note, facts, seats, before, names, version } = entry;
  if (before) return { key, before, people: seats.map((player) => names?.[player] ?? player) };
  if (form === "deletion") return { version, confirm: true };
  const typed = { form: form === "played" ? undefined : form, dealer, note: note || undefined, ...facts };
  if (isEdit(entry)) return { ...(version === undefined ? { key } : { version }), confirm: true, ...typed };
  return { key: short(key), after: short(after), round, ...typed };
}

const inWords = ({ errors, error }: { errors?: Record<string, string>; error?: string }): string[] =>
  (errors ? Object.values(errors) : error ? [error] : []);

export function askBeforeLeaving(event: BeforeUnloadEvent) {
  event.preventDefault();
  // Chrome before 119 needs this.
  event.returnValue = "";
}

/** What the page does for its outbox, and hears from it. */
interface Told {
  post: (letter: object, address: string) => Promise<Answer>; // send one entry
  saved: (body: Taken, entry: OutboxEntry) => void; // hear the server's answer
  late: (body: Taken & { late: string }, entry: OutboxEntry) => void; // hear that it is a late entry
  refused: (body: Refused, entry: OutboxEntry) => void;
  failed: (answer: Answer | null) => void; // hear why nothing can be sent; null without an answer
  changed: () => void; // hear that the outbox has changed
}

/**
 * Open the outbox of one table, identified by the address of its entries. Entries of another author are among the `others`: `me` can adopt them, or
 * they wait for their author.
 *
 * `flight` is the running request for the first entry, `held` the key of an entry that must not be sent now. `isStuck`: an entry has waited longer
 * than one try. `isUnread`: stored entries could not be read. `isOnlyHere`: an entry is stored in this open page only. `isReseated`: entries may be
 * for other people than the server has at the table.
 */
export async function open(address: string, me: Typist, { post, saved, late, refused, failed, changed }: Told) {
  const { isUnread, entries: found } = await read(address);
  const isMine = ({ typist }: OutboxEntry) => !typist || typist.who === me.who;
  const entries = found.filter(isMine);
  const others = found.filter((entry) => !isMine(entry));
  const outbox = {
    entries,
    others,
    flight: null as Promise<boolean | null> | null,
    held: null as string | null,
    isStuck: entries.length > 0,
    isUnread,
    isOnlyHere: false,
    isReseated: false,
    add, adopt, discard, again, mend, send,
  };
  let failures = 0;
  let timer = undefined as ReturnType<typeof setTimeout> | undefined;

  /** Resolves once the last change is stored. */
  let stored = Promise.resolve();
  /** Store changes on this phone, and report if no store accepts them. */
  const store: typeof writeEntries = (rows, gone) =>
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

  /** Send an entry; return whether it is settled. */
  async function deliver(entry: OutboxEntry) {
    // On a retry, or after a change of line-up, others may sit at the table and the round may be deleted.
    const people = (outbox.isStuck || outbox.isReseated) && !entry.to ? entry.seats : undefined;
    const answer = await post({ people, ...buildBody(entry) }, entry.to ?? address).catch(() => null);
    const isLate = answer?.body && answer.status === LATE;
    const isSaved = answer?.body && answer.status <= LATE;
    const isRefused = answer && (answer.body ? REFUSALS : isEdit(entry) ? SHUT : []).includes(answer.status);
    if (isSaved) {
      entries.shift();
      if (entry.before) seat(entry, answer.body as Seated);
      store(entry.before ? entries : [], [entry]);
    }
    if (isRefused) {
      const { after, standing, before } = (answer.body ?? {}) as Refused;
      entry.refused = { sentences: inWords(answer.body ?? {}), after, standing, ...(before && { before }) };
      store([entry]);
    }
    if (isSaved || isRefused) failures = 0;
    outbox.isStuck = entries.length > 0 && (outbox.isStuck || !isSaved);
    if (isLate) late(answer.body as Taken & { late: string }, entry);
    else if (isSaved) saved(answer.body as Taken, entry);
    else if (isRefused) refused((answer.body ?? {}) as Refused, entry);
    else {
      // The message depends on where the entry is stored.
      await stored;
      failed(answer);
    }
    return isSaved || isRefused;
  }

  /** Give the entries of a new line-up its round and the ids of the server. */
  function seat({ key, seats }: OutboxEntry, { round, people }: Pick<Seated, "round" | "people">) {
    const known = (ids?: number[]) => ids?.map((player) => people[seats.indexOf(player)] ?? player);
    outbox.isReseated = true;
    for (const entry of entries) {
      if (entry.round === key) entry.round = String(round);
      Object.assign(entry, { seats: known(entry.seats) }, entry.before && { before: known(entry.before) });
    }
  }

  const place = (key: string) => entries.findIndex((entry) => entry.key === key);
  const follower = (key: string) => entries.find((entry) => entry.after === key);

  /**
   * Append an entry to the chain of its line-up. Each line-up has a chain of its own; line-ups themselves and changes of saved lines are in none.
   * The entry is stored while it is sent, so that nothing is lost if the page is killed; resolves once it is stored.
   */
  function add(entry: OutboxEntry) {
    const isChained = (one: OutboxEntry) => one.round === entry.round && !one.before && !isEdit(one);
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
   */
  function discard(key: string) {
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

  /** Send a refused entry again, behind the line that was in the way, or for the present version. */
  function again(key: string) {
    const entry = entries[place(key)];
    const { after = entry.after, before = entry.before, standing } = entry.refused ?? {};
    const version = standing && entry.version !== undefined ? standing.version : entry.version;
    Object.assign(entry, { after, refused: null }, before && { before }, version && { version });
    store([entry]);
    release(key);
  }

  /** Replace the content of an entry. A new line gets another key, since the old content may have arrived under the old one. */
  function mend(key: string, mended: Omit<OutboxEntry, "after">) {
    const entry = entries[place(key)];
    const next = follower(key);
    Object.assign(entry, { after: entry.refused?.after ?? entry.after, refused: null }, mended);
    if (next) next.after = entry.key;
    store(next ? [entry, next] : [entry], [{ key }]);
    release(key);
  }

  function release(key: string) {
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
