/*
 * What is a possible game, decided on the phone: the facts of a line and a rule set in, the game or the fields that are at fault out; and
 * who plays and deals. The same as rules/facts.py, rules/deal.py and rules/allowed.py.
 */

/** @type {Party[]} */
export const PARTIES = ["re", "kontra"];
const SAID = ["none", "said", "no90", "no60", "no30", "schwarz"];
const PARTNER_KINDS = ["normal", "hochzeit", "armut"];
export const QUIET_SOLOS = ["stille_hochzeit", "hochzeit_allein"];
/** @type {Record<string, number>} */
export const MOST_SPECIALS = {
  fuchs: 2, karlchen: 1, karlchen_gefangen: 2, doppelkopf: 4,
  fuchs_am_ende: 1, fuchs_am_ende_gefangen: 2, dulle_gefangen: 2, herzstich: 1,
};
export const MOST_POINTS = 100_000;
const BANDS = ["0", "1-29", "30-59", "60-89", "90-119", "120", "121-150", "151-180", "181-210", "211-239", "240"];
/** @type {Record<string, string[]>} */
export const FIELDS = {
  played: [
    "out", "starts_bock", "bock", "kind", "duty", "re", "eyes", "band", "no_trick",
    "re_said", "kontra_said", "last_said", "re_specials", "kontra_specials",
  ],
  short: ["out", "starts_bock", "bock", "winners", "base", "solo"],
};

const { keys } = Object;
/** @param {unknown} value @returns {value is Record<string, any>} */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {unknown} value @returns {value is number} */
export const isCount = (value, most = Infinity) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
/** @param {string} kind */
const isSolo = (kind) => !PARTNER_KINDS.includes(kind);
/** @param {string} kind */
const isAnnouncedSolo = (kind) => isSolo(kind) && !QUIET_SOLOS.includes(kind);
/** @param {Party} party @returns {Party} */
export const other = (party) => (party === "re" ? "kontra" : "re");
/** @param {number} table */
export const seatsOf = (table) => [...Array(table).keys()];

// ---- settings ----

/** @param {Rules} settings @param {number} table @returns {Rules} */
export const rulesAt = (settings, table) => ({ ...settings, ...settings.at?.[table] });

/** A setting may be one for partner games and one for solos. @param {any} setting @param {boolean} solo */
export const forGame = (setting, solo) => (isObject(setting) ? setting[solo ? "solo" : "partner"] : setting);

// ---- the deal ----

/** @param {number} table @param {Rules} rules @returns {number[] | null} */
const seatOffsets = (table, rules) => rules.seating[table] || (table < 6 ? [1, 2, 3, 4] : null);

/**
 * The seats that play, ascending; null where nothing says who sits out.
 * @param {number} table
 * @param {number | null | undefined} dealer
 * @param {Rules} settings
 */
export function whoPlays(table, dealer, settings) {
  const offsets = seatOffsets(table, rulesAt(settings, table));
  if (offsets?.length === table) return seatsOf(table);
  if (!offsets || !isCount(dealer, table - 1)) return null;
  return seatsOf(table).filter((seat) => offsets.includes((seat - dealer + table) % table));
}

/** @param {Pick<Deal, "form" | "facts">} line @param {Rules} rules */
export function dealStays({ form, facts }, rules) {
  const solo = facts.duty ? "duty_solo" : facts.kind && isAnnouncedSolo(facts.kind) ? "lustsolo" : null;
  return rules.deal_stays.includes(form === "played" ? solo : form);
}

/**
 * The proposed dealer: the next seat, or the same one where the deal stays.
 * @param {Deal[]} lines
 * @param {number} table
 * @param {Rules} settings
 */
export function nextDealer(lines, table, settings) {
  const last = lines.filter(({ dealer }) => isCount(dealer, table - 1)).pop();
  return last ? (Number(last.dealer) + (dealStays(last, rulesAt(settings, table)) ? 0 : 1)) % table : 0;
}

