/*
 * The state of the table's page: one object, which only `reduce` replaces. Everything that is shown follows from it: also the sheet with the entries
 * that wait on this phone, computed by the rules and replaced by the server's answer. No access to the page, and nothing is stored.
 */
import { rulesAt, seatsOf } from "../rules/parsing.ts";
import { fold, nextDealer, openBock, usesUpNoBock, whoPlays } from "../rules/score.ts";
import { isEdit } from "./outbox.ts";

export const NOTHING_WAITS: Waits = { entries: [], others: [], held: null, isStuck: false, isUnread: false, isOnlyHere: false };

export function beginState(page: PageData, undo: Undo | null): State {
  const { lines, next, seats } = page;
  return {
    phase: "empty", mending: null, edit: null, place: null, unfinished: null, entered: null, trouble: "", isReached: true,
    lines, next, seats, undo, waits: NOTHING_WAITS, waiting: [], shown: lines, standing: lines, upcoming: next,
  };
}

export function reduce(state: State, action: Action, page: Pick<PageData, "rules" | "chain" | "texts">): State {
  switch (action.type) {
    case "typed":
      return { ...state, phase: state.phase === "checking" ? "checking" : state.mending ? "mending" : "typing" };
    case "checking":
      return { ...state, phase: "checking" };
    case "checked":
      return { ...state, phase: state.mending ? "mending" : "typing" };
    case "emptied":
      return { ...state, phase: rests(state) ? "saved" : "empty", mending: null, edit: null, place: null };
    case "kept":
      return { ...state, phase: "saved", entered: action.key };
    case "mending": {
      const { key: mending, unfinished, edit = null } = action;
      const mended = { ...state, mending };
      const { seats } = findLine(state, mending) ?? state;
      const place = edit && predictNext(getLinesBefore(mended), seats, page.rules, page.chain);
      return { ...mended, phase: "mending", unfinished, edit, place };
    }
    case "returned":
      return { ...state, phase: "returned" };
    case "set aside":
      return { ...state, unfinished: action.draft };
    case "taken up":
      return { ...state, phase: "typing", unfinished: null };
    case "reached":
      return { ...state, isReached: action.isReached };
    case "trouble":
      return { ...state, trouble: action.text };
    case "told of waiting":
      return { ...state, entered: null };
    case "known": {
      const { lines = state.lines, next = state.next, undo = state.undo, seats = state.seats, waits } = action;
      return { ...state, lines, next, undo, seats, waits, ...lookAhead(lines, next, waits.entries, { ...page, seats }) };
    }
  }
}

// As in views/data.py.
const USUAL = { form: "played", version: 1, note: "", soloist: null, bock: 0, bock_started: 0, ends_cycle: false };

/** Complete the lines of a page with defaults, numbers and the keys of its rows. */
export function completeLines(lines: Line[], keys: string[]): Line[] {
  let games = 0;
  return lines.map((line, place) => ({
    ...USUAL, ...line, key: keys[place], ...(line.number !== null && { number: ++games, label: String(games) }),
  }));
}

// ---- questions ----

/** Return whether the button rests, so that a hasty second tap does nothing. */
export const rests = ({ phase }: State) => phase === "saved" || phase === "returned";

/** Return whether the form has content that must not be lost. */
export const isBusy = ({ phase }: State) => phase !== "empty" && phase !== "saved";

/** Return whether an unsaved change of a server's line is in the form. */
export const isEditing = ({ edit, mending, waits }: State) => edit !== null && !waits.entries.some(({ key }) => key === mending);

/** Return whether there is a draft, in the form or behind it. An entry that is being edited is in the outbox. */
export const isDrafting = (state: State) => state.unfinished !== null || isEditing(state) || (isBusy(state) && !state.mending);

/** Return all lines of the sheet, including those deleted here. */
export const getLines = ({ shown, waiting }: State): Line[] => [...shown, ...waiting];

export const findLine = (state: State, key: string) => getLines(state).find((line) => line.key === key);

/** Return the future lines before the one in the form. */
export function getLinesBefore({ standing, mending }: State) {
  const index = standing.findIndex(({ key }) => key === mending);
  return index < 0 ? standing : standing.slice(0, index);
}

/** Return the game in the form at its place. */
export const getGameInForm = ({ waiting, mending, place, upcoming }: State) => place ?? waiting.find(({ key }) => key === mending)?.ahead ?? upcoming;

/**
 * Merge lines of the server: those from `keep` on are new, or each replaces the line with its key. If a deletion overtook an answer, its lines may
 * be before `keep` already; no line is added twice.
 */
