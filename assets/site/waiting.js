/*
 * On every page but the table's: shows a line with a link for each table with entries of the user that wait on this phone, and the
 * warnings against leaving (data-waits).
 */
import { make } from "../dom.js";
import { read } from "../table/stored.js";

const { who } = document.body.dataset;
const place = /** @type {HTMLElement} */ (document.getElementById("waits"));
const template = /** @type {HTMLElement} */ (place.querySelector("template")?.content.firstElementChild);

async function show() {
  const { entries, isUnread } = await read();
  const mine = entries.filter(({ typist }) => !typist || typist.who === who);
  // Games and fines are sent to addresses directly below that of their table.
  const tables = mine.map(({ address }) => new URL("..", address).href);
  place.replaceChildren(...[...new Set(tables)].map((table) => makeLine(table, tables.filter((one) => one === table).length)));
  // Entries may wait although they could not be read.
  if (isUnread) place.append(make("p", place.dataset.unread, "alert alert-warning"));
  /** @type {NodeListOf<HTMLElement>} */
  const warnings = document.querySelectorAll("[data-waits]");
  for (const warning of warnings) warning.hidden = !tables.length && !isUnread;
}

/**
 * @param {string} table
 * @param {number} count
 */
function makeLine(table, count) {
  const line = /** @type {HTMLElement} */ (template.cloneNode(true));
  const { one = "", many = "" } = place.dataset;
  /** @type {Element} */ (line.querySelector("span")).textContent = count === 1 ? one : many.replace("{n}", String(count));
  /** @type {HTMLAnchorElement} */ (line.querySelector("a")).href = table;
  return line;
}

// This event also comes when the browser shows the page from its back/forward cache.
addEventListener("pageshow", show);