// ---- reading the facts: `need(holds, field)` notes the field that is at fault ----

/** @typedef {(holds: unknown, field: string) => void} Need */
/** @typedef {Omit<Around, "players"> & {players: number[] | null}} Reading */

/** @param {unknown} value @param {number} table @returns {value is number[]} */
const areSeats = (value, table) =>
  Array.isArray(value) && value.every((seat) => isCount(seat, table - 1)) && new Set(value).size === value.length;

/** @param {Reading} reading @param {any} facts @param {Need} need */
function readPlayers({ table, dealer, rules, size }, { out }, need) {
  const isKnown = dealer === undefined || dealer === null || isCount(dealer, table - 1);
  const isRight = areSeats(out, table) && out.length === table - size;
  need(isKnown, "dealer");
  need(out === undefined || isRight, "out");
  if (out !== undefined) return isRight ? seatsOf(table).filter((seat) => !out.includes(seat)) : null;
  const players = whoPlays(table, dealer, rules);
  const field = seatOffsets(table, rules) ? "dealer" : "out";
  need(players || (field === "dealer" && !isKnown), field);
  return players;
}

/**
 * Three of six and four of eight are every second seat.
 * @param {Reading} reading
 * @param {any} facts
 * @param {string} field
 * @param {number[]} sizes
 * @param {Need} need
 */
function readSide({ table, size, players }, facts, field, sizes, need) {
  const seats = facts[field];
  const isSide = areSeats(seats, table) && sizes.includes(seats.length) &&
    (size === 4 || seats.length !== size / 2 || seats.every((seat) => seat % 2 === seats[0] % 2));
  need(isSide, field);
  need(!areSeats(seats, table) || !players || seats.every((seat) => players.includes(seat)), facts.out ? "out" : field);
  return seats;
}

/** A band stands for any of its eyes: no rule set tells two of them apart. @param {any} facts @param {Need} need */
function readEyes({ eyes, band }, need) {
  const isBand = eyes === undefined && BANDS.includes(band);
  need(isBand || band === undefined, "band");
  if (eyes === undefined && band !== undefined) return isBand ? parseInt(band, 10) : NaN;
  need(isCount(eyes, 240), "eyes");
  return isCount(eyes, 240) ? eyes : NaN;
}

/**
 * The party that had no trick: the one with 0 eyes, unless it had one worth nothing.
 * @param {Record<Party, number>} eyes
 * @param {Rules} rules
 * @param {any} facts
 * @param {Need} need
 */
function readNoTrick(eyes, rules, { no_trick: said, band }, need) {
  const blank = PARTIES.find((party) => eyes[party] === 0);
  const isNone = said === "none" && rules.deck !== 40 && !(band && blank);
  need(said === undefined || isNone || (PARTIES.includes(said) && !(eyes[/** @type {Party} */ (said)] > 0)), "no_trick");
  return isNone ? null : blank;
}

/** @param {Rules} rules @param {any} facts @param {Party} party @param {Need} need */
function readSaid(rules, facts, party, need) {
  const { [party + "_said"]: word = "none" } = facts;
  const said = SAID.indexOf(word);
  need(said === 0 || (said > 0 && rules.re_kontra), party + "_said");
  return said;
}

/** @param {Pick<Played, "said" | "lastSaid" | "eyes" | "rules" | "solo">} game */
function isLastSaidRight({ said, lastSaid, eyes, rules, solo }) {
  if (lastSaid !== undefined) return PARTIES.includes(lastSaid) && said[lastSaid] !== 0;
  return eyes.re !== 120 || said.re !== 1 || said.kontra !== 1 || forGame(rules.kontra_121, solo) !== "kontra_last";
}

/** @param {Record<string, number>} specials */
const canBe = (specials) => !(specials.karlchen && specials.fuchs_am_ende) &&
  keys(specials).every((special) => specials[special] <= MOST_SPECIALS[special]);