export function merge(lines: Line[], { keep, lines: told }: { keep?: number; lines: Line[] }) {
  const kept = lines.slice(0, keep).filter(({ key }) => !told.some((one) => one.key === key));
  if (keep !== undefined) return [...kept, ...told];
  const known = new Set(lines.map(({ key }) => key));
  return [...lines.map((line) => told.find(({ key }) => key === line.key) ?? line), ...told.filter(({ key }) => !known.has(key))];
}

/**
 * Return the key of the line that the form follows: the same as before, or if it is gone the line now at that place. Only a line that came in
 * between needs a question; a deleted line leaves its place to the form.
 */
export function findFollowedLine(before: { lines: { key: string }[] }, state: State, after: string) {
  const known = new Set(before.lines.map(({ key }) => key));
  const isBetween = state.lines.some(({ key }) => !known.has(key));
  return isBetween || findLine(state, after) ? after : state.upcoming.after;
}

// ---- the sheet with what waits ----

type Ahead = Pick<State, "standing" | "shown" | "waiting" | "upcoming">;

/**
 * Predict the sheet: all lines in their future order, the waiting ones, and the next game behind them. A line for an earlier line-up goes behind
 * the lines of that line-up. `shown` are the server's lines as they will be, including deleted and inserted ones.
 * @param lines  the server's lines
 * @param next  the server's next game
 * @param page  `seats`: the players, as the server knows them
 */
export function lookAhead(
  lines: Line[], next: Next, entries: OutboxEntry[], { rules, chain, texts, seats }: Pick<PageData, "rules" | "chain" | "texts" | "seats">,
): Ahead {
  const waiting: Line[] = [];
  const standing = [...lines];
  let shown = lines;
  let upcoming = next;
  const known = new Set(lines.map(({ key }) => key));
  for (const entry of entries) {
    if (isEdit(entry)) {
      shown = amend(entry, shown, standing, waiting, texts);
      continue;
    }
    if (known.has(entry.key)) continue;
    if (entry.before) {
      upcoming = { ...upcoming, round: entry.key, seats: entry.seats, ...getNextDeal(standing, entry.seats, rules) };
      continue;
    }
    const place = standing.findIndex(({ key }) => key === entry.after) + 1;
    const isBetween = entry.round !== String(next.round) && place < standing.length;
    const behind = isBetween ? standing.splice(place) : [];
    const { line, next: then } = predictLine(entry, standing, upcoming, texts, rules, chain);
    // Only the server knows its number.
    const told = isBetween && line.number !== null ? { number: null, label: texts.earlier, name: texts.earlier_game } : {};
    waiting.push({ ...line, ...told, waiting: true, ahead: upcoming, refused: entry.refused ?? null });
    standing.push(line, ...behind);
    // Only the server knows which game brought which Bock there.
    upcoming = isBetween ? { ...then, bock: openBock(standing, rules, chain), bock_runs: [], after: upcoming.after } : then;
  }
  if (shown === lines) return { standing, shown, waiting, upcoming };
  return refold({ standing, shown, waiting, upcoming }, upcoming.seats ?? seats, rules, chain);
}

/** Return an entry as a line that has no place yet. */
function buildLine({ key, form, dealer, facts, note, seats }: OutboxEntry, texts: Record<string, string>): Line {
  return {
    key, version: 0, form, number: null, cycle: 1, ends_cycle: false, table: seats.length, seats, dealer, out: [], soloist: getSoloist(form, facts), facts, note,
    winner: null, winners: [], value: 0, points: seats.map(() => 0), bock: 0, bock_started: 0, label: texts[form] ?? "–",
  };
}

/**
 * Return the line of an entry behind `lines` (`chain` was open before them) and the next game. A game of an earlier line-up does not move the
 * present deal.
 */
function predictLine(entry: OutboxEntry, lines: Line[], ahead: Next, texts: Record<string, string>, rules: Rules, chain: number[]) {
  const typed = buildLine(entry, texts);
  const worth = fold([...lines, typed], rules, chain)[lines.length];
  const isOfNow = entry.round === String(ahead.round);
  const then = isOfNow ? getNextDeal([...lines, typed], entry.seats, rules) : ahead;
  const line = complete(typed, worth, ahead.number, isOfNow ? ahead : { ...ahead, dealer: entry.dealer }, then.cycle, rules);
  const number = ahead.number + (line.number === null ? 0 : 1);
  const bock_runs = worth.error ? ahead.bock_runs : predictRuns(ahead, line, rules);
  const next: Next = { ...ahead, ...then, number, bock: openBock([...lines, line], rules, chain), bock_runs, bock_origin: "", after: entry.key };
  return { line, next };
}

