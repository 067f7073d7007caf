/*
 * Parse the facts of a line under a rule set: return the game, or the invalid fields; and find who plays and deals. The same as
 * rules/parsing.py, rules/judge.py and rules/sheet.py.
 */

export const PARTIES: Party[] = ["re", "kontra"];
/** Who can earn special points. */
export const EARNERS: (Party | "game")[] = [...PARTIES, "game"];
export const MAX_POINTS = 100_000;
const BANDS = ["0", "1-29", "30-59", "60-89", "90-119", "120", "121-150", "151-180", "181-210", "211-239", "240"];
/** Only one card makes the last trick. */
const EXCLUSIVE = ["karlchen", "fuchs_am_ende"];
export const FIELDS: Record<string, string[]> = {
  played: [
    "out", "starts_bock", "bock", "kind", "duty", "re", "eyes", "band", "no_trick",
    "winner", "re_said", "kontra_said", "last_said", "re_specials", "kontra_specials", "game_specials",
  ],
  short: ["out", "starts_bock", "bock", "winners", "base", "solo"],
};

export const { keys } = Object;
export const isObject = (value: unknown): value is Record<string, any> => typeof value === "object" && value !== null && !Array.isArray(value);
export const isCount = (value: unknown, most = Infinity): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
export const otherParty = (party: Party): Party => (party === "re" ? "kontra" : "re");
export const seatsOf = (table: number) => [...Array(table).keys()];

// ---- settings ----

/** Return the rules at this size of table, with the defaults of the codes. */
export function rulesAt(settings: Rules, table: number): Rules {
  const rules = { ...settings.codes.defaults, ...settings, ...settings.at?.[table] };
  return { ...rules, bock: rules.bock && { ...settings.codes.bock, ...rules.bock } };
}

/** Return the built-in kind that a kind is like. */
const likeOf = (kind: string, { per_kind: rows }: Rules): string => rows[kind]?.like ?? kind;

/** Return the words that hold for a game, the wider ones first. */
function wordsOf(kind: string, duty: unknown, rules: Rules) {
  const like = likeOf(kind, rules);
  const { partner, quiet } = rules.codes;
  if (like === "ramsch") return [like, kind];
  if (partner.includes(like)) return ["partner", like, kind];
  if (quiet.includes(like)) return ["solo", "quiet", like, kind];
  return ["solo", "announced", like, kind, ...(duty === true && rules.duty_solo ? ["duty"] : [])];
}

/** Return the rules with the rows of these words over them. */
const rulesOf = (rules: Rules, words: string[]): Rules => Object.assign({}, rules, ...words.map((word) => rules.per_kind[word]));

/** Return the value of a setting that may have one value for partner games and one for solos. */
export const forGame = (setting: unknown, isAlone: boolean) => (isObject(setting) ? setting[isAlone ? "solo" : "partner"] : setting);

/** Return whether this special point is not one of the club's own. */
export const isBuiltIn = ({ codes }: Rules, special: string) => Object.hasOwn(codes.specials, special);

/** Return the row of a special point, complete but for its name. */
export function rowOf(rules: Rules, special: string): Record<string, any> {
  const row = rules.specials[special];
  const most = isBuiltIn(rules, special) ? rules.codes.specials[special] : 1;
  return { most, of: "party", ...(isObject(row) ? row : { points: row }) };
}

// ---- the deal ----

export const seatOffsets = (table: number, rules: Rules): number[] | null => rules.seating[table] || (table < 6 ? [1, 2, 3, 4] : null);

/** Return the seats that play, ascending; null if unknown. */
export function whoPlays(table: number, dealer: number | null | undefined, settings: Rules) {
  const offsets = seatOffsets(table, rulesAt(settings, table));
  if (offsets?.length === table) return seatsOf(table);
  if (!offsets || !isCount(dealer, table - 1)) return null;
  return seatsOf(table).filter((seat) => offsets.includes((seat - dealer + table) % table));
}

export function dealStays({ form, facts }: Pick<Deal, "form" | "facts">, rules: Rules) {
  const isSolo = facts.kind && wordsOf(facts.kind, false, rules).includes("announced");
  const solo = isSolo && (facts.duty ? "duty_solo" : "lustsolo");
  return rules.deal_stays.includes(form === "played" ? solo : form);
}

/** Propose the dealer: the next seat, or the same one if the deal stays. */
export function nextDealer(lines: Deal[], table: number, settings: Rules) {
  const last = lines.filter(({ dealer }) => isCount(dealer, table - 1)).pop();
  return last ? (Number(last.dealer) + (dealStays(last, rulesAt(settings, table)) ? 0 : 1)) % table : 0;
}

// ---- parsing the facts: `need(holds, field)` adds an invalid field ----

