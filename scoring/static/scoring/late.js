/*
 * The table of an evening that is closed: what this phone still holds for it is not forgotten, and waits until somebody opens it again.
 */
(async () => {
  "use strict";

  const place = document.getElementById("late");
  const { entries } = await ClubLedgerOutbox.read(new URL(place.dataset.address, location.href).href);
  if (!entries.length) return;
  place.textContent = place.dataset.text.replace("{n}", entries.length);
  place.hidden = false;
})();
