/*
 * What a game is worth, decided on the phone: facts and a rule set in, points and the steps that explain them out, or
 * the fields that are refused. It is the pipeline of scoring/rules again over the same settings, so that the table sees
 * points at once and without a net; the server's answer always wins. One global, ClubLedgerScore; it touches no page.
 */
(() => {
  "use strict";

  const PARTIES = ["re", "kontra"];
  const SAID = ["none", "said", "no90", "no60", "no30", "schwarz"];
  const ABSAGEN = [
    { code: "no90", limit: 90 },
    { code: "no60", limit: 60 },
    { code: "no30", limit: 30 },
    { code: "schwarz", limit: 0 },
  ];
  const PARTNER_KINDS = ["normal", "hochzeit", "armut"];
  const QUIET_SOLOS = ["stille_hochzeit", "hochzeit_allein"];
  const MOST_SPECIALS = {
    fuchs: 2, karlchen: 1, karlchen_gefangen: 2, doppelkopf: 4,
    fuchs_am_ende: 1, fuchs_am_ende_gefangen: 2, dulle_gefangen: 2, herzstich: 1,
  };
  const MOST_POINTS = 100_000;
  const MOST_VALUE = 10_000_000;
  const BANDS = ["0", "1-29", "30-59", "60-89", "90-119", "120", "121-150", "151-180", "181-210", "211-239", "240"];
  const FIELDS = {
    played: [
      "out", "starts_bock", "bock", "kind", "duty", "re", "eyes", "band", "no_trick",
      "re_said", "kontra_said", "last_said", "re_specials", "kontra_specials",
    ],
    short: ["out", "starts_bock", "bock", "winners", "base", "solo"],
  };
  const NEW_BOCK = {
    triggers: [], per_game: "one", length: "table", overlap: "append", cap: 8, effect: "all", duty_solo_uses: true,
  };

  const { keys } = Object;
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const isCount = (value, most = Infinity) => Number.isInteger(value) && value >= 0 && value <= most;
  const isSolo = (kind) => !PARTNER_KINDS.includes(kind);
  const isAnnouncedSolo = (kind) => isSolo(kind) && !QUIET_SOLOS.includes(kind);
  const other = (party) => (party === "re" ? "kontra" : "re");
  const seatsOf = (table) => [...Array(table).keys()];

  // ---- settings ----

  // A preset's name or {"base": name, …own settings} as a whole rule set; null when there is no such preset.
  function resolve(rules, presets) {
    const { base: name, ...own } = isObject(rules) ? rules : { base: rules };
    if (isObject(rules) && !name) return rules;
    if (!keys(presets).includes(name)) return null;
    const base = presets[name];
    const merged = { ...base, ...own };
    for (const key of ["specials", "seating"]) merged[key] = { ...base[key], ...own[key] };
    if (own.bock) merged.bock = { ...(base.bock || NEW_BOCK), ...own.bock };
    // What somebody sets counts at every table, also where the preset makes an exception for six or eight.
    merged.at = Object.fromEntries(Object.entries(merged.at).map(([size, exceptions]) =>
      [size, Object.fromEntries(Object.entries(exceptions).filter(([key]) => !keys(own).includes(key)))]));
    return merged;
  }

  const rulesAt = (settings, table) => ({ ...settings, ...settings.at?.[table] });

  // A setting may be one for partner games and one for solos.
  const forGame = (setting, solo) => (isObject(setting) ? setting[solo ? "solo" : "partner"] : setting);

  // ---- the deal ----

  const seatOffsets = (table, rules) => rules.seating[table] || (table < 6 ? [1, 2, 3, 4] : null);

  // The seats that play, ascending; null where nothing says who sits out.
  function whoPlays(table, dealer, settings) {
    const offsets = seatOffsets(table, rulesAt(settings, table));
    if (offsets?.length === table) return seatsOf(table);
    if (!offsets || !isCount(dealer, table - 1)) return null;
    return seatsOf(table).filter((seat) => offsets.includes((seat - dealer + table) % table));
  }

  function dealStays({ form, facts }, rules) {
    const solo = facts.duty ? "duty_solo" : facts.kind && isAnnouncedSolo(facts.kind) ? "lustsolo" : null;
    return rules.deal_stays.includes(form === "played" ? solo : form);
  }

  // The proposed dealer: the next seat, or the same one where the deal stays.
  function nextDealer(lines, table, settings) {
    const last = lines.filter(({ dealer }) => isCount(dealer, table - 1)).pop();
    return last ? (last.dealer + (dealStays(last, rulesAt(settings, table)) ? 0 : 1)) % table : 0;
  }

  // ---- reading the facts: `need(holds, field)` notes the field that is at fault ----

  const areSeats = (value, table) =>
    Array.isArray(value) && value.every((seat) => isCount(seat, table - 1)) && new Set(value).size === value.length;

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

  // Three of six and four of eight are every second seat.
  function readSide({ table, size, players }, facts, field, sizes, need) {
    const seats = facts[field];
    const isSide = areSeats(seats, table) && sizes.includes(seats.length) &&
      (size === 4 || seats.length !== size / 2 || seats.every((seat) => seat % 2 === seats[0] % 2));
    need(isSide, field);
    need(!areSeats(seats, table) || !players || seats.every((seat) => players.includes(seat)), facts.out ? "out" : field);
    return seats;
  }

  // A band stands for any of its eyes: no rule set tells two of them apart.
  function readEyes({ eyes, band }, need) {
    const isBand = eyes === undefined && BANDS.includes(band);
    need(isBand || band === undefined, "band");
    if (eyes === undefined && band !== undefined) return isBand ? parseInt(band, 10) : NaN;
    need(isCount(eyes, 240), "eyes");
    return isCount(eyes, 240) ? eyes : NaN;
  }

  // The party that had no trick: the one with 0 eyes, unless it had one worth nothing.
  function readNoTrick({ eyes, rules }, { no_trick: said, band }, need) {
    const blank = PARTIES.find((party) => eyes[party] === 0);
    const isNone = said === "none" && rules.deck !== 40 && !(band && blank);
    need(said === undefined || isNone || (PARTIES.includes(said) && !(eyes[said] > 0)), "no_trick");
    return isNone ? null : blank;
  }

  function readSaid({ rules }, facts, party, need) {
    const { [party + "_said"]: word = "none" } = facts;
    const said = SAID.indexOf(word);
    need(said === 0 || (said > 0 && rules.re_kontra), party + "_said");
    return said;
  }

  function isLastSaidRight({ said, lastSaid, eyes, rules, solo }) {
    if (lastSaid !== undefined) return PARTIES.includes(lastSaid) && said[lastSaid] !== 0;
    return eyes.re !== 120 || said.re !== 1 || said.kontra !== 1 || forGame(rules.kontra_121, solo) !== "kontra_last";
  }

  const canBe = (specials) => !(specials.karlchen && specials.fuchs_am_ende) &&
    keys(specials).every((special) => specials[special] <= MOST_SPECIALS[special]);

  function readSpecials({ rules, noTrick }, facts, need) {
    const read = {};
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

  function readPlayed(game, facts, need) {
    const { solo, size, rules } = game;
    const { duty = false, last_said: lastSaid, kind } = facts;
    const eyes = readEyes(facts, need);
    Object.assign(game, { kind, duty, lastSaid, eyes: { re: eyes, kontra: 240 - eyes } });
    game.re = readSide(game, facts, "re", [solo ? 1 : size / 2], need);
    game.noTrick = readNoTrick(game, facts, need);
    game.said = { re: readSaid(game, facts, "re", need), kontra: readSaid(game, facts, "kontra", need) };
    game.specials = readSpecials(game, facts, need);
    need(isLastSaidRight(game), "last_said");
    need(duty === false || (duty === true && rules.duty_solo && isAnnouncedSolo(kind)), "duty");
  }

  function readShort(game, facts, need) {
    const { solo, size } = game;
    need([true, false, undefined].includes(facts.solo), "solo");
    need(isCount(facts.base, MOST_POINTS), "base");
    game.base = facts.base;
    game.winners = readSide(game, facts, "winners", solo ? [1, size - 1] : [size / 2], need);
  }

  // The game, or {error: {field: code}} with all that is wrong. Table and kind come first, the rest is judged by them.
  function readGame({ form, facts, table, dealer }, settings) {
    const error = {};
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
    const game = { form, table, dealer, rules, startsBock, solo, size: seatOffsets(table, rules)?.length ?? 4 };
    game.players = readPlayers(game, facts, need);
    (isShort ? readShort : readPlayed)(game, facts, need);
    return keys(error).length ? { error } : game;
  }

  // ---- the winner ----

  function isUnder({ eyes, noTrick, rules }, party, limit) {
    if (limit === 0 && rules.schwarz_by === "tricks") return noTrick === party;
    return eyes[party] < (limit || 1);
  }

  function kontraNeeds121({ said: { re, kontra }, lastSaid, rules, solo }) {
    return {
      never: false,
      only_kontra: kontra && !re,
      kontra_said: kontra,
      kontra_last: kontra && (!re || lastSaid === "kontra"),
      always: true,
    }[forGame(rules.kontra_121, solo)];
  }

  function winnerOf(game) {
    const { said, eyes, rules } = game;
    const reaches = (party) => {
      const own = ABSAGEN[said[party] - 2];
      const broken = ABSAGEN[said[other(party)] - 2];
      if (own) return isUnder(game, other(party), own.limit);
      if (broken) return !isUnder(game, party, broken.limit);
      return eyes[party] > (party === "re" || kontraNeeds121(game) ? 120 : 119);
    };
    const isTie = said.re < 2 && said.kontra < 2 && rules.tie_120 !== "nobody";
    return PARTIES.find(reaches) || (isTie ? rules.tie_120 : null);
  }

  // ---- the steps ----

  const times = (code, count) => ({ code, times: count });
  const announced = (game, party) => ABSAGEN.slice(0, Math.max(game.said[party] - 1, 0));

  function specialCounts({ solo, kind, rules }, special) {
    if (!solo || rules.specials_in_solo === "all") return true;
    if (rules.specials_in_solo === "none") return false;
    return kind === "trumpfsolo" || QUIET_SOLOS.includes(kind) || special === "doppelkopf" ||
      (kind.startsWith("farbsolo_") && special.startsWith("karlchen"));
  }

  // The lines as [step, when]; "special" is a special point before. What needs a winner and has none is left out.
  function linesOf(game, winner) {
    const { rules, said, eyes, solo, kind, specials } = game;
    const lines = [];
    const put = (code, party, count, when = "before") => {
      if (party && count > 0) lines.push([{ code, party, [when === "paid" ? "pay" : "add"]: count }, when]);
    };
    put("won", winner, rules.won);
    for (const party of PARTIES) {
      const missed = winner && rules.limit_counts !== "reached" ? announced(game, other(party)) : [];
      for (const absage of ABSAGEN) {
        const { limit } = absage;
        const counts = winner !== other(party) && rules.limits.includes(limit);
        if (counts && (isUnder(game, other(party), limit) || missed.includes(absage))) {
          put(limit ? "under_" + limit : "no_trick", party, rules.limit);
        }
      }
    }
    for (const party of PARTIES) if (said[party]) put(party + "_said", winner, rules.re_kontra.add);
    for (const party of PARTIES) {
      for (const { code } of announced(game, party)) put(party + "_" + code, winner, rules.absage);
    }
    for (const party of PARTIES) {
      const against = announced(game, other(party));
      for (const absage of { cumulative: against, highest: against.slice(-1), off: [] }[rules.against_absage]) {
        if (eyes[party] >= absage.limit + 30) put("against_" + absage.code, party, 1);
      }
    }
    const group = solo ? "solo" : kind === "armut" ? "armut" : "partner";
    const isGegen = winner === "kontra" && rules.gegen_in.includes(group);
    if (isGegen) put("gegen_die_alten", winner, rules.gegen_die_alten, rules.gegen_when);
    const point = rules.solo_point;
    if (point && point.kinds.includes(kind)) put("solo_point", winner, point.points, point.when);
    const when = rules.specials_when === "before" ? "special" : rules.specials_when;
    for (const special of keys(MOST_SPECIALS).filter((name) => specialCounts(game, name))) {
      for (const party of PARTIES) put(special, party, specials[party][special] * rules.specials[special], when);
    }
    return lines;
  }

  // The doublings but Bock; with nobody winning only the solo's.
  function doublings({ rules, said, solo }, winner) {
    const lost = rules.lost_announcement;
    const steps = [];
    const put = (holds, code, count) => holds && count > 1 && steps.push(times(code, count));
    for (const party of PARTIES) put(winner && said[party], party + "_said", rules.re_kontra?.times);
    put(solo, "solo", rules.solo_times);
    put(winner && said[other(winner)] > (lost?.when === "absage" ? 1 : 0), "lost_announcement", lost?.times);
    return steps;
  }

  // `favours` is {party}, {} where nobody knows it, null where nobody won.
  function bockSteps({ bock }, favours, level) {
    if (!level) return [];
    if (!isObject(bock.effect)) return [times("bock", 2 ** level)];
    const add = bock.effect.add * level;
    return favours && add ? [{ code: "bock", ...favours, add }] : [];
  }

  // What the steps come to, as Re sees it.
  const foldSteps = (steps) => steps.reduce((value, { times: factor = 1, add = 0, party }) =>
    value * factor + (party === "kontra" ? -add : add), 0) + 0;

  function stepsOf(game, winner, level) {
    const { rules } = game;
    const lines = linesOf(game, winner);
    const placed = (place) => lines.filter(([, when]) => when === place).map(([step]) => step);
    if (!winner && rules.nobody_wins === "zero") return placed("paid");
    const bock = bockSteps(rules, winner && { party: winner }, level);
    const isEarly = rules.bock?.effect === "game";
    const steps = [
      ...placed("before"),
      ...(isEarly ? bock : []),
      ...placed("special"),
      ...doublings(game, winner),
      ...placed("bock_only"),
      ...(isEarly ? [] : bock),
      ...placed("after"),
      ...placed("paid"),
    ];
    const value = foldSteps(steps);
    const isNegative = winner === "re" ? value < 0 : winner && value > 0;
    return isNegative && rules.negative === "zero" ? [...steps, times("negative", 0)] : steps;
  }

  // ---- the share-out ----

  // Points per seat. In a solo a sitter who is not left out counts as an opponent.
  function shareOut({ rules, solo, table, players }, re, value, winner) {
    const { sitter, soloist_share: share } = rules;
    const counting = forGame(rules.counting, solo);
    const opponents = (sitter === "nothing" ? players.length : table) - 1;
    const forRe = solo ? value * (share === "opponents" ? opponents : share) : value;
    const asWinner = winner === "re" ? value : winner ? -value : 0;
    const forSitter = sitter === "nothing" ? 0 : solo || sitter === "kontra" ? -value : asWinner;
    return seatsOf(table).map((seat) => {
      const points = re.includes(seat) ? forRe : players.includes(seat) ? -value : forSitter;
      return { plus_minus: points, winners: Math.max(points, 0), losers: Math.min(points, 0) }[counting] + 0;
    });
  }

  // The Kasse pays special points, or the other party does, shared evenly; an odd cent goes to the Kasse.
  function payOut(rules, parties, steps, points) {
    for (const { party, pay } of steps.filter((step) => step.pay)) {
      const payers = rules.special_payer === "players" ? parties[other(party)] : [];
      const each = payers.length ? Math.floor((pay * payers.length) / parties[party].length) : pay;
      for (const seat of parties[party]) points[seat] += each;
      for (const seat of payers) points[seat] -= pay;
    }
  }

  const split = (players, side) => [true, false].map((isIn) => players.filter((seat) => side.includes(seat) === isIn));

  function scorePlayed(game, level) {
    const [re, kontra] = split(game.players, game.re);
    const winner = winnerOf(game);
    const steps = stepsOf(game, winner, level);
    const value = foldSteps(steps);
    const points = shareOut(game, re, value, winner);
    payOut(game.rules, { re, kontra }, steps, points);
    return { winner, winners: { re, kontra }[winner] || [], value, points, steps };
  }

  // The short form: a soloist is Re, of two partners nobody knows; `value` is the winners'.
  function scoreShort(game, level) {
    const [winners, losers] = split(game.players, game.winners);
    const isLost = game.solo && winners.length > 1;
    const winner = game.solo ? (isLost ? "kontra" : "re") : null;
    const base = game.base ? [{ code: "base", add: game.base }] : [];
    const steps = [...base, ...bockSteps(game.rules, {}, level)];
    const value = foldSteps(steps);
    const points = isLost ? shareOut(game, losers, -value, "kontra") : shareOut(game, winners, value, "re");
    return { winner, winners, value, points, steps };
  }

  const scoreGame = (game, level) => (game.form === "short" ? scoreShort : scorePlayed)(game, level);

  // ---- the Bock chain: the levels, uncapped, of the Bock games still to come ----

  const TRIGGERS = {
    lost_announcement: ({ said }, winner) => said && PARTIES.some((party) => party !== winner && said[party]),
    lost_solo: ({ solo }, winner) => solo && winner === "kontra",
    tie_120: ({ eyes }) => eyes?.re === 120,
    herzstich: ({ specials }) => specials && PARTIES.some((party) => specials[party].herzstich),
    zero_game: (game) => scoreGame(game, 0).value === 0,
    schwarz: (game, winner) => game.eyes && winner && isUnder(game, other(winner), 0),
    manual: ({ startsBock }) => startsBock,
  };

  function bocksStarted(game) {
    const { triggers, per_game: perGame } = game.rules.bock;
    const { winner } = scoreGame(game, 0);
    const holding = triggers.filter((trigger) => TRIGGERS[trigger](game, winner));
    if (perGame === "one") return Math.min(holding.length, 1);
    return holding.reduce((sum, trigger) => sum + (trigger === "manual" ? game.startsBock : 1), 0);
  }

  // The chain with so many new Bocks in it, and how many games they added.
  function startBock(open, { length, overlap }, count, table) {
    const games = length > 0 ? length : table;
    const fresh = (levels) => Array(levels).fill(1);
    if (!count || (overlap === "ignore" && open.length)) return { open, started: 0 };
    if (overlap === "append") return { open: [...open, ...fresh(count * games)], started: count * games };
    if (overlap !== "stack") return { open: fresh(games), started: games };
    const stacked = seatsOf(Math.max(open.length, games)).map((game) => (open[game] || 0) + (game < games ? count : 0));
    return { open: stacked, started: count * games };
  }

  const capped = (open, bock) => (bock ? open.map((level) => Math.min(level, bock.cap)) : []);

  function followGame(game, line, open) {
    const { bock } = game.rules;
    const answer = (level, started, left) =>
      ({ ...scoreGame(game, level), bock: level, bock_started: started, open: capped(left, bock) });
    if (!bock) return { result: answer(0, 0, open), open };
    const isPlain = game.duty && !bock.duty_solo_uses;
    const usesNone = isPlain || (bock.length === "deal" && dealStays(line, game.rules));
    const level = line.facts.bock ?? (isPlain ? 0 : capped(open, bock)[0] || 0);
    const next = startBock(usesNone ? open : open.slice(1), bock, bocksStarted(game), game.table);
    return { result: answer(level, next.started, next.open), open: next.open };
  }

  // Penalty, correction, redeal: points as written, Bock untouched.
  function followEntry({ form, table, facts }, settings, open) {
    const points = form === "redeal" ? Array(table).fill(0) : facts.points;
    const isRight = Array.isArray(points) && points.length === table &&
      points.every((entry) => isCount(Math.abs(entry), MOST_POINTS));
    if (!isRight) return { result: { error: { points: "refused" } }, open };
    const nothing = { winner: null, winners: [], value: 0, steps: [], bock: 0, bock_started: 0 };
    const result = { ...nothing, points, open: capped(open, rulesAt(settings, table).bock) };
    return { result, open };
  }

  // One line after the chain so far. A refused line leaves the chain as it was.
  function follow(line, settings, open) {
    if (!FIELDS[line.form]) return followEntry(line, settings, open);
    const game = readGame(line, settings);
    if (game.error) return { result: game, open };
    const next = followGame(game, line, open);
    if (Math.abs(next.result.value) <= MOST_VALUE) return next;
    return { result: { error: { [line.form === "short" ? "base" : "line"]: "refused" } }, open };
  }

  // A result for every line of a table in order; `open` is carried over from an earlier evening.
  function fold(lines, settings, open = []) {
    return lines.map((line) => {
      const next = follow(line, settings, open);
      open = next.open;
      return next.result;
    });
  }

  // The levels of the Bock games to come after these lines.
  function openBock(lines, settings, open = []) {
    return fold(lines, settings, open).reduce((left, result) => result.open || left, capped(open, settings.bock));
  }

  // One game by itself: winner, winners, value, points and steps, or {error}.
  function score(facts, settings, table, level = 0, dealer = null) {
    const game = readGame({ form: facts.winners && !facts.kind ? "short" : "played", facts, table, dealer }, settings);
    return game.error ? game : scoreGame(game, level);
  }

  globalThis.ClubLedgerScore = { fold, follow, score, whoPlays, nextDealer, openBock, resolve };
})();
