/*
 * On every page but the table's: what whoever is here has typed on this phone and the server does not have yet is not forgotten. A line
 * says so for each table, with the way there, and what warns of leaving (data-waits) is shown.
 */
import { make } from "../dom.js";
import { read } from "../table/stored.js";

const { who } = document.body.dataset;
const place = /** @type {HTMLElement} */ (document.getElementById("waits"));
const template = /** @type {HTMLElement} */ (place.querySelector("template")?.content.firstElementChild);

async function show() {
  const { entries, isUnread } = await read();
  const mine = entries.filter(({ typist }) => !typist || typist.who === who);
  // Games and fines go to addresses right below the table's.
  const tables = mine.map(({ address }) => new URL("..", address).href);
  place.replaceChildren(...[...new Set(tables)].map((table) => lineOf(table, tables.filter((one) => one === table).length)));
  // Something may wait all the same.
  if (isUnread) place.append(make("p", place.dataset.unread, "alert alert-warning"));
  /** @type {NodeListOf<HTMLElement>} */
  const warnings = document.querySelectorAll("[data-waits]");
  for (const warning of warnings) warning.hidden = !tables.length && !isUnread;
}

/**
 * @param {string} table
 * @param {number} count
 */
function lineOf(table, count) {
  const line = /** @type {HTMLElement} */ (template.cloneNode(true));
  const { one = "", many = "" } = place.dataset;
  /** @type {Element} */ (line.querySelector("span")).textContent = count === 1 ? one : many.replace("{n}", String(count));
  /** @type {HTMLAnchorElement} */ (line.querySelector("a")).href = table;
  return line;
}

// Also where the browser shows the page again as it was left.
addEventListener("pageshow", show);
