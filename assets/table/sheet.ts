/*
 * Show the head and the sheet. Unchanged rows are kept, because a thumb may be on one. A row is the same as from table/_row.html.
 */
import { all, fill, find, inputs, make, minus } from "../dom.ts";
import { drawFace } from "./drawers.ts";
import { getLines } from "./state.ts";
import { getBockSign } from "./words.ts";

// Places of the head that are hidden with their surroundings when empty, and those that are hidden alone.
const WITH_PARENT = ["turn", "leader", "out", "owing", "owes", "soloist"];
const ALONE = ["bock_left", "round", "waiting"];

/** Return the address of a saved line. */
export const getLineAddress = ({ key }: Line) => new URL(`${key}/`, (find("entry") as HTMLFormElement).action).pathname;

/** Wrap each name of a list in an element of its own, with its comma. */
const separateNames = (text: string) =>
  text.split(", ").flatMap((name, place, { length }) => [make("span", place < length - 1 ? `${name},` : name), " "]);

/** @param texts  by the name of the place */
export function showHead(texts: Record<string, string>) {
  for (const [part, text] of Object.entries(texts)) {
    const place = document.querySelector(`[data-head="${part}"]`) as HTMLElement;
    if (part === "owing") place.replaceChildren(...separateNames(text));
    else place.textContent = text;
    if (WITH_PARENT.includes(part)) (place.parentElement as HTMLElement).hidden = !text;
    if (ALONE.includes(part)) place.hidden = !text;
  }
}

// What each row shows.
const drawn: WeakMap<HTMLElement, string> = new WeakMap();

/** Show the sheet for a state; unchanged rows are kept. */
export function showSheet(state: State, page: PageData, words: DOMStringMap) {
  const rows = find("rows");
  showColumns(page);
  const lines = getLines(state);
  const keys = new Set(lines.map(({ key }) => key));
  for (const row of all("tr", rows)) if (!keys.has(String(row.dataset.key))) row.remove();
  const there = new Map(all("tr", rows).map((row) => [row.dataset.key, row]));
  const totals: Record<number, number> = Object.fromEntries(page.columns.map((player) => [player, 0]));
  let below: HTMLElement | null = null;
  for (const line of lines) {
    const { key, seats, points, edit, refused } = line;
    // A deleted line does not count, nor one that may equal another phone's line. A player without a game on the server has no column.
    const counts = edit ? edit !== "deletion" || refused : !refused?.standing;
    if (counts) seats.forEach((player, place) => (totals[player] = (totals[player] ?? 0) + points[place]));
    const content = JSON.stringify([line, totals, page.columns]);
    const known = there.get(key);
    let row = known;
    if (!row || drawn.get(row) !== content) {
      const fresh = makeRow(line, totals, page, words);
      if (!row?.isEqualNode(fresh)) row = fresh;
      if (row !== known) known?.replaceWith(row);
      drawn.set(row, content);
    }
    if (!row.isConnected || row.nextElementSibling !== below) rows.insertBefore(row, below);
    below = row;
  }
  showSums(lines, totals, page);
  if (rows.children.length) document.getElementById("empty")?.remove();
}

/** Show a column for each present or former player. */
function showColumns({ columns, names }: Pick<PageData, "columns" | "names">) {
  const sheet = find("sheet");
  const row = sheet.querySelector("thead tr") as HTMLElement;
  const heads = new Map(all("[data-total]", row).map((total) => [Number(total.dataset.total), total.parentElement as HTMLElement]));
  if ([...heads.keys()].join() === columns.join()) return;
  const [first] = heads.values();
  for (const [player, head] of heads) if (!columns.includes(player)) head.remove();
  for (const player of columns) {
    const head = heads.get(player) ?? (first.cloneNode(true) as HTMLElement);
    (head.querySelector("[data-total]") as HTMLElement).dataset.total = String(player);
    if (!heads.has(player)) {
      (head.querySelector(".who") as Element).textContent = names[player];
      head.setAttribute("abbr", names[player]);
      head.title = names[player];
      drawFace(head.querySelector("[data-i]"), names[player], player);
    }
    row.lastElementChild?.before(head);
  }
  sheet.querySelector("tfoot th")?.setAttribute("colspan", String(columns.length));
  shortenNames();
}

/** Shorten names that do not fit above their column, with a full stop: "Anneg." */
function shortenNames() {
  const names = all("#sheet thead .who");
  for (const name of names) delete name.dataset.brief;
  const rooms = names.map((name) => name.clientWidth / name.scrollWidth);
  names.forEach((name, place) => {
    const text = String(name.textContent);
    if (rooms[place] < 1) name.dataset.brief = `${text.slice(0, Math.max(Math.floor(text.length * rooms[place]) - 1, 1)).trim()}.`;
  });
}

new ResizeObserver(shortenNames).observe(find("sheet"));

