/*
 * Store waiting entries (shapes.js) in IndexedDB. If IndexedDB fails, also after a retry, they go to localStorage; if that fails too, they stay
 * in the open page only. They move back as soon as IndexedDB works.
 */
const STORE = "entries";
// Keys in localStorage; the value null means that the entry was deleted.
const BESIDE = "entry ";

/** Entries that neither store accepted, by key; null means deleted. @type {Map<string, OutboxEntry | null>} */
const onlyHere = new Map();

/** @type {Promise<IDBDatabase> | null} */
let database = null;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function openDatabase() {
  const opening = indexedDB.open("club-ledger", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "key" });
  return settled(opening);
}

/**
 * @template T
 * @param {(store: IDBObjectStore) => IDBRequest<T> | void} work
 * @param {IDBTransactionMode} mode
 * @returns {Promise<T>}
 */
async function transact(work, mode) {
  const opened = await (database ??= openDatabase());
  return new Promise((resolve, reject) => {
    const transaction = opened.transaction(STORE, mode);
    const request = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(/** @type {IDBRequest<T>} */ (request)?.result);
    transaction.onabort = () => reject(transaction.error);
    // From here on it survives if the page is killed.
    transaction.commit?.();
  });
}

/** Try twice, because an iPhone loses its connection in the background. @type {typeof transact} */
async function run(work, mode) {
  try {
    return await transact(work, mode);
  } catch {
    database = null;
  }
  try {
    return await transact(work, mode);
  } catch (error) {
    database = null;
    throw error;
  }
}

/** Return the entries in localStorage, by key. @returns {[string, OutboxEntry | null][]} */
function besideDatabase() {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(BESIDE));
    return names.map((name) => [name.slice(BESIDE.length), JSON.parse(localStorage.getItem(name) ?? "null")]);
  } catch {
    // Some browsers refuse localStorage.
    return [];
  }
}

/** @param {string} key @param {OutboxEntry | null} entry */
function keepBeside(key, entry) {
  try {
    localStorage.setItem(BESIDE + key, JSON.stringify(entry));
    onlyHere.delete(key);
  } catch {
    onlyHere.set(key, entry);
  }
}

/** @param {OutboxEntry[]} changed @param {{key: string}[]} gone */
async function writeNow(changed, gone) {
  const beside = new Map([...besideDatabase(), ...onlyHere]);
  /** @type {[string, OutboxEntry | null][]} */
  const now = [...gone.map(({ key }) => /** @type {[string, null]} */ ([key, null])), ...changed.map((entry) => /** @type {[string, OutboxEntry]} */ ([entry.key, entry]))];
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

/** @type {Promise<void>} */
let writing = Promise.resolve();

/**
 * Put and delete entries in one go, so that a chain is never half written. Never rejects: `isOnlyHere` says what no store took.
 * @param {OutboxEntry[]} changed
 * @param {{key: string}[]} [gone]
 */
export const writeEntries = (changed, gone = []) => (writing = writing.then(() => writeNow(changed, gone)));

/** Return whether an entry would be lost with this page. */
export const isOnlyHere = () => [...onlyHere.values()].some(Boolean);

/**
 * Return the entries that wait for this address, or for any, in order; `isUnread` says that IndexedDB did not answer.
 * @param {string} [address]
 */
export async function read(address) {
  let isUnread = false;
  const stored = await run((store) => /** @type {IDBRequest<OutboxEntry[]>} */ (store.getAll()), "readonly").catch(() => {
    isUnread = true;
    return /** @type {OutboxEntry[]} */ ([]);
  });
  const rows = new Map([...stored.map((entry) => /** @type {[string, OutboxEntry | null]} */ ([entry.key, entry])), ...besideDatabase(), ...onlyHere]);
  /** @type {OutboxEntry[]} */
  const entries = [];
  for (const entry of rows.values()) if (entry && (!address || entry.address === address)) entries.push(entry);
  return { isUnread, entries: entries.sort((a, b) => Number(a.place) - Number(b.place)) };
}
