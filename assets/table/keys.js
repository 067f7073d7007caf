/*
 * The keys of what is typed on this phone: each stands for one line or fine for ever.
 */
export function newKey() {
  // randomUUID exists on HTTPS and localhost only; a pub's network has neither.
  return crypto.randomUUID?.() ?? randomKey();
}

function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}
