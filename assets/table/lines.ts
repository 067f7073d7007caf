/*
 * A line as the rules read it, and changes of saved lines as entries of the outbox: a correction or deletion has the key of its line and the
 * version that was seen; an insertion names the line behind it. No access to the page.
 */

// As in views/data.py.
const USUAL = { form: "played", version: 1, note: "", soloist: null, bock: 0, bock_started: 0, ends_cycle: false };

/** Complete the lines of a page with defaults, numbers and the keys of its rows. */
export function completeLines(lines: Line[], keys: string[]): Line[] {
  let games = 0;
  return lines.map((line, place) => ({
    ...USUAL, ...line, key: keys[place], ...(line.number !== null && { number: ++games, label: String(games) }),
  }));
}

/** Return an entry as the rules read a line. */
export const toDeal = (entry: OutboxEntry) => ({ ...entry, table: entry.seats.length });

/** Return the names of the authors of entries; `unknown` stands for those without a name. */
export const listTypists = (entries: OutboxEntry[], unknown: string) => [...new Set(entries.map(({ typist }) => typist?.name || unknown))].join(", ");

export const isEdit = ({ version, beside }: Pick<OutboxEntry, "version" | "beside">) => version !== undefined || beside !== undefined;

/** Return the edit of a waiting entry, for new content in its place. It replaces the present version. */
export function getEdit({ key, version, beside, to, after, refused }: OutboxEntry): Edit | null {
  if (beside !== undefined) return { beside, to, round: "", after };
  return version === undefined ? null : { key, version: refused?.standing?.version ?? version, to, round: "" };
}

export function makeKey() {
  // randomUUID needs HTTPS or localhost; in a pub's network there may be neither.
  return crypto.randomUUID?.() ?? randomKey();
}

function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}
