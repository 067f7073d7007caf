/*
 * Where what was typed waits on this phone: rows of one shape (shapes.js) in IndexedDB, in the order in which they were typed.
 */
const STORE = "entries";

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** The entries in IndexedDB; a browser that refuses it keeps them in the open page only. */
async function storage() {
  /** @type {IDBDatabase} */
  let database;
  try {
    const opening = indexedDB.open("club-ledger", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "key" });
    database = await settled(opening);
  } catch {
    return { all: async () => /** @type {OutboxEntry[]} */ ([]), write: async () => {} };
  }
  /**
   * @template T
   * @param {(store: IDBObjectStore) => IDBRequest<T> | void} work
   * @param {IDBTransactionMode} mode
   * @returns {Promise<T>}
   */
  const run = (work, mode) =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(/** @type {IDBRequest<T>} */ (request)?.result);
      transaction.onabort = () => reject(transaction.error);
      // Not even a page that is killed now takes it along.
      transaction.commit?.();
    });
  return {
    /** @returns {Promise<OutboxEntry[]>} */
    all: () => run((store) => store.getAll(), "readonly"),
    /**
     * Put and take away in one go, so that a chain is never half written. A full phone keeps the rest in the open page.
     * @param {OutboxEntry[]} changed
     * @param {{key: string}[]} [gone]
     */
    write: (changed, gone = []) =>
      run((store) => {
        for (const { key } of gone) store.delete(key);
        for (const entry of changed) store.put(entry);
      }, "readwrite").catch(() => {}),
  };
}

/**
 * What waits for this address, or for any, in order, and the storage it waits in.
 * @param {string} [address]
 */
export async function read(address) {
  const kept = await storage();
  const entries = (await kept.all()).filter((entry) => !address || entry.address === address).sort((a, b) => Number(a.place) - Number(b.place));
  return { kept, entries };
}
