/*
 * The head and the sheet on the page: what the words and lines say is put in its places, and a row that says the same stays, because a thumb
 * may be on it. A row is made here as games/_row.html makes it.
 */
import { all, find, inputs, make, minus } from "../dom.js";
import { drawFace } from "./seating.js";
import { linesNow } from "./state.js";
import { bockSign } from "./words.js";

// Places of the head that go with what stands around them, and those that go alone, where nothing is said.
const WITH_PARENT = ["turn", "leader", "out", "owing", "soloist"];
const ALONE = ["bock", "waiting"];

/** @param {Record<string, string>} texts  by the name of the place */
export function showHead(texts) {
  for (const [part, text] of Object.entries(texts)) {
    const place = /** @type {HTMLElement} */ (document.querySelector(`[data-head="${part}"]`));
    place.textContent = text;
    if (WITH_PARENT.includes(part)) /** @type {HTMLElement} */ (place.parentElement).hidden = !text;
    if (ALONE.includes(part)) place.hidden = !text;
    // What is cut short in the head stands below it in full.
    for (const other of all(`[data-also="${part}"]`)) other.textContent = text;
  }
}

/**
 * Shows the sheet whenever it is told the state; `shown` are the lines that the page begins with.
 * @param {PageData} page
 * @param {DOMStringMap} words
 */
export function sheetOf(page, words) {
  const rows = find("rows");
  let shown = new Map(page.lines.map((line) => [line.key, line]));
  let columns = page.columns.join();

  /** Rows behind the first that is not in its place are made anew. @param {Line[]} lines */
  function removeMisplaced(lines) {
    const standing = all("tr:not(.waiting)", rows).reverse();
    const first = standing.findIndex((row, place) => row.dataset.key !== lines[place]?.key);
    if (first >= 0) for (const row of standing.slice(first)) row.remove();
  }

  /** @param {State} state */
  function show(state) {
    /** @type {Record<number, number>} */
    const totals = Object.fromEntries(page.columns.map((player) => [player, 0]));
    /** @type {HTMLElement[]} */
    const behind = [];
    if (columns !== page.columns.join()) {
      columns = page.columns.join();
      showColumns(page);
      shown = new Map();
    }
    removeMisplaced(state.lines);
    for (const line of linesNow(state)) {
      // Somebody of whom the server knows no game yet has no column.
      line.seats.forEach((player, place) => (totals[player] = (totals[player] ?? 0) + line.points[place]));
      if ("waiting" in line) {
        behind.push(rowOfLine(line, totals, page, words));
        continue;
      }
      const there = rows.querySelector(`tr:not(.waiting)[data-key="${line.key}"]`);
      if (there && shown.get(line.key) === line) continue;
      const row = rowOfLine(line, totals, page, words);
      if (!there) rows.insertBefore(row, rows.querySelector("tr:not(.waiting)"));
      else if (!there.isEqualNode(row)) there.replaceWith(row);
    }
    shown = new Map(state.lines.map((line) => [line.key, line]));
    showWaiting(rows, behind);
    showSums(linesNow(state), totals, page);
    if (rows.children.length) document.getElementById("empty")?.remove();
  }
  return show;
}

/** A column for everybody who sits or sat there. @param {Pick<PageData, "columns" | "names">} page */
function showColumns({ columns, names }) {
  const sheet = find("sheet");
  const row = /** @type {HTMLElement} */ (sheet.querySelector("thead tr"));
  const heads = new Map(all("[data-total]", row).map((total) => [Number(total.dataset.total), /** @type {HTMLElement} */ (total.parentElement)]));
  const [first] = heads.values();
  for (const [player, head] of heads) if (!columns.includes(player)) head.remove();
  for (const player of columns) {
    const head = heads.get(player) ?? /** @type {HTMLElement} */ (first.cloneNode(true));
    /** @type {HTMLElement} */ (head.querySelector("[data-total]")).dataset.total = String(player);
    if (!heads.has(player)) {
      /** @type {Element} */ (head.querySelector(".who")).textContent = names[player];
      drawFace(head, names[player], player);
    }
    row.lastElementChild?.before(head);
  }
  sheet.querySelector("tfoot th")?.setAttribute("colspan", String(columns.length));
  sheet.parentElement?.classList.toggle("sheet-wrap", columns.length > 5);
}

