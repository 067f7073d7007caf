/*
 * What this phone has typed and the server has not answered yet: kept on the phone first, each entry chained to the one before, and sent in
 * order, once each; what found no net goes out as soon as the server answers again. A request that fails or takes too long decides that,
 * never the browser's own idea of being online. What the server refuses stays, with its reason, and holds back what was typed after it. One
 * global, ClubLedgerOutbox; it touches no page.
 */
(() => {
  "use strict";

  const PAUSES = [2, 4, 8, 16, 30];
  const STORE = "entries";
  // Answers about the entry itself. Any other (no login, no right, a server that is busy) is about who sends it, or when.
  const REFUSALS = [409, 422];
  // Kept by the server for somebody to decide about: no line of the sheet yet, and no longer this phone's to send.
  const LATE = 202;

  // ---- kept on the phone ----

  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  /** The entries in IndexedDB; a browser that refuses it keeps them in the open page only. */
  async function storage() {
    let database = null;
    try {
      const opening = indexedDB.open("club-ledger", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "key" });
      database = await settled(opening);
    } catch {
      return { all: async () => [], write: async () => {} };
    }
    const run = (work, mode) =>
      new Promise((resolve, reject) => {
        const transaction = database.transaction(STORE, mode);
        const request = work(transaction.objectStore(STORE));
        transaction.oncomplete = () => resolve(request?.result);
        transaction.onabort = () => reject(transaction.error);
        // Not even a page that is killed now takes it along.
        transaction.commit?.();
      });
    return {
      all: () => run((store) => store.getAll(), "readonly"),
      /** Put and take away in one go, so that a chain is never half written. A full phone keeps the rest in the open page. */
      write: (changed, gone = []) =>
        run((store) => {
          for (const { key } of gone) store.delete(key);
          for (const entry of changed) store.put(entry);
        }, "readwrite").catch(() => {}),
    };
  }

  /** What waits for this address, or for any, in order, and the storage it waits in. */
  async function read(address) {
    const kept = await storage();
    const entries = (await kept.all()).filter((entry) => !address || entry.address === address).sort((a, b) => a.place - b.place);
    return { kept, entries };
  }

  /** As it is sent: without what says nothing. */
  const letter = ({ key, after, round, form, dealer, note, facts }) =>
    ({ key, after, round, form: form === "played" ? undefined : form, dealer, note: note || undefined, ...facts });

  const inWords = ({ errors, error }) => (errors ? Object.values(errors) : [error]);

  /*
   * The outbox of one table, known by the address its entries go to. `post` sends one and answers {status, body}. `saved` is told what the
   * server answered, `late` and `refused` that and the entry (one that came too late is the server's all the same), `failed` what kept everything from being sent (nothing, where no answer came), `changed`
   * that the outbox looks different. What was typed here under another login is among the `others`, and waits for `me` to adopt it or for
 * whoever typed it to come back.
   *
   * `flight` is the sending of the first entry while it lasts, `held` the key of an entry that is not to be sent now, and `isStuck` says
   * that something has waited longer than one try.
   */
  async function open(address, me, { post, saved, late, refused, failed, changed }) {
    const { kept, entries: found } = await read(address);
    const isMine = ({ typist }) => !typist || typist.who === me.who;
    const entries = found.filter(isMine);
    const others = found.filter((entry) => !isMine(entry));
    const outbox = { entries, others, flight: null, held: null, isStuck: entries.length > 0, add, adopt, discard, again, mend, send };
    let failures = 0;
    let timer = null;

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

    /** Is this entry done with, for good or ill? */
    async function deliver(entry) {
      // By the time of a second try others may sit at the table, and the server may have forgotten who did.
      const people = outbox.isStuck ? entry.seats : undefined;
      const answer = await post({ ...letter(entry), people }).catch(() => null);
      const isLate = answer?.body && answer.status === LATE;
      const isSaved = answer?.body && answer.status <= LATE;
      const isRefused = answer?.body && REFUSALS.includes(answer.status);
      if (isSaved) {
        entries.shift();
        kept.write([], [entry]);
      }
      if (isRefused) {
        const { after, standing } = answer.body;
        entry.refused = { sentences: inWords(answer.body), after, standing };
        kept.write([entry]);
      }
      if (isSaved || isRefused) failures = 0;
      outbox.isStuck = entries.length > 0 && (outbox.isStuck || !isSaved);
      if (isLate) late(answer.body, entry);
      else if (isSaved) saved(answer.body);
      else if (isRefused) refused(answer.body, entry);
      else failed(answer);
      return isSaved || isRefused;
    }

    const place = (key) => entries.findIndex((entry) => entry.key === key);
    const follower = (key) => entries.find((entry) => entry.after === key);

    /**
     * The last of the chain of its people from now on: those who sat here before have one of their own. It is written down while it is
     * sent, so that a page that is killed meanwhile loses nothing.
     */
    function add(entry) {
      const last = entries.filter(({ round }) => round === entry.round).at(-1);
      const chained = { ...entry, address, typist: me, refused: null, after: last?.key ?? entry.after, place: (entries.at(-1)?.place ?? 0) + 1 };
      entries.push(chained);
      kept.write([chained]);
      send();
    }

    /** What others typed goes out behind it, in the name of whoever is here now. The keys stay: some of it may have arrived. */
    function adopt() {
      for (const entry of others.splice(0)) add(entry);
      changed();
    }

    /** Take an entry out; what came after it follows what stands there now. Answers what that is. */
    function discard(key) {
      const index = place(key);
      const [entry] = entries.splice(index, 1);
      const after = entry.refused?.after ?? entry.after;
      const next = follower(key);
      if (next) next.after = after;
      kept.write(next ? [next] : [], [entry]);
      outbox.isStuck = outbox.isStuck && entries.length > 0;
      release(key);
      return after;
    }

    /** Send a refused entry again in its place, behind what was in the way. */
    function again(key) {
      const entry = entries[place(key)];
      Object.assign(entry, { after: entry.refused.after ?? entry.after, refused: null });
      kept.write([entry]);
      release(key);
    }

    /** Other content in its place. It gets another key: the old one may have arrived, with the old content. */
    function mend(key, mended) {
      const entry = entries[place(key)];
      const next = follower(key);
      Object.assign(entry, { after: entry.refused?.after ?? entry.after, refused: null }, mended);
      if (next) next.after = entry.key;
      kept.write(next ? [entry, next] : [entry], [{ key }]);
      release(key);
    }

    function release(key) {
      if (outbox.held === key) outbox.held = null;
      changed();
      send();
    }

    for (const event of ["online", "pageshow"]) addEventListener(event, send);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && send());
    return outbox;
  }

  // ---- what a waiting entry will look like on the sheet ----

  // A page that only counts what waits has no rules.
  const { fold, nextDealer, whoPlays, openBock } = globalThis.ClubLedgerScore ?? {};
  const asLine = ({ form, table, dealer, facts }) => ({ form, table, dealer, facts });

  /** Who has dealt in the running cycle, by seat now. */
  function dealtSince(lines, seats, rules) {
    const dealt = new Set();
    for (const line of lines) {
      if (line.ends_cycle) dealt.clear();
      else if (line.dealer !== null && !stays(line, rules)) dealt.add(seats.indexOf(line.seats[line.dealer]));
    }
    return dealt;
  }

  const stays = (line, rules) => nextDealer([asLine(line)], line.table, rules) === line.dealer;

  /**
   * The line of an entry behind `lines` (`chain` was open before them), and what the next game looks like then. What was played by others,
   * who sat here before, says nothing about who deals now.
   */
  function follow(entry, lines, ahead, rules, chain) {
    const { form, dealer, facts, note, key, seats } = entry;
    const table = seats.length;
    const typed = { form, table, dealer, facts };
    const before = lines.map(asLine);
    const found = fold([...before, typed], rules, chain).at(-1);
    const result = found.error ? { points: Array(table).fill(0), winners: [], winner: null, value: 0, bock: 0, bock_started: 0 } : found;
    const isGame = form === "played" || form === "short";
    const soloist = soloistOf(form, facts);
    const line = {
      ...result, key, form, table, dealer, facts, note, seats, soloist, waiting: true, version: 0, url: "",
      number: isGame ? ahead.number : null, cycle: ahead.cycle, ends_cycle: false, label: isGame ? String(ahead.number) : "",
      out: isGame ? seats.map((_, seat) => seat).filter((seat) => !(whoPlays(table, dealer, rules) ?? []).includes(seat)) : [],
    };
    const open = openBock([...before, typed], rules, chain);
    const number = ahead.number + (isGame ? 1 : 0);
    const bock_runs = isGame && !found.error ? runsBehind(ahead.bock_runs, line, rules) : ahead.bock_runs;
    if (entry.round !== String(ahead.round)) return { line, next: { ...ahead, number, bock: open, bock_runs, bock_origin: "", after: key } };
    if (dealer !== null && dealer !== ahead.dealer) line.turn = ahead.dealer;
    const dealt = dealtSince([...lines, line], seats, rules);
    line.ends_cycle = dealt.size === table;
    const owing = ahead.owing.filter((seat) => !(facts.duty && seat === soloist));
    const cycle = ahead.cycle + (line.ends_cycle ? 1 : 0);
    const { out, leader, soloist: forced } = ahead;
    // A penalty that no deal was used up by leaves the next one where it was.
    const following = dealer === null ? { dealer: ahead.dealer, out, leader, soloist: forced } : deal(line, cycle, owing, rules);
    const next = { number, cycle, owing, bock: open, bock_runs, bock_origin: "", after: key, round: ahead.round, ...following };
    return { line, next };
  }

  /**
   * The games that started what is open behind a game, each with how many Bock games it still brings: side by side where Böcke are stacked,
   * else one behind the other.
   */
  function runsBehind(runs, line, rules) {
    const { bock } = { ...rules, ...rules.at?.[line.table] };
    if (!bock) return runs;
    const isStack = bock.overlap === "stack";
    const usesNone = (line.facts.duty && !bock.duty_solo_uses) || (bock.length === "deal" && stays(line, rules));
    const used = runs.map(([origin, left], index) => [origin, left - (!usesNone && (isStack || index === 0) ? 1 : 0)]);
    const open = used.filter(([, left]) => left > 0);
    if (!line.bock_started) return open;
    const games = isStack ? (bock.length > 0 ? bock.length : line.table) : line.bock_started;
    return [...(isStack || bock.overlap === "append" ? open : []), [line.number, games]];
  }

  function soloistOf(form, facts) {
    if (form === "played") return facts.re.length === 1 ? facts.re[0] : null;
    if (form !== "short" || !facts.solo || facts.winners.length !== 1) return null;
    return facts.winners[0];
  }

  /** Whose deal is next, who sits out and leads; once the planned rounds are over, whoever owes a Pflichtsolo plays it. */
  function deal(line, cycle, owing, rules) {
    const { table } = line;
    let dealer = nextDealer([asLine(line)], table, rules);
    let soloist = null;
    if (rules.duty_solo && owing.length && cycle > rules.duty_solo.rounds) {
      const order = line.seats.map((_, step) => (dealer + 1 + step) % table);
      soloist = order.find((seat) => owing.includes(seat));
      dealer = (soloist - 1 + table) % table;
    }
    const players = whoPlays(table, dealer, rules);
    const out = players ? line.seats.map((_, seat) => seat).filter((seat) => !players.includes(seat)) : [];
    const order = line.seats.map((_, step) => (dealer + 1 + step) % table);
    const leader = soloist ?? (players ? order.find((seat) => players.includes(seat)) : null);
    return { dealer, out, leader, soloist };
  }

  globalThis.ClubLedgerOutbox = { open, read, letter, follow };
})();
