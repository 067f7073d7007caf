/*
 * Store waiting entries (types.d.ts) in IndexedDB. If IndexedDB fails, also after a retry, they go to localStorage; if that fails too, they stay
 * in the open page only. They move back as soon as IndexedDB works.
 */
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
export const writeEntries = (changed: OutboxEntry[], gone: { key: string }[] = []) => (writing = writing.then(() => writeNow(changed, gone)));

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