const areSeats = (value: unknown, table: number): value is number[] =>
  Array.isArray(value) && value.every((seat) => isCount(seat, table - 1)) && new Set(value).size === value.length;

function parsePlayers({ table, dealer, rules, size }: Reading, { out }: Typed, need: Need) {
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

/** Parse the seats of a party. Three of six and four of eight are every second seat. */
function parseSide({ table, size, players }: Reading, facts: Typed, field: string, sizes: number[], need: Need) {
  const seats = facts[field];
  const isSide = areSeats(seats, table) && sizes.includes(seats.length) &&
    (size === 4 || seats.length !== size / 2 || seats.every((seat) => seat % 2 === seats[0] % 2));
  need(isSide, field);
  need(!areSeats(seats, table) || !players || seats.every((seat) => players.includes(seat)), facts.out ? "out" : field);
  return seats;
}

/** Return Re's eyes. A band is valid unless a rule distinguishes its lowest eyes from the others. */
function parseEyes(rules: Rules, { eyes, band }: Typed, need: Need) {
  const isBand = eyes === undefined && BANDS.includes(band as string);
  const lowest = isBand ? parseInt(band as string, 10) : NaN;
  const isSplit = lowest > 0 && rules.re_limit_more && rules.limits.includes(lowest);
  need(band === undefined || (isBand && !isSplit), "band");
  if (eyes === undefined && band !== undefined) return lowest;
  need(isCount(eyes, 240), "eyes");
  return isCount(eyes, 240) ? eyes : NaN;
}

/** Return "eyes", "hand" or "both"; a Ramsch has no eyes. */
const decidedOf = ({ words, rules }: { words: string[]; rules: Rules }): string => (words.includes("ramsch") ? "hand" : rules.decided);

/** Return which fields the form of a game needs. */
export function asksOf({ kind = "", duty }: Facts, table: number, settings: Rules) {
  const words = wordsOf(kind, duty, rulesAt(settings, table));
  const rules = rulesOf(rulesAt(settings, table), words);
  const mayBeDuty = Boolean(rules.duty_solo) && words.includes("announced");
  return { mayBeDuty, isRamsch: words[0] === "ramsch", decided: decidedOf({ words, rules }), isSilent: !rules.re_kontra, isAlone: words[0] !== "partner" };
}

/** Parse the result: eyes, or a winner without eyes. */
function parseEnd(reading: Reading, facts: Typed, need: Need) {
  const { winner, eyes, band, no_trick: noTrick } = facts;
  const decided = decidedOf(reading);
  const isByHand = decided === "hand" || (decided === "both" && winner !== undefined);
  const hasEyes = eyes !== undefined || band !== undefined;
  need(isByHand ? PARTIES.includes(winner as Party) && (decided === "hand" || !hasEyes) : winner === undefined, "winner");
  need(eyes === undefined || decided !== "hand", "eyes");
  need(band === undefined || decided !== "hand", "band");
  need(noTrick === undefined || (decided !== "hand" && winner === undefined), "no_trick");
  const re = decided === "hand" || (isByHand && !hasEyes) ? NaN : parseEyes(reading.rules, facts, need);
  return { byHand: isByHand ? winner : undefined, eyes: { re, kontra: 240 - re } };
}

/** Return the party without a trick: the one with 0 eyes, unless it made a trick of 0 eyes. */
function parseNoTrick(eyes: Record<Party, number>, rules: Rules, { no_trick: said, band, winner }: Typed, need: Need) {
  const blank = PARTIES.find((party) => eyes[party] === 0);
  const isNone = said === "none" && winner === undefined && rules.deck !== 40 && !(band && blank);
  need(said === undefined || isNone || (PARTIES.includes(said as Party) && !(eyes[said as Party] > 0)), "no_trick");
  return isNone ? null : blank;
}

/** Return the index of a party's announcement, -1 if invalid. */
function parseSaid({ words, rules }: Reading, facts: Typed, party: Party, need: Need) {
  const { [party + "_said"]: word = "none" } = facts;
  const said = rules.codes.said.indexOf(word);
  const isRight = said === 0 || (said > 0 && rules.re_kontra && !words.includes("ramsch"));
  need(isRight, party + "_said");
  return isRight ? said : -1;
}

function isLastSaidRight({ said, lastSaid, eyes, rules, isAlone }: Pick<Played, "said" | "lastSaid" | "eyes" | "rules" | "isAlone">) {
  if (lastSaid !== undefined) return PARTIES.includes(lastSaid) && said[lastSaid] !== 0;
  if (!PARTIES.every((party) => said[party] > 0)) return true;
  const isHalf = rules.missed_absage === "costs" || PARTIES.every((party) => said[party] === 1);
  return !rules.re_kontra.first && !(isHalf && eyes.re === 120 && forGame(rules.kontra_121, isAlone) === "kontra_last");
}

const isOneTrick = (specials: Record<string, number>) => !EXCLUSIVE.every((name) => specials[name]);

/** Copy counts into an object without inherited properties. */
const plain = (counts: object): Record<string, number> => Object.assign(Object.create(null), counts);

function parseSpecials(rules: Rules, noTrick: Party | null | undefined, facts: Typed, need: Need) {
  const read = { re: plain({}), kontra: plain({}), game: plain({}) };
  const total = plain({});
  let canAllBe = true;
  for (const earner of EARNERS) {
    const { [earner + "_specials"]: specials = {} } = facts as object as Record<string, Record<string, number>>;
    const canBe = (name: string) => {
      if (!Object.hasOwn(rules.specials, name)) return false;
      const { of, most, most_party: mostOfParty = most } = rowOf(rules, name);
      const isOwn = of === earner || (of === "party" && earner !== "game");
      return isOwn && isCount(specials[name], earner === "game" ? most : noTrick === earner ? 0 : mostOfParty);
    };
    const isRight = isObject(specials) && (earner === "game" || isOneTrick(specials)) && keys(specials).every(canBe);
    need(isRight, earner + "_specials");
    read[earner] = plain(specials);
    if (earner === "game") continue;
    canAllBe = canAllBe && isRight;
    for (const name of isRight ? keys(specials) : []) total[name] = (total[name] || 0) + specials[name];
  }
  const areFew = isOneTrick(total) && keys(total).every((name) => total[name] <= rowOf(rules, name).most);
  need(!canAllBe || areFew, "kontra_specials");
  return read;
}

function parsePlayed(reading: Reading, facts: Typed, need: Need) {
  const { isAlone, words, size, rules } = reading;
  const { duty = false, last_said: lastSaid, kind } = facts;
  const { byHand, eyes } = parseEnd(reading, facts, need);
  const re = parseSide(reading, facts, "re", [isAlone ? 1 : size / 2], need);
  const noTrick = parseNoTrick(eyes, rules, facts, need);
  const said = { re: parseSaid(reading, facts, "re", need), kontra: parseSaid(reading, facts, "kontra", need) };
  const specials = parseSpecials(rules, noTrick, facts, need);
  need(isLastSaidRight({ said, lastSaid, eyes, rules, isAlone }), "last_said");
  need(duty === false || (duty === true && rules.duty_solo && words.includes("announced")), "duty");
  return { ...reading, form: "played", kind, like: likeOf(kind as string, rules), duty, re, eyes, byHand, noTrick, said, lastSaid, specials };
}

function parseShort(reading: Reading, facts: Typed, need: Need) {
  const { isAlone, size } = reading;
  need([true, false, undefined].includes(facts.solo), "solo");
  need(isCount(facts.base, MAX_POINTS), "base");
  const winners = parseSide(reading, facts, "winners", isAlone ? [1, size - 1] : [size / 2], need);
  return { ...reading, form: "short", base: facts.base, winners };
}

/** Return the game, or {error: {field: code}} with all invalid fields. Table and kind are checked first, since the others depend on them. */
export function parseGame({ form, facts, table, dealer }: Omit<Deal, "facts"> & { facts: Typed }, settings: Rules): ((Played | Short) & { error?: undefined }) | Fault {
  const error: Record<string, string> = {};
  const need: Need = (holds, field) => {
    if (!holds) error[field] = facts[field] === undefined ? "missing" : "refused";
  };
  if (!settings) return { error: { rules: "refused" } };
  const atTable = rulesAt(settings, table);
  const isShort = form === "short";
  need(table >= 4 && isCount(table, 8), "table");
  need(isShort || atTable.kinds.includes(facts.kind), "kind");
  if (keys(error).length) return { error };
  const { starts_bock: startsBock = 0, bock: level = 0 } = facts;
  const words = isShort ? [facts.solo === true ? "solo" : "partner"] : wordsOf(facts.kind as string, facts.duty, atTable);
  const rules = rulesOf(atTable, words);
  for (const field of keys(facts)) need(FIELDS[form].includes(field), field);
  need(isCount(level, rules.bock?.cap ?? 0), "bock");
  need(isCount(startsBock, rules.bock?.triggers.includes("manual") ? 99 : 0), "starts_bock");
  const size = seatOffsets(table, rules)?.length ?? 4;
  const reading: Reading = { table, dealer, rules, words, startsBock: startsBock as number, isAlone: words[0] !== "partner", size, players: null };
  reading.players = parsePlayers(reading, facts, need);
  const game = (isShort ? parseShort : parsePlayed)(reading, facts, need);
  return keys(error).length ? { error } : game as Played | Short;
}