/** Make a wide sheet scroll in a box, also by keyboard, as in _sheet.html. @param count  the number of columns */
function showSize(count: number) {
  const sheet = find("sheet");
  const longest = Math.max(0, ...all("#rows td:not(:last-child)").map((cell) => String(cell.firstChild?.nodeValue).trim().length));
  sheet.classList.toggle("long", longest > 4);
  sheet.classList.toggle("huge", longest > 5);
  sheet.classList.toggle("many", count > 5);
  const wrap = sheet.parentElement as HTMLElement;
  if (wrap.classList.toggle("sheet-wrap", count > 8 || (count > 6 && longest > 4) || (count > 5 && longest > 5))) wrap.tabIndex = 0;
  else wrap.removeAttribute("tabindex");
}

/** Show why the sums are not 0. */
function showUneven(what: "games" | "others", isShown: boolean) {
  const place = find(`uneven-${what}`);
  place.textContent = isShown ? WORDS.texts[`uneven_${what}`] : "";
  place.hidden = !isShown;
}

function showSums(lines: Line[], totals: Record<number, number>, { columns, seats }: PageData) {
  for (const player of columns) {
    (document.querySelector(`[data-total="${player}"]`) as Element).textContent = minus(totals[player]);
  }
  for (const tile of all("#entry .tile")) {
    const seat = Number(inputs("input", tile)[0].value);
    (tile.querySelector("b") as Element).textContent = minus(totals[seats[seat]] ?? 0);
  }
  showSize(columns.length);
  const crossSum = Object.values(totals).reduce((sum, total) => sum + total, 0);
  find("cross-sum").textContent = minus(crossSum);
  const uneven = lines.filter(({ points }) => points.reduce((sum, each) => sum + each, 0));
  showUneven("games", crossSum !== 0 && uneven.some(({ number }) => number !== null));
  showUneven("others", crossSum !== 0 && uneven.some(({ number }) => number === null));
}

/** @param totals  after this line */
function makeRow(
  line: Line, totals: Record<number, number>, { columns, texts, rules }: Pick<PageData, "columns" | "texts" | "rules">, words: DOMStringMap,
) {
  const template = find("row-template") as HTMLTemplateElement;
  const row = template.content.firstElementChild?.cloneNode(true) as HTMLElement;
  row.dataset.key = line.key;
  row.classList.toggle("cycle-end", line.ends_cycle);
  row.classList.toggle("waiting", Boolean(line.waiting));
  row.classList.toggle("struck", line.edit === "deletion" && !line.refused);
  const link = row.querySelector("a") as HTMLAnchorElement;
  link.href = line.version ? getLineAddress(line) : "#entry";
  link.textContent = line.label;
  link.classList.toggle("unplayed", line.number === null);
  if (line.bock) {
    const level = getBockSign(line.bock, rules, line.table);
    link.append(" ", makeAbbreviation(level, `Bock ${level}`, "bock-sign"));
  }
  if (line.waiting) {
    const what = line.edit ? `${fill(texts[`${line.edit}_of`], { label: line.label })}: ` : "";
    const state = what + (line.refused ? texts.asking : texts.waiting);
    const sign = signOf(line.refused ? "!" : "…", state);
    sign.append(make("span", state, "visually-hidden"));
    link.append(" ", sign);
  }
  for (const player of columns) row.append(cellOf(line, player, totals[player], words));
  const sign = line.winner === "kontra" && line.form === "played" ? -1 : 1;
  row.append(make("td", minus(line.value * sign)));
  // Join adjacent texts, as in the row of the server.
  row.normalize();
  return row;
}

function cellOf(
  line: Line,
  player: number,
  total: number,
  { sitsOut = "", away = "", solo = "", won = "", deals = "", dealsOdd = "", dealsSign = "" }: DOMStringMap,
) {
  const seat = line.seats.indexOf(player);
  const cell = make("td");
  const isOut = seat < 0 || (line.out.includes(seat) && !line.points[seat]);
  cell.textContent = isOut ? "–" : minus(total);
  if (isOut) cell.append(" ", make("span", seat < 0 ? away : sitsOut, "visually-hidden"));
  if (line.winners.includes(seat)) {
    cell.className = "won";
    cell.append(" ", make("span", won, "visually-hidden"));
  }
  if (seat >= 0 && seat === line.soloist) {
    cell.append(" ", make("span", solo, "sign"));
  }
  if (seat >= 0 && seat === line.dealer) {
    if (line.turn !== undefined) cell.append(" ", signOf(`${dealsSign}!`, dealsOdd));
    // This distinguishes the dealer and players who sit out.
    else cell.append(" ", isOut ? make("span", deals, "visually-hidden") : makeAbbreviation(dealsSign, deals, "sign", deals));
  }
  return cell;
}

/** Show one text and give another to screen readers, which would spell a part of a word. */
function makeAbbreviation(seen: string, heard: string, className: string, title = "") {
  const sign = make("span", undefined, className);
  if (title) sign.title = title;
  const letters = make("span", seen);
  letters.ariaHidden = "true";
  sign.append(letters, make("span", heard, "visually-hidden"));
  return sign;
}

function signOf(letter: string, title: string) {
  const sign = make("span", letter, "sign");
  sign.title = sign.ariaLabel = title;
  sign.role = "img";
  return sign;
}
