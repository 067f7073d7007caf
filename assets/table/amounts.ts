/* Amounts as people write them, read as `cash/rules/money.py` does. */

const WRITTEN_AMOUNT =
  /^(?:(?:€|EUR|Euro) ?)?(?:(\d{1,9})|(\d{1,3}([ .,'’])\d{3}(?:\3\d{3})?))?(?:([.,])(\d{1,2}|--?|–|—))?(?: ?(?:€|EUR|Euro))?$/i;
const MOST_FINED = 1000000;

/** Whole minutes, or cents of an amount; null where it is none. */
export function parseAmount(text: string, asks: TillFine["asks"]) {
  if (asks === "minutes") return /^\d{1,4}$/.test(text) && Number(text) <= 1440 ? Number(text) : null;
  const [, plain = "", grouped = "", gap, point, behind = ""] = text.trim().replace(/\s+/g, " ").match(WRITTEN_AMOUNT) ?? [];
  if (point && point === gap) return null;
  // 1.234 may be more than a thousand or little more than one.
  if ((gap === "." || gap === ",") && !point && grouped.split(gap).length === 2) return null;
  const amount = Number((plain || grouped).replace(/\D/g, "")) * 100 + (Number(behind.padEnd(2, "0")) || 0);
  return amount >= 1 && amount <= MOST_FINED ? amount : null;
}