/** @param {Line[]} lines @param {Record<number, number>} totals @param {PageData} page */
function showSums(lines, totals, { columns, seats }) {
  for (const player of columns) {
    /** @type {Element} */ (document.querySelector(`[data-total="${player}"]`)).textContent = minus(totals[player]);
  }
  for (const tile of all("#entry .tile")) {
    const seat = Number(inputs("input", tile)[0].value);
    /** @type {Element} */ (tile.querySelector("b")).textContent = minus(totals[seats[seat]] ?? 0);
  }
  const longest = Math.max(0, ...all("#rows td:not(:last-child)").map((cell) => String(cell.firstChild?.nodeValue).trim().length));
  find("sheet").classList.toggle("long", longest > 4);
  find("sheet").classList.toggle("huge", longest > 5);
  const crossSum = Object.values(totals).reduce((sum, total) => sum + total, 0);
  find("cross-sum").textContent = minus(crossSum);
  const uneven = lines.filter(({ points }) => points.reduce((sum, each) => sum + each, 0));
  find("uneven-games").hidden = crossSum === 0 || uneven.every(({ number }) => number === null);
  find("uneven-others").hidden = crossSum === 0 || uneven.every(({ number }) => number !== null);
}

/**
 * The rows of what waits, the oldest first, on top of the others. Those that say the same stay here as well.
 * @param {HTMLElement} rows
 * @param {HTMLElement[]} wanted
 */
function showWaiting(rows, wanted) {
  /** @type {Map<string | undefined, HTMLElement>} */
  const standing = new Map();
  for (const row of all(".waiting", rows)) {
    if (wanted.some((one) => one.dataset.key === row.dataset.key && one.isEqualNode(row))) standing.set(row.dataset.key, row);
    else row.remove();
  }
  let below = rows.querySelector("tr:not(.waiting)");
  for (const fresh of wanted) {
    const row = standing.get(fresh.dataset.key) ?? fresh;
    if (!row.isConnected || row.nextElementSibling !== below) rows.insertBefore(row, below);
    below = row;
  }
}

/**
 * @param {Line | WaitingLine} line
 * @param {Record<number, number>} totals  behind this line
 * @param {Pick<PageData, "columns" | "texts" | "rules">} page
 * @param {DOMStringMap} words
 */
function rowOfLine(line, totals, { columns, texts, rules }, words) {
  const template = /** @type {HTMLTemplateElement} */ (find("row-template"));
  const row = /** @type {HTMLElement} */ (template.content.firstElementChild?.cloneNode(true));
  row.dataset.key = line.key;
  row.classList.toggle("cycle-end", line.ends_cycle);
  row.classList.toggle("waiting", "waiting" in line);
  const link = /** @type {HTMLAnchorElement} */ (row.querySelector("a"));
  link.href = line.url || "#entry";
  link.textContent = line.label;
  link.classList.toggle("unplayed", line.number === null);
  if (line.bock) link.append(" ", make("span", line.bock === 1 ? "B" : `B${bockSign(line.bock, rules, line.table)}`, "bock-sign"));
  if ("waiting" in line) {
    const state = line.refused ? texts.asking : texts.waiting;
    const sign = signOf(line.refused ? "!" : "…", state);
    sign.append(make("span", state, "visually-hidden"));
    link.append(" ", sign);
  }
  for (const player of columns) row.append(cellOf(line, player, totals[player], words));
  const sign = line.winner === "kontra" && line.form === "played" ? -1 : 1;
  row.append(make("td", minus(line.value * sign)));
  // One text beside another is one, as in the row that the server makes.
  row.normalize();
  return row;
}

/** @param {Line} line @param {number} player @param {number} total @param {DOMStringMap} words */
function cellOf(line, player, total, { solo = "", deals = "", dealsOdd = "", dealsSign = "" }) {
  const seat = line.seats.indexOf(player);
  const cell = make("td");
  const isOut = seat < 0 || (line.out.includes(seat) && !line.points[seat]);
  cell.textContent = isOut ? "–" : minus(total);
  cell.classList.toggle("won", line.winners.includes(seat));
  if (seat >= 0 && seat === line.soloist) {
    const sign = make("span", solo.slice(0, 1), "sign");
    sign.title = solo;
    sign.append(make("span", solo.slice(1), "visually-hidden"));
    cell.append(" ", sign);
  }
  if (seat >= 0 && seat === line.dealer) {
    const sign = line.turn === undefined ? make("span", dealsSign, "sign") : signOf(`${dealsSign}!`, dealsOdd);
    if (line.turn === undefined) sign.title = deals;
    cell.append(" ", sign);
  }
  return cell;
}

/** @param {string} letter @param {string} title */
function signOf(letter, title) {
  const sign = make("span", letter, "sign");
  sign.title = sign.ariaLabel = title;
  sign.role = "img";
  return sign;
}