/** Return a line with what follows from its place: its worth and number, who sits out, and the turn. `then` is the cycle behind it. */
function complete(
  { turn: _, name: __, ...line }: Line, worth: Worth | Fault, number: number, turn: { dealer: number | null; cycle: number }, then: number, rules: Rules,
): Line {
  const { form, table, dealer, facts } = line;
  const isGame = form === "played" || form === "short";
  return {
    ...line, ...(worth.error ? { points: Array(table).fill(0), winners: [], value: 0 } : worth),
    soloist: getSoloist(form, facts), number: isGame ? number : null, label: isGame ? String(number) : line.label,
    out: isGame ? (facts.out ?? findRoles(table, dealer, rules).out) : [], cycle: turn.cycle, ends_cycle: then > turn.cycle,
    ...(dealer !== null && dealer !== turn.dealer && { turn: turn.dealer ?? undefined }),
  };
}

/** Return who sits out and who leads if this seat deals; none where it is unknown who plays. */
export function findRoles(table: number, dealer: number | null, rules: Rules) {
  const playing = whoPlays(table, dealer, rules);
  const order = seatsOf(table).map((step) => (Number(dealer) + 1 + step) % table);
  return { out: playing ? seatsOf(table).filter((seat) => !playing.includes(seat)) : [], leader: order.find((seat) => playing?.includes(seat)) ?? null };
}

/**
 * Return the games that started the open Bock games behind a line, each with the number of Bock games left: parallel if Böcke are stacked, else one
 * after the other. If both apply, the games cannot be told apart.
 */
function predictRuns({ bock: levels, bock_runs: runs, number }: Next, line: Line, rules: Rules): Next["bock_runs"] {
  const { bock } = rulesAt(rules, line.table);
  if (!bock) return runs;
  const isBeside = bock.overlap === "stack" || levels[0] > 1;
  const uses = usesUpNoBock(line, rules) ? 0 : 1;
  const used: Next["bock_runs"] = runs.map(([origin, left], index) => [origin, left - (isBeside || index === 0 ? uses : 0)]);
  const open = used.filter(([, left]) => left > 0);
  if (!line.bock_started) return open;
  // A redeal names the game before it.
  const origin = line.number ?? number - 1;
  const games = bock.length > 0 ? bock.length : line.table;
  if (bock.overlap === "fill") {
    return levels.length && !runs.length ? [] : fillRuns(isBeside ? open.map((run) => [run]) : [open], origin, line.bock_started / games, games, bock.cap);
  }
  if (bock.overlap === "stack") return [...open, [origin, games]];
  return [...(bock.overlap === "append" ? open : []), [origin, line.bock_started]];
}

/** Fill up parallel runs, the longest first. A game raises the run that is too short for it. */
function fillRuns(sides: Next["bock_runs"][], origin: number, count: number, games: number, cap: number): Next["bock_runs"] {
  const leftOf = (side: Next["bock_runs"] = []) => side.reduce((sum, [, left]) => sum + left, 0);
  for (let bock = 0; bock < count; bock += 1) {
    sides.sort((one, other) => leftOf(other) - leftOf(one));
    const lefts = Array.from({ length: cap }, (_, level) => leftOf(sides[level]));
    const end = lefts[cap - 1] + games;
    for (const [level, left] of lefts.entries()) {
      const raised = Math.min(level ? lefts[level - 1] : end, end) - left;
      if (raised > 0) sides[level] = [...(sides[level] ?? []), [origin, raised]];
    }
  }
  const open = sides.filter((side) => side.length);
  return open.length > 1 && open.some((side) => side.length > 1) ? [] : open.flat();
}

/**
 * Apply an entry about a line of the server; return the lines to show. If that line is gone or has changed, the entry only waits for a decision of
 * the user.
 * @param standing  changed in place
 * @param waiting  grows if there is no line to show it at
 */
function amend(entry: OutboxEntry, shown: Line[], standing: Line[], waiting: Line[], texts: Record<string, string>) {
  const { key, beside, version, form, dealer, facts, note, refused = null } = entry;
  const place = standing.findIndex((line) => line.key === (beside ?? key));
  const old = standing[place];
  if (beside !== undefined && shown.some((line) => line.key === key)) return shown;
  if (!old && form === "deletion") return shown;
  const waits = { waiting: true, refused };
  if (!old) {
    waiting.push({ ...buildLine(entry, texts), ...waits });
    return [...shown];
  }
  if (beside !== undefined) {
    const line = { ...buildLine(entry, texts), ...waits };
    standing.splice(place, 0, line);
    return shown.flatMap((one) => (one.key === beside ? [line, one] : [one]));
  }
  const isDone = old.version === version && !refused;
  const isDeletion = form === "deletion";
  const line: Line = { ...old, ...waits, edit: isDeletion ? "deletion" : "correction", ...(isDone && !isDeletion && { form, dealer, facts, note }) };
  standing.splice(place, 1, ...(isDone && isDeletion ? [] : [line]));
  return shown.map((one) => (one.key === key ? line : one));
}