/** @param {Rules} rules @param {Party | null | undefined} noTrick @param {any} facts @param {Need} need */
function readSpecials(rules, noTrick, facts, need) {
  const read = { re: {}, kontra: {} };
  /** @type {Record<string, number>} */
  const total = {};
  let canAllBe = true;
  for (const party of PARTIES) {
    const { [party + "_specials"]: specials = {} } = facts;
    const isRight = isObject(specials) && canBe(specials) && keys(specials).every((name) =>
      keys(rules.specials).includes(name) && isCount(specials[name], noTrick === party ? 0 : 4));
    need(isRight, party + "_specials");
    canAllBe = canAllBe && isRight;
    read[party] = specials;
    for (const name of isRight ? keys(specials) : []) total[name] = (total[name] || 0) + specials[name];
  }
  need(!canAllBe || canBe(total), "kontra_specials");
  return read;
}

/** @param {Reading} reading @param {any} facts @param {Need} need */
function readPlayed(reading, facts, need) {
  const { solo, size, rules } = reading;
  const { duty = false, last_said: lastSaid, kind } = facts;
  const reEyes = readEyes(facts, need);
  const eyes = { re: reEyes, kontra: 240 - reEyes };
  const re = readSide(reading, facts, "re", [solo ? 1 : size / 2], need);
  const noTrick = readNoTrick(eyes, rules, facts, need);
  const said = { re: readSaid(rules, facts, "re", need), kontra: readSaid(rules, facts, "kontra", need) };
  const specials = readSpecials(rules, noTrick, facts, need);
  need(isLastSaidRight({ said, lastSaid, eyes, rules, solo }), "last_said");
  need(duty === false || (duty === true && rules.duty_solo && isAnnouncedSolo(kind)), "duty");
  return { ...reading, form: "played", kind, duty, re, eyes, noTrick, said, lastSaid, specials };
}

/** @param {Reading} reading @param {any} facts @param {Need} need */
function readShort(reading, facts, need) {
  const { solo, size } = reading;
  need([true, false, undefined].includes(facts.solo), "solo");
  need(isCount(facts.base, MOST_POINTS), "base");
  const winners = readSide(reading, facts, "winners", solo ? [1, size - 1] : [size / 2], need);
  return { ...reading, form: "short", base: facts.base, winners };
}

/**
 * The game, or {error: {field: code}} with all that is wrong. Table and kind come first, the rest is judged by them.
 * @param {Omit<Deal, "facts"> & {facts: any}} line
 * @param {Rules} settings
 * @returns {((Played | Short) & {error?: undefined}) | Fault}
 */
export function readGame({ form, facts, table, dealer }, settings) {
  /** @type {Record<string, string>} */
  const error = {};
  /** @type {Need} */
  const need = (holds, field) => {
    if (!holds) error[field] = facts[field] === undefined ? "missing" : "refused";
  };
  if (!settings) return { error: { rules: "refused" } };
  const rules = rulesAt(settings, table);
  const isShort = form === "short";
  need(table >= 4 && isCount(table, 8), "table");
  need(isShort || rules.kinds.includes(facts.kind), "kind");
  if (keys(error).length) return { error };
  const { starts_bock: startsBock = 0, bock: level = 0 } = facts;
  for (const field of keys(facts)) need(FIELDS[form].includes(field), field);
  need(isCount(level, rules.bock?.cap ?? 0), "bock");
  need(isCount(startsBock, rules.bock?.triggers.includes("manual") ? 99 : 0), "starts_bock");
  const solo = isShort ? facts.solo === true : isSolo(facts.kind);
  const size = seatOffsets(table, rules)?.length ?? 4;
  /** @type {Reading} */
  const reading = { table, dealer, rules, startsBock, solo, size, players: null };
  reading.players = readPlayers(reading, facts, need);
  const game = (isShort ? readShort : readPlayed)(reading, facts, need);
  return keys(error).length ? { error } : /** @type {Played | Short} */ (game);
}
