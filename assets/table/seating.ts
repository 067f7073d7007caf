/*
 * The form of a new line-up: its tiles, who sits out, which row of seats is a party, and which kinds there are. It is the same as from _entry.html;
 * parts that the server has drawn keep their values.
 */
import { all, find, inputs, make } from "../dom.ts";
import { asksOf, rulesAt, seatOffsets } from "../rules/parsing.ts";
import { drawFace } from "./drawers.ts";
import { findPartiesQuestion, form, isShort } from "./pills.ts";

/** Show other players in the tiles and in the choice of the dealer, in seating order. */
export function seatTiles(names: string[], players: number[]) {
  for (const [row, called] of [[".tiles", ".pill span"], ["#dealers", ".cut"]]) {
    const places = all(`#entry ${row} > *`);
    for (const place of places.slice(names.length)) place.remove();
    names.forEach((name, seat) => {
      const place = places[seat] ?? (places[0].cloneNode(true) as HTMLElement);
      const told = place.querySelector(".told");
      if (told) told.id = `tile-${seat}`;
      for (const mark of inputs("input", place)) {
        mark.value = String(seat);
        mark.setAttribute("aria-describedby", `tile-${seat}`);
      }
      if (row === "#dealers") place.dataset.dealer = String(seat);
      (place.querySelector(called) as Element).textContent = name;
      drawFace(place.querySelector("[data-i]"), name, players[seat]);
      if (!places[seat]) places[0].parentElement?.append(place);
    });
  }
}

/** @param names  of those who sit there, in seating order */
export function drawForSize(names: string[], { rules: settings, kinds, texts }: Pick<PageData, "rules" | "kinds" | "texts">) {
  const size = names.length;
  const rules = rulesAt(settings, size);
  const offsets = seatOffsets(size, rules);
  const hasRows = Boolean(offsets && offsets.length > 4);
  const rows = [0, 1].map((start) => names.filter((_, seat) => seat % 2 === start).join(", "));
  drawQuestion("rows", hasRows ? rows : [], { type: "radio", name: "row", legend: isShort ? texts.won_row : texts.re_row });
  drawQuestion("four", offsets ? [] : names, { type: "checkbox", name: "out", legend: texts.who_out });
  // The question for six players in two rows.
  for (const question of all("[data-few]", form)) if (!hasRows) question.textContent = question.dataset.few ?? "";
  if (!isShort) drawKinds(rules.kinds, kinds, (kind) => asksOf({ kind }, size, settings));
}

/** Draw a question with a pill for each answer, or remove it. */
function drawQuestion(
  columns: "rows" | "four", answers: string[], { type, name, legend }: { type: "radio" | "checkbox"; name: string; legend: string },
) {
  const found = columns === "rows" ? findPartiesQuestion() : form.querySelector("[data-out]")?.closest("fieldset");
  const pills = found ? all(".pill > span", found) : [];
  if (pills.length && pills.length === answers.length) return pills.forEach((pill, place) => (pill.textContent = answers[place]));
  found?.remove();
  if (!answers.length) return;
  const question = make("fieldset");
  const row = make("div", undefined, `pills ${columns}`);
  row.translate = false;
  if (columns === "rows") question.id = "parties";
  else row.dataset.out = "";
  for (const [place, answer] of answers.entries()) {
    const pill = make("label", undefined, "pill");
    pill.append(Object.assign(make("input"), { type, name, value: String(place) }), make("span", answer));
    row.append(pill);
  }
  question.append(make("legend", legend), row);
  form.querySelector('[data-fault="other"]')?.after(question);
}

/** Draw the kinds for this number of players: those of the form, and others like its first one. */
function drawKinds(kinds: string[], called: Record<string, string>, asked: (kind: string) => ReturnType<typeof asksOf>) {
  const marks = inputs('input[name="kind"]:not([value=""])', form);
  for (const kind of kinds.filter((one) => marks.every(({ value }) => value !== one))) {
    const { decided, mayBeDuty, isRamsch, isSilent, isAlone } = asked(kind);
    const pill = marks[0].closest("label")?.cloneNode(true) as HTMLElement;
    const [mark] = inputs("input", pill);
    Object.assign(mark, { value: kind, checked: false });
    delete mark.dataset.end;
    delete mark.dataset.silent;
    delete mark.dataset.duty;
    if (isRamsch || decided !== "eyes") mark.dataset.end = isRamsch ? "ramsch" : decided;
    if (isSilent || isRamsch) mark.dataset.silent = "";
    if (mayBeDuty) mark.dataset.duty = "";
    pill.lastElementChild?.replaceChildren(called[kind]);
    if (isAlone) find("solos").querySelector(".pills")?.append(pill);
    else all(".kinds > .pill", form).at(-1)?.after(pill);
    marks.push(mark);
  }
  for (const mark of marks) {
    mark.disabled = !kinds.includes(mark.value);
    (mark.closest("label") as HTMLElement).hidden = mark.disabled;
  }
  if (!inputs('input[name="kind"]:checked:enabled', form).length) marks[0].checked = true;
}
