/*
 * On every page but the table's: what whoever is here has typed on this phone and the server does not have yet is not forgotten. A line
 * says so for each table, with the way there, and what warns of leaving (data-waits) is shown.
 */
(() => {
  "use strict";

  const { who } = document.body.dataset;
  const place = document.getElementById("waits");
  const template = place.querySelector("template").content.firstElementChild;

  async function show() {
    const { entries } = await ClubLedgerOutbox.read();
    const mine = entries.filter(({ typist }) => !typist || typist.who === who);
    const tables = [...new Set(mine.map(({ address }) => address))];
    place.replaceChildren(...tables.map((address) => lineOf(address, mine.filter((entry) => entry.address === address).length)));
    for (const warning of document.querySelectorAll("[data-waits]")) warning.hidden = !tables.length;
  }

  function lineOf(address, count) {
    const line = template.cloneNode(true);
    line.querySelector("span").textContent = count === 1 ? place.dataset.one : place.dataset.many.replace("{n}", count);
    // The entries go to an address right below the table's.
    line.querySelector("a").href = new URL("..", address).href;
    return line;
  }

  // Also where the browser shows the page again as it was left.
  addEventListener("pageshow", show);
})();
