/*
 * The thumb at the table: what is tapped becomes facts, the points of all stand under it at once, and one button puts the game on the sheet,
 * as waiting, and sends it (outbox.js); only the server says that it is saved. Without this script the same form works by itself. What a
 * game is worth is decided in score.js and, last of all, by the server.
 */
(() => {
  "use strict";

  const form = document.getElementById("entry");
  if (!form) return;
  const find = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const dataElement = find("table-data");
  // The page that corrects a line has no table data: there the pills help, and the server shows what changes.
  const data = dataElement ? JSON.parse(dataElement.textContent) : null;
  // Who types here: a login, or a person who came by the link of the table.
  const { who } = document.body.dataset;
  const isShort = form.elements.form.value === "short";
  const pick = form.querySelector("[data-pick]");
  const minus = (number) => String(number).replace("-", "−");
  const signed = (number) => (number > 0 ? `+${number}` : minus(number));
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };

  // ---- pills that help ----

  const solos = find("solos");
  const soloButton = find("solo-button");
  const duty = find("duty");
  const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`)?.value ?? "";
  const isSolo = () => Boolean(solos && form.querySelector('#solos input[name="kind"]:checked'));
  // Where six or eight play, every other seat is a party: two pills name it, and only a soloist is marked.
  const parties = find("parties");
  const isAlone = () => (isShort ? form.elements.solo.checked : isSolo());
  const sitters = () => all("[data-out] input:checked", form).map((box) => Number(box.value));
  const marked = () => all("input:checked", pick);
  let marks = marked();

  /** A party has one or two; one tap too many moves the mark that was set first. */
  function holdMarks(tapped) {
    const most = isShort ? (form.elements.solo.checked ? (parties ? all("input", pick).length - 1 : 3) : 2) : isSolo() ? 1 : 2;
    marks = marks.filter((mark) => mark.checked);
    if (tapped?.checked && !marks.includes(tapped)) marks.push(tapped);
    while (marks.length > most) marks.shift().checked = false;
  }

  /** Who is said to sit out is in no party. */
  function holdOut() {
    for (const mark of form.querySelector("[data-out]") ? all("input", pick) : []) {
      mark.disabled = sitters().includes(Number(mark.value));
      if (mark.disabled) mark.checked = false;
    }
  }

  function showParties() {
    if (!parties) return;
    parties.hidden = isAlone();
    pick.closest("fieldset").hidden = !isAlone();
  }

  function showSolos(open) {
    if (!soloButton) return;
    solos.hidden = !open;
    soloButton.setAttribute("aria-expanded", String(open));
    const kind = form.querySelector('#solos input[name="kind"]:checked');
    const name = kind?.closest("label").textContent.trim();
    // Whoever has just said which solo it is sees that it can be a Pflichtsolo.
    if (duty) duty.hidden = !name;
    const isDuty = name && form.elements.duty?.checked;
    soloButton.firstElementChild.textContent = isDuty ? `${name} (${form.dataset.duty})` : name || soloButton.dataset.name;
    soloButton.classList.toggle("chosen", Boolean(name));
  }

  function prepareSolos() {
    if (!soloButton) return;
    soloButton.hidden = false;
    soloButton.dataset.name = form.dataset.solo;
    soloButton.addEventListener("click", () => showSolos(solos.hidden));
    showSolos(false);
  }

  /** "keine 60" says keine 90 and Re as well, and the pills before it show that. */
  function fillUpwards() {
    for (const group of all(".fill", form)) {
      const pills = all(".pill", group);
      const top = pills.findIndex((pill) => pill.firstElementChild.checked);
      pills.forEach((pill, index) => pill.classList.toggle("filled", index > 0 && index < top));
    }
  }

  function prepareKeypads() {
    for (const pad of all("[data-keypad]", form)) {
      const field = form.elements[pad.dataset.keypad];
      pad.hidden = false;
      field.inputMode = "none";
      pad.addEventListener("click", (event) => {
        const digit = event.target.closest("[data-digit]")?.dataset.digit;
        if (!digit) return;
        field.value = digit === "back" ? field.value.slice(0, -1) : (field.value + digit).slice(0, field.maxLength);
        typed(field);
      });
    }
  }

  /** Exact eyes and a band exclude each other: the later tap counts. */
  function typed(field) {
    if (field.name === "eyes" && field.value) {
      const band = form.querySelector('input[name="band"]:checked');
      if (band) band.checked = false;
    }
    if (field.name === "band") form.elements.eyes.value = "";
    resting = false;
    touched = true;
    find("save").parentElement.style.paddingTop = "";
    refresh();
  }

  // ---- facts ----

  const number = (text) => (/^\d+$/.test(text) ? Number(text) : text);

  function factsTyped() {
    const startsBock = form.elements.starts_bock?.value.trim();
    const byHand = startsBock && startsBock !== "0" ? { starts_bock: number(startsBock) } : {};
    const seats = partyTyped();
    const out = form.querySelector("[data-out]") ? { out: sitters() } : {};
    if (isShort) {
      const base = form.elements.base.value.trim();
      return { winners: seats, ...(base && { base: number(base) }), solo: form.elements.solo.checked, ...out, ...byHand };
    }
    const facts = { kind: chosen("kind"), re: seats, ...out, ...resultTyped(), ...byHand };
    for (const name of ["re_said", "kontra_said", "last_said", "no_trick"]) {
      const value = chosen(name);
      if (value && value !== (name === "no_trick" ? "" : "none")) facts[name] = value;
    }
    for (const party of ["re", "kontra"]) {
      const counts = Object.entries(specialsOf(party));
      if (counts.length) facts[`${party}_specials`] = Object.fromEntries(counts);
    }
    if (form.elements.duty?.checked && isSolo()) facts.duty = true;
    return facts;
  }

  function partyTyped() {
    if (!parties || isAlone()) return marked().map((mark) => Number(mark.value));
    return data.seats.map((player, seat) => seat).filter((seat) => String(seat % 2) === chosen("row"));
  }

  function resultTyped() {
    const eyes = form.elements.eyes.value.trim();
    if (eyes) {
      const count = number(eyes);
      return { eyes: chosen("side") === "kontra" && Number.isInteger(count) ? 240 - count : count };
    }
    const band = chosen("band");
    if (!band) return {};
    const bands = all('input[name="band"]', form).map((pill) => pill.value);
    return { band: chosen("side") === "kontra" ? bands[bands.length - 1 - bands.indexOf(band)] : band };
  }

  function specialsOf(party) {
    const counts = {};
    for (const pill of all(`.special input[name^="${party}_"]:checked`, form)) {
      if (pill.value !== "0") counts[pill.name.slice(party.length + 1)] = Number(pill.value);
    }
    return counts;
  }

  // ---- points at once ----

  const dealerSeat = () => (form.elements.dealer.value === "" ? null : Number(form.elements.dealer.value));
  const asLine = ({ form: kind, table, dealer, facts }) => ({ form: kind, table, dealer, facts });

  function computed(facts) {
    const line = { form: isShort ? "short" : "played", table: data.seats.length, dealer: dealerSeat(), facts };
    const results = ClubLedgerScore.fold([...inOrder(mending).map(asLine), line], data.rules, data.chain);
    return results[results.length - 1];
  }

  /** What is still to be tapped: the field and a sentence; nothing when the game is complete. */
  function missing(facts, { error }) {
    const { texts } = data;
    const out = data.seats.length - 4;
    if (facts.out && facts.out.length < out) return ["out", fill(texts.need_out, { out, n: out - facts.out.length })];
    if (isShort) {
      if (!facts.winners.length) return ["winners", texts.need_winners];
      if (facts.base === undefined) return ["base", texts.need_base];
    } else {
      if (facts.re.length < (isSolo() ? 1 : 2)) return ["re", isSolo() ? texts.need_soloist : texts.need_re];
      if (facts.eyes === undefined && !facts.band) return ["eyes", texts.need_result];
    }
    return error && "last_said" in error ? ["last_said", texts.need_last] : null;
  }

  /** Whose Ansage came last is asked only where it decides. */
  function askLast() {
    const place = find("last-said");
    if (!place) return;
    const isTie = chosen("band") === "120" || form.elements.eyes.value === "120";
    place.hidden = !(isTie && chosen("re_said") === "said" && chosen("kontra_said") === "said") && !chosen("last_said");
    if (!place.hidden && !chosen("last_said")) place.closest("details").open = true;
  }

  function refresh() {
    for (const link of all("[data-dealer]", form)) link.setAttribute("aria-current", String(link.dataset.dealer === form.elements.dealer.value));
    holdOut();
    fillUpwards();
    askLast();
    showParties();
    if (!data) return;
    const facts = factsTyped();
    const result = computed(facts);
    const need = missing(facts, result)?.[1] ?? (result.error ? data.texts.check : "");
    const live = find("live");
    live.hidden = Boolean(need);
    live.replaceChildren();
    find("live-steps").textContent = need;
    if (need) return;
    data.seats.forEach((player, seat) => {
      if (result.points[seat] === 0 && !seatPlays(seat)) return;
      const item = make("li", `${data.names[player]} `);
      item.append(make("b", signed(result.points[seat])));
      live.append(item);
    });
    find("live-steps").textContent = [eyesInWords(facts), ...stepsInWords(result)].filter(Boolean).join(" · ");
  }

  /** Both sides at once: who types one side wants to see the other. */
  function eyesInWords({ eyes, band }) {
    if (eyes !== undefined) return `Re ${eyes} : ${240 - eyes} Kontra`;
    const bands = all('input[name="band"]', form);
    const index = bands.findIndex((pill) => pill.value === band);
    if (index < 0) return "";
    const [re, kontra] = [index, bands.length - 1 - index].map((place) => bands[place].closest("label").textContent.trim());
    return `Re ${re} : ${kontra} Kontra`;
  }

  const seatPlays = (seat) => !sitters().includes(seat) && all("input", pick).some((mark) => Number(mark.value) === seat);

  function stepsInWords({ steps, bock_started: bocks }) {
    const brings = bocks ? [fill(bocks === 1 ? data.texts.brings_one : data.texts.brings, { n: bocks })] : [];
    return steps.map(({ code, add, times, pay }) => {
      const label = data.labels[code] || code;
      if (times !== undefined) return `${label} ×${times}`;
      return pay === undefined ? `${label} ${add}` : `${label} ${pay} ${data.texts.kasse}`;
    }).concat(brings);
  }

  // ---- saving ----

  // So many milliseconds without an answer are as good as no net.
  const PATIENCE = 8000;
  // So many milliseconds after a new deal a second tap is the same one.
  const HASTY = 500;
  // Only so many pixels are left empty to keep the button in its place.
  const MOST_GAP = 120;
  // So many milliseconds after saving, a hasty thumb may tap once more.
  const HASTE = 600;
  // Where penalties are asked for.
  const PENALTY = '.beside [href="?form=penalty"]';
  // After saving the button rests until something is typed: the second tap of a hasty thumb is not the next game.
  let resting = false;
  // Has anything been typed for the next game?
  let touched = false;
  // Is the server being asked what is wrong with a game that the phone finds impossible?
  let judging = false;

  function say(text, isBad = false) {
    const line = find("live-steps");
    line.textContent = text;
    line.classList.toggle("bad", isBad);
  }

  function showFaults(errors) {
    const places = Object.fromEntries(all("[data-fault]", form).map((place) => [place.dataset.fault, place]));
    for (const place of Object.values(places)) place.hidden = true;
    for (const [field, text] of Object.entries(errors)) {
      const place = places[field] || places.other;
      place.textContent = text;
      place.hidden = false;
      place.closest("details")?.setAttribute("open", "");
    }
    all("[data-fault]", form).find((place) => !place.hidden)?.scrollIntoView({ block: "center" });
  }

  /** A request, which knows afterwards whether the server can be reached. */
  async function reach(address, options) {
    const answering = fetch(address, { ...options, signal: AbortSignal.timeout(PATIENCE) });
    isReached = await answering.then(() => true, () => false);
    return answering;
  }

  async function post(letter) {
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? form.elements.csrfmiddlewaretoken.value;
    const answer = await reach(form.action, {
      method: "POST",
      credentials: "same-origin",
      // Whoever taps on at once takes nothing of it back.
      keepalive: true,
      referrerPolicy: "origin",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token, "Typed-By": who },
      body: JSON.stringify(letter),
    });
    const body = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
    document.dispatchEvent(new Event("entered"));
    return { status: answer.status, body };
  }

  function typedEntry() {
    const { key, after, round, note } = form.elements;
    const kind = isShort ? "short" : "played";
    return { key: key.value, after: after.value, round: round.value, form: kind, dealer: dealerSeat(), note: note.value, facts: factsTyped(), seats: data.seats };
  }

  function save() {
    // What was refused and is the same still would be refused again, or booked twice.
    if (resting && mending) say(data.texts.decide, true);
    if (resting || judging) return;
    const entry = typedEntry();
    const result = computed(entry.facts);
    const need = missing(entry.facts, result);
    if (need) {
      showFaults(Object.fromEntries([need]));
      say(need[1], true);
    } else if (result.error) judge(entry);
    else if (mending) mend(entry);
    else keep(entry);
  }

  /** What the phone finds impossible does not wait: the server says at once what is wrong with it, or nobody does. */
  async function judge(entry) {
    judging = true;
    say(data.texts.saving);
    // Behind what waits, the server could not even place it.
    const answer = outbox?.entries.length ? null : await post(ClubLedgerOutbox.letter(entry)).catch(() => null);
    judging = false;
    if (answer?.body?.errors) {
      showFaults(answer.body.errors);
      say(data.texts.refused, true);
    } else if (answer?.body && answer.status <= 201) {
      begin(answer.body.next);
      resting = true;
      saved(answer.body);
    } else say(answer?.body?.error || answer?.body?.late || data.texts.check, true);
  }

  /** Do this without the button moving away under the thumb: a second tap must hit the same button, which rests. */
  function holdButton(work) {
    const button = find("save");
    const { top } = button.getBoundingClientRect();
    const rise = () => top - button.getBoundingClientRect().top;
    work();
    scrollBy(0, -rise());
    button.parentElement.style.paddingTop = `${Math.min(Math.max(rise(), 0), MOST_GAP)}px`;
    waitToLetGo();
  }

  let lettingGo = null;

  function waitToLetGo() {
    clearTimeout(lettingGo);
    lettingGo = setTimeout(letGo, HASTE);
  }

  // Under a finger nothing moves: a tap would end on something else than it began on.
  addEventListener("pointerdown", () => clearTimeout(lettingGo), true);
  for (const lifted of ["pointerup", "pointercancel"]) addEventListener(lifted, () => lettingGo && waitToLetGo(), true);

  /** The next game begins at the top, however far down the last one was typed; unless it has begun already. */
  function letGo() {
    lettingGo = null;
    if (!isIdle()) return;
    find("save").parentElement.style.paddingTop = "";
    scrollTo(0, 0);
  }

  /** On the sheet at once, as waiting, and on its way; the form is for the next game. */
  async function keep(entry) {
    resting = true;
    const { add, isStuck } = outbox ?? (await opening);
    entered = entry.key;
    add(entry);
    holdButton(() => {
      begin(ahead);
      say(isStuck ? fill(data.texts.kept, { label: nameOf(waiting.at(-1)) }) : data.texts.saving);
    });
  }

  /** The server has it: its lines take the place of what the phone had computed. */
  function saved({ keep, lines, next, change, key, remarks }) {
    // Another dealer was asked for by the address, and for this one game: loading the page again must not ask again.
    const address = new URL(location.href);
    address.searchParams.delete("dealer");
    history.replaceState(null, "", address);
    if (keep === undefined) takeLines(lines);
    else putLines(keep, lines);
    const line = data.lines.find((one) => one.key === key);
    if (line && change !== null) back = { change, what: nameOf(line) };
    const isHere = String(next.round) === form.elements.round.value;
    // What is being typed is for those who sat here before, and stays so.
    update(isHere ? next : { ...ahead, number: next.number, after: key });
    if (isIdle() && !isHere) return location.reload();
    if (touched || mending || outbox?.entries.length) return;
    say(line ? [fill(data.texts.saved, { label: nameOf(line) }), ...remarks].join(" ") : data.texts.known);
  }

  // ---- what waits ----

  let outbox = null;
  let opening = null;
  // The lines of what waits in the outbox, as this phone computes them, and what the next game looks like behind them.
  let waiting = [];
  let upcoming = data?.next;
  // All lines as they will stand: what was typed for people who sat here before goes between theirs and those of the others.
  let standing = data?.lines;
  // The key of the entry that is in the form to be mended, and the unfinished game that stood there before.
  let mending = null;
  let unfinished = null;
  // The key of what was just entered, until it is told that it waits.
  let entered = null;
  // What keeps everything from being sent, in a sentence, where it is not the net; and can the server be reached?
  let trouble = "";
  let isReached = true;

  const isIdle = () => !touched && !mending && !judging && !form.querySelector("details[open], #penalties") && !find("conflict").childElementCount;

  const linesNow = () => [...data.lines, ...waiting];

  const lineOf = (key) => linesNow().find((line) => line.key === key);

  /** The lines before the one in the form, as they will stand. */
  function inOrder(key) {
    const index = standing.findIndex((line) => line.key === key);
    return index < 0 ? standing : standing.slice(0, index);
  }

  /** What the game in the form looks like where it stands. */
  const inForm = () => waiting.find(({ key }) => key === mending)?.ahead ?? upcoming;

  const isOfOthers = ({ round }) => round !== form.elements.round.value;

  /** Put in order what waits behind the lines the server has, and tell what the next game looks like then. */
  function lookAhead() {
    waiting = [];
    upcoming = ahead;
    standing = [...data.lines];
    const known = new Set(data.lines.map((line) => line.key));
    for (const entry of outbox?.entries ?? []) {
      if (known.has(entry.key)) continue;
      const place = standing.findIndex(({ key }) => key === entry.after) + 1;
      const isBetween = entry.round !== String(ahead.round) && place < standing.length;
      const before = isBetween ? standing.splice(place) : [];
      const { line, next } = ClubLedgerOutbox.follow(entry, standing, upcoming, data.rules, data.chain);
      const label = line.label || data.texts[entry.form];
      // Its number is not the next one, and the server's to say.
      const told = isBetween && line.number !== null ? { number: null, label: data.texts.earlier, name: data.texts.earlier_game } : { label };
      waiting.push({ ...line, ...told, ahead: upcoming, refused: entry.refused });
      standing.push(line, ...before);
      const bock = ClubLedgerScore.openBock(standing.map(asLine), data.rules, data.chain);
      // Which game brought which Bock is the server's to say there as well.
      upcoming = isBetween ? { ...next, bock, bock_runs: [], after: upcoming.after } : next;
    }
  }

  function openOutbox() {
    return ClubLedgerOutbox.open(form.action, { who, name: data.me }, {
      post,
      saved: (answer) => {
        trouble = "";
        saved(answer);
      },
      late: (answer, entry) => {
        trouble = answer.late;
        // What is typed next followed it at the table.
        update({ ...ahead, after: entry.key });
        // The page as the server has it now shows what came late.
        if (isIdle() && !outbox.entries.length) location.reload();
      },
      refused: (answer, entry) => {
        trouble = "";
        if (answer.lines) putLines(0, answer.lines);
        update(answer.next ?? ahead);
        giveBack(entry, answer.errors);
      },
      failed: (answer) => {
        trouble = !answer || answer.status >= 500 ? "" : answer.body?.error || data.texts.forbidden;
        update(ahead);
        if (!touched && entered && lineOf(entered)) say(fill(data.texts.kept, { label: nameOf(lineOf(entered)) }));
        entered = null;
      },
      changed: () => update(ahead),
    });
  }

  /** Refused as soon as it was sent, and nothing typed since: it is in the form again as if it had never left. */
  function giveBack(entry, errors) {
    if (!isIdle() || outbox.entries.at(-1) !== entry || isOfOthers(entry)) return;
    fillIn(entry);
    resting = true;
    if (errors) showFaults(errors);
    else find("outbox").scrollIntoView({ block: "center" });
    say(errors ? data.texts.refused : data.texts.decide, true);
  }

  function mend({ after, ...entry }) {
    const key = mending;
    begin(ahead);
    resting = true;
    say(data.texts.saving);
    entered = entry.key;
    outbox.mend(key, entry);
  }

  /** Take out what waits. What is being typed behind it follows what stands there now. */
  function takeOut(key) {
    if (mending === key) begin(ahead);
    const after = outbox.discard(key);
    for (const field of [form.elements.after, find("redeal").elements.after]) if (field.value === key) field.value = after;
    if (isIdle()) begin(ahead);
  }

  /** Tapped on the sheet: what waits can be mended or taken out, and is not sent meanwhile. */
  async function hold(key) {
    if (outbox.flight && outbox.entries[0].key === key) await outbox.flight;
    const entry = outbox.entries.find((one) => one.key === key);
    if (!entry || outbox.held === key) return;
    outbox.held = key;
    if (entry.form === form.elements.form.value && !isOfOthers(entry)) fillIn(entry);
    update(ahead);
    find("outbox").scrollIntoView({ block: "center" });
    outbox.send();
  }

  /** How many wait, and each that was refused or tapped, with what can be done about it. */
  function showOutbox() {
    const { entries, others, held, isStuck } = outbox ?? { entries: [], others: [] };
    const [one, many] = entries[0]?.refused ? [data.texts.asks, data.texts.ask] : [data.texts.waits, data.texts.wait];
    head("waiting", entries.length === 1 ? one : fill(many, { n: entries.length }));
    document.querySelector('[data-head="waiting"]').hidden = !isStuck;
    const shown = entries.filter(({ key, refused }) => refused || key === held);
    const tray = find("outbox");
    // What a screen reader has said, or a thumb is on, is not made anew.
    const content = JSON.stringify([trouble, mending, others.length, ...shown]);
    if (tray.content === content) return;
    tray.content = content;
    tray.replaceChildren(...shown.map(boxOf));
    if (others.length) tray.append(boxOfOthers(others));
    if (trouble) {
      tray.prepend(make("p", trouble, "fault"));
      tray.firstElementChild.setAttribute("role", "alert");
    }
  }

  function boxOfOthers(others) {
    const { texts } = data;
    const names = [...new Set(others.map(({ typist }) => typist.name || texts.somebody))].join(", ");
    const box = make("div", undefined, "panel conflict mb-2");
    box.setAttribute("role", "status");
    box.append(make("p", fill(texts.others, { names, n: others.length })), buttonOf(texts.adopt, adopt));
    return box;
  }

  /** What was typed before goes out first: the next game is another one now. */
  function adopt() {
    outbox.adopt();
    if (isIdle()) begin(ahead);
  }

  function buttonOf(text, work) {
    const button = make("button", text, "btn btn-outline-secondary w-100 mb-2");
    button.type = "button";
    button.addEventListener("click", work);
    return button;
  }

  function boxOf(entry) {
    const { key, form: kind, facts, refused } = entry;
    const { texts } = data;
    const line = lineOf(key);
    const box = make("div", undefined, "panel conflict mb-2");
    box.setAttribute("role", refused ? "alert" : "status");
    const add = (text, className) => box.append(make("p", text, className));
    if (refused?.standing) {
      for (const sentence of refused.sentences) add(sentence, "mb-1");
      add(fill(texts.typed, { what: typedAndWorth(line, pointsBeside(line, refused.standing)) }));
      add(fill(texts.standing, { label: nameOf(refused.standing), what: typedAndWorth(refused.standing, refused.standing.points) }));
    } else {
      add(fill(refused ? texts.not_taken : texts.held, { label: nameOf(line) }), "mb-1");
      add(pointsOf(line), "quiet mb-1");
      for (const sentence of refused?.sentences ?? []) add(sentence);
    }
    if (isOfOthers(entry) && !refused?.standing) add(refused ? texts.others_now : texts.of_others);
    const isBehind = refused?.after !== undefined;
    const act = (text, work) => box.append(buttonOf(text, work));
    const close = () => mending === key && begin(ahead);
    if (refused) {
      act(isBehind ? texts.other : texts.again, () => {
        close();
        outbox.again(key);
      });
    }
    if (isOfOthers(entry)) {
      // Its people are not those in the form.
    } else if (kind !== form.elements.form.value) {
      if (facts.re || facts.winners) act(texts.mend, () => location.assign(`?form=${kind}`));
    } else if (mending !== key) act(texts.mend, () => hold(key));
    act(isBehind ? texts.same : texts.discard, () => takeOut(key));
    if (!refused) act(texts.leave, () => {
      close();
      outbox.held = null;
      update(ahead);
      outbox.send();
    });
    return box;
  }

  /** An entry back in the form, as it was typed; saving it puts it in its place again. */
  function fillIn(entry) {
    const typed = mending ? unfinished : touched ? typedEntry() : null;
    unfinished = null;
    begin(ahead);
    unfinished = typed;
    mending = entry.key;
    resting = false;
    showHead();
    fillOut(entry);
    showOutbox();
    form.querySelector("fieldset").scrollIntoView({ block: "center" });
  }

  function fillOut({ dealer, note, facts }) {
    form.elements.dealer.value = dealer;
    headOfDeal(dealer);
    const party = facts.re ?? facts.winners;
    for (const mark of all("input", pick)) mark.checked = party.includes(Number(mark.value));
    for (const box of all("[data-out] input", form)) box.checked = (facts.out ?? []).includes(Number(box.value));
    if (parties && party.length > 1) choose("row", party[0] % 2);
    for (const name of ["kind", "band", "re_said", "kontra_said", "last_said", "no_trick", "starts_bock"]) if (facts[name]) choose(name, facts[name]);
    for (const side of ["re", "kontra"]) {
      for (const [special, count] of Object.entries(facts[`${side}_specials`] ?? {})) choose(`${side}_${special}`, count);
    }
    for (const [name, value] of Object.entries({ note, eyes: facts.eyes, base: facts.base })) if (form.elements[name]) form.elements[name].value = value ?? "";
    for (const name of ["duty", "solo"]) if (form.elements[name]) form.elements[name].checked = Boolean(facts[name]);
    marks = marked();
    showSolos(false);
    refresh();
  }

  /** Tapped on the sheet when the server was last heard of as out of reach: by now it may answer again. */
  async function follow(address) {
    await reach("/healthz", { method: "HEAD", cache: "no-store" }).catch(() => {});
    if (isReached) location.assign(address);
    else say(data.texts.needs_net, true);
  }

  // ---- penalties ----

  /** Those of the tournament rules, two taps away on this page; any other has a page of its own. */
  function offerPenalties(link) {
    const standing = find("penalties");
    link.setAttribute("aria-expanded", String(!standing));
    if (standing) return standing.remove();
    const panel = make("div", undefined, "panel");
    panel.id = "penalties";
    panel.append(...data.penalties.map(penaltyOf));
    const other = make("a", data.texts.other_points, "key");
    other.href = link.href;
    panel.append(other);
    link.parentElement.after(panel);
    panel.scrollIntoView({ block: "center" });
  }

  function penaltyOf(penalty) {
    const box = make("fieldset");
    const names = make("div", undefined, "pills four");
    for (const [seat, player] of data.seats.entries()) {
      const button = make("button", data.names[player], "key");
      button.type = "button";
      button.addEventListener("click", () => punish(penalty, seat));
      names.append(button);
    }
    box.append(make("legend", penalty.legend), names);
    return box;
  }

  /** On the sheet as it is. A game that is being typed stays and follows it, unless its deal is used up. */
  function punish({ lost, won, reason, dealt }, offender) {
    if (mending) return void say(data.texts.decide, true);
    const { after, round, dealer } = find("redeal").elements;
    const key = newKey();
    const points = data.seats.map((player, seat) => (seat === offender ? lost : won));
    if (touched && !dealt) unfinished = { ...typedEntry(), after: key };
    // It stays for a moment, so that a hasty second tap meets nothing else.
    const panel = find("penalties");
    panel.inert = true;
    setTimeout(() => offerPenalties(form.querySelector(PENALTY)), HASTE);
    keep({ key, after: after.value, round: round.value, form: "penalty", dealer: dealt ? Number(dealer.value) : null, note: "", facts: { points, reason }, seats: data.seats });
  }

  // ---- taking back ----

  // The last change that the server would take back.
  let back = null;

  /** The last thing entered, wherever it is by now. */
  function showUndo() {
    const last = outbox?.entries.at(-1);
    const what = last ? nameOf(lineOf(last.key)) : back?.what;
    const undo = find("undo");
    undo.hidden = !what;
    undo.elements.change.value = back ? back.change : "";
    find("undo-what").textContent = what ? `(${what})` : "";
  }

  /** What waits is taken out of the outbox. The server takes back what it has; what is just on its way is answered first. */
  async function undo(event) {
    const last = outbox?.entries.at(-1);
    if (!last) return;
    event.preventDefault();
    if (outbox.flight && outbox.entries.length === 1) await outbox.flight;
    if (!outbox.entries.includes(last)) return void find("undo").requestSubmit();
    takeOut(last.key);
    say(data.texts.taken_back);
  }

  // ---- the next game ----

  const nameOf = (line) => line.name ?? (line.number === null ? line.label : fill(data.texts.game, { n: line.number }));

  const called = (player) => data.names[player] ?? data.texts.somebody;
  const listed = (points, seats) => seats.map((player, place) => `${called(player)} ${signed(points[place])}`).join(", ");
  const pointsOf = ({ seats, points }) => listed(points, seats);

  /** What a line would be worth in the place of the one that stands there: only then the same game looks the same. */
  function pointsBeside(line, { key }) {
    const index = data.lines.findIndex((one) => one.key === key);
    const before = index < 0 ? data.lines : data.lines.slice(0, index);
    return ClubLedgerScore.fold([...before, line].map(asLine), data.rules, data.chain).at(-1).points ?? line.points;
  }

  /** A line as somebody typed it, and what it comes to. */
  function typedAndWorth({ seats, facts }, points) {
    const names = (places) => places.map((place) => called(seats[place])).join(", ");
    const { re, winners, eyes, band, kind, base, reason } = facts;
    const told = [];
    if (re) told.push(`Re ${names(re)}`, kind === "normal" ? "" : data.kinds[kind], band ? `Re ${band.replace("-", "–")}` : `Re ${eyes} : ${240 - eyes} Kontra`);
    if (winners) told.push(`${data.labels.won}: ${names(winners)}`, `${data.labels.base} ${base}`);
    for (const [party, name] of [["re", "Re"], ["kontra", "Kontra"]]) {
      told.push(data.labels[`${party}_${facts[`${party}_said`]}`]);
      for (const [special, count] of Object.entries(facts[`${party}_specials`] ?? {})) told.push(`${name} ${data.labels[special]} ${count}`);
    }
    return [...told, reason, listed(points, seats)].filter(Boolean).join(" · ");
  }

  /** An empty form for the next game. Where other people play than before, the page is built anew. */
  function begin(given) {
    // Other people sit at the table than this page knows.
    if (String(given.round) !== form.elements.round.value) return location.reload();
    touched = false;
    mending = null;
    update(given);
    const next = upcoming;
    const seated = all("input", pick).map((mark) => Number(mark.value));
    const playing = data.seats.map((player, seat) => seat).filter((seat) => !next.out.includes(seat));
    form.reset();
    for (const box of all("[data-pick] input:checked, [data-out] input:checked, #parties input:checked", form)) box.checked = false;
    for (const [name, value] of [["kind", "normal"], ["side", "re"], ["re_said", "none"], ["kontra_said", "none"], ["last_said", ""], ["no_trick", ""], ["starts_bock", "0"]]) choose(name, value);
    for (const zero of all('.special input[value="0"]', form)) zero.checked = true;
    for (const band of all('input[name="band"]', form)) band.checked = false;
    for (const name of ["eyes", "base", "note"]) if (form.elements[name]) form.elements[name].value = "";
    for (const name of ["duty", "solo"]) if (form.elements[name]) form.elements[name].checked = false;
    form.elements.key.value = newKey();
    form.elements.after.value = next.after;
    form.elements.dealer.value = next.dealer;
    const redeal = find("redeal");
    Object.assign(redeal.elements.key, { value: newKey() });
    Object.assign(redeal.elements.after, { value: next.after });
    Object.assign(redeal.elements.dealer, { value: next.dealer });
    find("conflict").replaceChildren();
    showFaults({});
    for (const fold of all("details", form)) fold.open = false;
    if (seated.join() !== playing.join()) seat(playing);
    marks = [];
    if (next.soloist !== null) markSoloist(next.soloist);
    showSolos(false);
    refresh();
    if (unfinished) takeUp(unfinished);
  }

  /** Go on with what was being typed before something else came into the form. */
  function takeUp(entry) {
    unfinished = null;
    touched = true;
    resting = false;
    if (!entry.after || lineOf(entry.after)) form.elements.after.value = entry.after;
    fillOut(entry);
  }

  function choose(name, value) {
    const choice = form.querySelector(`input[name="${name}"][value="${value}"]`);
    if (choice) choice.checked = true;
  }

  function markSoloist(seat) {
    const mark = all("input", pick).find((one) => Number(one.value) === seat);
    if (mark) mark.checked = true;
    if (form.elements.duty) form.elements.duty.checked = true;
    marks = marked();
  }

  /** The pills of those who play now, in seating order. */
  function seat(playing) {
    const pills = all(".pill", pick);
    playing.forEach((place, index) => {
      const input = pills[index].firstElementChild;
      input.value = place;
      pills[index].lastElementChild.textContent = data.names[data.seats[place]];
    });
  }

  /** Another dealer, and nothing typed lost: only who is Re is asked again, since other people may play. */
  function deal(dealer) {
    for (const mark of marked()) mark.checked = false;
    marks = [];
    form.elements.dealer.value = find("redeal").elements.dealer.value = dealer;
    headOfDeal(dealer);
    find("dealers").closest("details").open = false;
    touched = true;
    refresh();
  }

  /** Who plays, sits out and leads where this seat deals the game in the form. */
  function headOfDeal(dealer) {
    const people = data.seats.length;
    const playing = ClubLedgerScore.whoPlays(people, dealer, data.rules) ?? [...data.seats.keys()];
    const order = data.seats.map((player, step) => (dealer + 1 + step) % people);
    const names = (seats) => seats.map((one) => data.names[data.seats[one]]).join(", ");
    const { dealer: turn } = inForm();
    seat(playing);
    head("dealer", names([dealer]));
    head("turn", dealer === turn ? "" : names([turn]), true);
    head("leader", names([order.find((one) => playing.includes(one))]), true);
    head("out", playing.length < people ? names(order.filter((one) => !playing.includes(one))) : "", true);
  }

  function newKey() {
    // randomUUID exists on HTTPS and localhost only; a pub's network has neither.
    if (crypto.randomUUID) return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
  }

  // ---- head and sheet ----

  let ahead = data?.next;
  // The keys of the server's lines that are not yet shown as they are now.
  const changed = new Set();

  /** What the server says of the next game, and all that follows from it and from what waits. */
  function update(given) {
    ahead = given;
    document.dispatchEvent(new CustomEvent("known", { detail: { ...data, next: given } }));
    lookAhead();
    showHead();
    showSheet();
    showUndo();
    showOutbox();
  }

  function showHead() {
    const next = inForm();
    const name = (seat) => data.names[data.seats[seat]];
    const names = (seats) => seats.map(name).join(", ");
    head("number", fill(data.texts.game, { n: next.number }));
    head("cycle", fill(data.texts.cycle, { n: next.cycle }));
    // Whoever is typing is told who dealt the game in the form.
    if (!touched && !mending) {
      head("dealer", name(next.dealer));
      head("turn", "", true);
      head("leader", next.leader === null ? "" : name(next.leader), true);
      head("out", names(next.out), true);
    }
    head("owing", names(next.owing), true);
    head("soloist", next.soloist === null ? "" : name(next.soloist), true);
    const factor = next.bock[0] > 1 ? ` (×${2 ** next.bock[0]})` : "";
    const origin = originOf(next);
    head("bock", next.bock.length ? fill(data.texts.bock, { n: next.bock.length }) + factor + origin : "");
    document.querySelector('[data-head="bock"]').hidden = !next.bock.length;
  }

  /** The games that started the Bock games to come: where they follow one another, each with how many it brings. */
  function originOf({ bock, bock_runs: runs, bock_origin: told }) {
    const count = runs.reduce((sum, [, left]) => sum + left, 0);
    if (runs.length > 1 && count === bock.length) return `: ${runs.map(([game, left]) => `${left} ${fromGames([game])}`).join(", ")}`;
    const origin = fromGames(runs.map(([game]) => game)) || told;
    return origin ? ` ${origin}` : "";
  }

  /** Games of this sheet come by number; those of an earlier evening as the server puts it. */
  function fromGames(games) {
    const { bock_game: one, bock_games: several } = data.texts;
    const own = [...new Set(games.filter(Number.isInteger))].sort((a, b) => a - b);
    const earlier = games.filter((game) => typeof game === "string");
    return [...new Set(earlier), ...(own.length ? [fill(own.length > 1 ? several : one, { n: own.join(", ") })] : [])].join(", ");
  }

  function head(part, text, hideWhenEmpty = false) {
    const place = document.querySelector(`[data-head="${part}"]`);
    place.textContent = text;
    if (hideWhenEmpty) place.parentElement.hidden = !text;
  }

  function takeLines(lines) {
    for (const line of lines) {
      const index = data.lines.findIndex((one) => one.key === line.key);
      if (index < 0) data.lines.push(line);
      else data.lines[index] = line;
      changed.add(line.key);
    }
  }

  /** The first `keep` lines stand as they are, these follow. */
  function putLines(keep, lines) {
    data.lines.splice(keep, data.lines.length, ...lines);
    const standing = all("tr:not(.waiting)", find("rows")).reverse();
    // A row that stays in its place is not made anew: a thumb may be on it.
    while (standing[keep] && standing[keep].dataset.key === data.lines[keep]?.key) keep += 1;
    for (const row of standing.slice(keep)) row.remove();
    for (const line of lines) changed.add(line.key);
  }

  // ---- what other phones did ----

  /** Take over what is new at the table; what is being typed stays as it is, and goes on following the line it followed. */
  function hear({ error, keep, lines, next, undo, columns, seats, open, late = data.late, planned, chain }) {
    if (error) return void say(error, true);
    const isOther = planned !== data.planned || late !== data.late || chain.join() !== data.chain.join();
    if (isOther || open !== data.open || columns.join() !== data.columns.join() || seats.join() !== data.seats.join()) {
      if (isIdle()) location.reload();
      else say(data.texts.people, true);
      return;
    }
    const known = new Set(data.lines.map((line) => line.key));
    const { after } = form.elements;
    putLines(keep, lines);
    back = undo;
    update(next);
    if (isIdle() && after.value !== upcoming.after) begin(next);
    else {
      // Only a line that came in between asks a question. One that was struck out leaves its place to what is typed.
      const isBetween = lines.some((line) => !known.has(line.key));
      if (!isBetween && !lineOf(after.value)) after.value = upcoming.after;
      if (touched) refresh();
    }
  }

  function showSheet() {
    const totals = Object.fromEntries(data.columns.map((player) => [player, 0]));
    const rows = find("rows");
    const behind = [];
    for (const line of linesNow()) {
      // Somebody of whom the server knows no game yet has no column.
      line.seats.forEach((player, place) => (totals[player] = (totals[player] ?? 0) + line.points[place]));
      if (!line.waiting && !changed.has(line.key)) continue;
      const row = rowOf(line, totals);
      if (line.waiting) {
        behind.push(row);
        continue;
      }
      const standing = rows.querySelector(`tr:not(.waiting)[data-key="${line.key}"]`);
      if (!standing) rows.insertBefore(row, rows.querySelector("tr:not(.waiting)"));
      // A row that says the same stays: a thumb may be on it.
      else if (!standing.isEqualNode(row)) standing.replaceWith(row);
    }
    changed.clear();
    showWaiting(rows, behind);
    for (const player of data.columns) document.querySelector(`[data-total="${player}"]`).textContent = minus(totals[player]);
    const longest = Math.max(0, ...all("#rows td:not(:last-child)").map((cell) => cell.firstChild.data.trim().length));
    find("sheet").classList.toggle("long", longest > 4);
    find("sheet").classList.toggle("huge", longest > 5);
    const crossSum = Object.values(totals).reduce((sum, total) => sum + total, 0);
    find("cross-sum").textContent = minus(crossSum);
    const uneven = linesNow().filter(({ points }) => points.reduce((sum, each) => sum + each, 0));
    find("uneven-games").hidden = crossSum === 0 || uneven.every((line) => line.number === null);
    find("uneven-others").hidden = crossSum === 0 || uneven.every((line) => line.number !== null);
    if (rows.children.length) find("empty")?.remove();
  }

  /** The rows of what waits, the oldest first, on top of the others. Those that say the same stay here as well. */
  function showWaiting(rows, wanted) {
    const same = (row) => wanted.find((one) => one.dataset.key === row.dataset.key && one.isEqualNode(row));
    const standing = new Map();
    for (const row of all(".waiting", rows)) {
      if (same(row)) standing.set(row.dataset.key, row);
      else row.remove();
    }
    let below = rows.querySelector("tr:not(.waiting)");
    for (const fresh of wanted) {
      const row = standing.get(fresh.dataset.key) ?? fresh;
      if (!row.isConnected || row.nextElementSibling !== below) rows.insertBefore(row, below);
      below = row;
    }
  }

  function rowOf(line, totals) {
    const row = find("row-template").content.firstElementChild.cloneNode(true);
    row.dataset.key = line.key;
    row.classList.toggle("cycle-end", line.ends_cycle);
    row.classList.toggle("waiting", Boolean(line.waiting));
    const link = row.querySelector("a");
    link.href = line.url || "#entry";
    link.textContent = line.label;
    link.classList.toggle("unplayed", line.number === null);
    if (line.bock) link.append(" ", make("span", line.bock === 1 ? "B" : `B×${2 ** line.bock}`, "bock-sign"));
    if (line.waiting) {
      const state = line.refused ? data.texts.asking : data.texts.waiting;
      const sign = signOf(line.refused ? "!" : "…", state);
      sign.append(make("span", state, "visually-hidden"));
      link.append(" ", sign);
    }
    for (const player of data.columns) row.append(cellOf(line, player, totals[player]));
    const sign = line.winner === "kontra" && line.form === "played" ? -1 : 1;
    row.append(make("td", minus(line.value * sign)));
    return row;
  }

  function cellOf(line, player, total) {
    const seat = line.seats.indexOf(player);
    const cell = make("td");
    const isOut = seat < 0 || (line.out.includes(seat) && !line.points[seat]);
    cell.textContent = isOut ? "–" : minus(total);
    cell.classList.toggle("won", line.winners.includes(seat));
    if (seat >= 0 && seat === line.soloist) cell.append(" ", signOf("S", form.dataset.solo));
    if (seat >= 0 && seat === line.dealer) cell.append(" ", line.turn === undefined ? signOf(form.dataset.dealsSign, form.dataset.deals) : signOf(`${form.dataset.dealsSign}!`, form.dataset.dealsOdd));
    return cell;
  }

  function signOf(letter, title) {
    const sign = make("span", letter, "sign");
    sign.title = sign.ariaLabel = title;
    sign.role = "img";
    return sign;
  }

  // ---- start ----

  prepareSolos();
  prepareKeypads();
  form.addEventListener("change", (event) => {
    const { target } = event;
    if (target.closest("[data-pick]")) holdMarks(target);
    if (target.name === "kind" || target.name === "solo") holdMarks();
    if (["kind", "solo", "duty"].includes(target.name)) showSolos(false);
    typed(target);
  });
  form.addEventListener("input", (event) => event.target.type === "text" && typed(event.target));
  if (data) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      save();
    });
    let dealtAnew = -HASTY;
    find("redeal").addEventListener("submit", (event) => {
      event.preventDefault();
      if (event.timeStamp - dealtAnew < HASTY) return;
      dealtAnew = event.timeStamp;
      const { key, after, round, dealer } = find("redeal").elements;
      const line = { key: key.value, after: after.value, round: round.value, form: "redeal", dealer: Number(dealer.value), note: "", facts: {} };
      keep({ ...line, seats: data.seats });
    });
    const place = find("undo");
    if (!place.hidden) back = { change: place.elements.change.value, what: find("undo-what").textContent.slice(1, -1) };
    place.addEventListener("submit", undo);
    find("rows").addEventListener("click", (event) => {
      const link = event.target.closest("a");
      const row = link?.closest("tr");
      const isWaiting = row?.classList.contains("waiting");
      if (!row || (isReached && !isWaiting)) return;
      event.preventDefault();
      if (isWaiting) hold(row.dataset.key);
      else follow(link.href);
    });
    if (data.penalties.length) {
      const link = form.querySelector(PENALTY);
      link.setAttribute("aria-expanded", "false");
      link.addEventListener("click", (event) => {
        event.preventDefault();
        offerPenalties(link);
      });
    }
    find("dealers").addEventListener("click", (event) => {
      const link = event.target.closest("[data-dealer]");
      if (!link) return;
      event.preventDefault();
      deal(Number(link.dataset.dealer));
    });
    opening = openOutbox();
    opening.then((opened) => {
      outbox = opened;
      if (outbox.entries.length && isIdle()) begin(ahead);
      else if (outbox.entries.length) update(ahead);
      else showOutbox();
      outbox.send();
    });
    document.addEventListener("reach", ({ detail }) => {
      if (detail && !isReached) outbox?.send();
      isReached = detail;
    });
    document.addEventListener("table", (event) => {
      event.preventDefault();
      hear(event.detail);
    });
  }
  refresh();
})();
