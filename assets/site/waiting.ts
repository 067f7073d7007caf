/*
 * On every page but the table's: shows a line with a link for each table with entries of the user that wait on this phone, and the
 * warnings against leaving (data-waits).
 */
import { make } from "../dom.ts";
import { read } from "../table/outbox.ts";

const { who } = document.body.dataset;
const place = document.getElementById("waits") as HTMLElement;
const template = place.querySelector("template")?.content.firstElementChild as HTMLElement;

async function show() {
  const { entries, isUnread } = await read();
  const mine = entries.filter(({ typist }) => !typist || typist.who === who);
  // Games and fines are sent to addresses directly below that of their table.
  const tables = mine.map(({ address }) => new URL("..", address).href);
  place.replaceChildren(...[...new Set(tables)].map((table) => makeLine(table, tables.filter((one) => one === table).length)));
  // Entries may wait although they could not be read.
  if (isUnread) place.append(make("p", place.dataset.unread, "alert alert-warning"));
  const warnings: NodeListOf<HTMLElement> = document.querySelectorAll("[data-waits]");
  for (const warning of warnings) warning.hidden = !tables.length && !isUnread;
}

function makeLine(table: string, count: number) {
  const line = template.cloneNode(true) as HTMLElement;
  const { one = "", many = "" } = place.dataset;
  (line.querySelector("span") as Element).textContent = count === 1 ? one : many.replace("{n}", String(count));
  (line.querySelector("a") as HTMLAnchorElement).href = table;
  return line;
}

// This event also comes when the browser shows the page from its back/forward cache.
addEventListener("pageshow", show);
