/*
 * Make the keys of entries: each belongs to one line or fine forever.
 */
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
