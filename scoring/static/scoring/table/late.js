/*
 * A table that is shut to this phone: the evening is closed, or the link has ended. What the phone still holds for it goes to the server,
 * where it waits for somebody who decides; what cannot be sent stays here, and says so.
 */
(async () => {
  "use strict";

  // So many milliseconds without an answer are as good as no net.
  const PATIENCE = 8000;
  const place = document.getElementById("unsent");
  const { dataset } = place;
  const { who } = document.body.dataset;
  const address = new URL(dataset.address, location.href).href;
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
  // What keeps it from being sent, in a sentence, where the server said one.
  let trouble = "";

  async function post(letter) {
    const answer = await fetch(address, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-CSRFToken": place.querySelector("input").value, "Typed-By": who },
      body: JSON.stringify(letter),
      signal: AbortSignal.timeout(PATIENCE),
    });
    return { status: answer.status, body: answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null };
  }

  /** Where all of it has arrived, the page shows it as the server has it. */
  const arrived = () => (outbox.entries.length ? show() : location.reload());

  const outbox = await ClubLedgerOutbox.open(address, { who }, {
    post,
    saved: arrived,
    late: arrived,
    refused: () => show(),
    failed: (answer) => {
      trouble = answer?.body?.error ?? "";
      show();
    },
    changed: () => show(),
  });

  function panel(text) {
    const box = document.createElement("div");
    box.className = "panel conflict mb-2";
    box.role = "status";
    box.append(lineOf(text));
    return box;
  }

  function lineOf(text) {
    const line = document.createElement("p");
    line.textContent = text;
    return line;
  }

  function buttonFor({ key }) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn-outline-secondary w-100";
    button.textContent = dataset.discard;
    button.addEventListener("click", () => outbox.discard(key));
    return button;
  }

  function show() {
    const { entries, others } = outbox;
    for (const box of place.querySelectorAll(".panel")) box.remove();
    if (entries.length) {
      const box = panel(fill(dataset.text, { n: entries.length }));
      const { refused } = entries[0];
      for (const sentence of refused ? refused.sentences : [trouble]) if (sentence) box.append(lineOf(sentence));
      if (refused) box.append(buttonFor(entries[0]));
      place.append(box);
    }
    if (others.length) {
      const names = [...new Set(others.map(({ typist }) => typist.name || dataset.somebody))].join(", ");
      place.append(panel(fill(dataset.others, { names, n: others.length })));
    }
  }

  show();
  // What was refused while the evening was open may find another answer now.
  const [first] = outbox.entries;
  if (first?.refused) outbox.again(first.key);
  else outbox.send();
})();