/** Recompute worth, numbers and the next dealer after a line before them changed. @param seats  the players behind all of them */
function refold({ standing, shown, waiting, upcoming }: Ahead, seats: number[], rules: Rules, chain: number[]) {
  const worths = fold(standing, rules, chain);
  const deals = listDeals(standing, seats, rules);
  let games = 0;
  const lines = standing.map((line, place) => {
    if (line.form === "played" || line.form === "short") games += 1;
    return complete(line, worths[place], games, deals[place], deals[place + 1].cycle, rules);
  });
  const now = (line: Line) => lines.find(({ key }) => key === line.key) ?? line;
  const isGone = upcoming.after && !lines.some(({ key }) => key === upcoming.after);
  const behind = { ...predictNext(lines, seats, rules, chain), round: upcoming.round, ...(upcoming.seats && { seats }) };
  return {
    standing: lines, shown: shown.map((line) => (standing.some(({ key }) => key === line.key) ? now(line) : line)),
    waiting: waiting.map((line) => ({ ...line, ...now(line) })), upcoming: isGone ? behind : { ...behind, after: upcoming.after },
  };
}

/** Return the next game behind these lines for these players. Only the server knows which game brought which Bock. */
function predictNext(lines: Line[], seats: number[], rules: Rules, chain: number[]): Next {
  const number = lines.filter((line) => line.number !== null).length + 1;
  const bock = openBock(lines, rules, chain);
  return { number, bock, bock_runs: [], bock_origin: "", after: lines.at(-1)?.key ?? "", round: "", ...getNextDeal(lines, seats, rules) };
}

/** Return who deals, sits out and leads behind these lines. @param seats  the present players */
const getNextDeal = (lines: Line[], seats: number[], rules: Rules) => listDeals(lines, seats, rules)[lines.length];

/**
 * Return who deals, sits out and leads before each of these lines, and behind all of them (rules/sheet.py, play/queries.py). After a change of line-up
 * the next of the old order who still sits there deals.
 */
function listDeals(lines: Line[], seats: number[], rules: Rules) {
  let [turn, cycle, sitting] = [0, 1, lines[0]?.seats ?? seats];
  // The ids of the players who have dealt in this cycle, and who have played a Pflichtsolo.
  let dealt = new Set<number>();
  let fulfilled = new Set<number>();
  /** End the cycle once all players have dealt. */
  function count() {
    if (dealt.size < sitting.length) return;
    dealt.clear();
    cycle += 1;
  }
  return [...lines, null].map((line) => {
    const now = line?.seats ?? seats;
    const order = sitting.map((_, step) => now.indexOf(sitting[(turn + step) % sitting.length]));
    if (now.join() !== sitting.join()) turn = order.find((seat) => seat >= 0) ?? 0;
    sitting = now;
    [dealt, fulfilled] = [dealt, fulfilled].map((some) => new Set(now.filter((player) => some.has(player))));
    count();
    const deal = buildDeal(turn, cycle, now.map((player) => fulfilled.has(player)), rules);
    if (!line || line.dealer === null) return deal;
    const soloist = getSoloist(line.form, line.facts);
    if (line.facts.duty && soloist !== null) fulfilled.add(now[soloist]);
    turn = nextDealer([line], line.table, rules);
    if (turn !== line.dealer) dealt.add(now[line.dealer]);
    count();
    return deal;
  });
}

function getSoloist(form: Form, { re, winners, solo }: Facts) {
  if (form === "played") return re?.length === 1 ? re[0] : null;
  return form === "short" && solo && winners?.length === 1 ? winners[0] : null;
}

/** Return a deal. After the planned rounds, players who owe a Pflichtsolo play it. @param fulfilled  by seat, who has played one */
function buildDeal(turn: number, cycle: number, fulfilled: boolean[], rules: Rules) {
  const table = fulfilled.length;
  const seats = seatsOf(table);
  const owing = seats.filter((seat) => rules.duty_solo && !fulfilled[seat]);
  let dealer = turn;
  let soloist = null;
  if (owing.length && cycle > rules.duty_solo.rounds) {
    soloist = seats.map((step) => (turn + 1 + step) % table).find((seat) => owing.includes(seat)) ?? null;
    dealer = (Number(soloist) - 1 + table) % table;
  }
  const { out, leader } = findRoles(table, dealer, rules);
  return { cycle, owing, dealer, out, leader: soloist ?? leader, soloist };
}
