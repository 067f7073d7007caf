/*
 * Sending a result on: through the phone's share sheet where it has one, else by copying the text and saving the picture, and printing the
 * sheet. The picture is drawn into a PNG as soon as it is loaded, because a share sheet opens only right after a tap.
 */
const SHARPNESS = 2;
/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const print = document.getElementById("print");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
const place = document.getElementById("share");
if (place) offer(place.dataset);

/** @param {string | undefined} text */
function say(text) {
  find("share-said").textContent = text ?? "";
}

/**
 * Whoever closes the share sheet without sending has said what they want.
 * @param {ShareData} what
 * @param {string | undefined} failed
 */
async function share(what, failed) {
  try {
    await navigator.share(what);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) say(failed);
  }
}

/**
 * A button that shares something, where this phone can.
 * @param {HTMLElement} button
 * @param {ShareData} what
 * @param {string | undefined} failed
 */
function offerSharing(button, what, failed) {
  if (!navigator.canShare?.(what)) return;
  button.hidden = false;
  button.addEventListener("click", () => share(what, failed));
}

/** @param {DOMStringMap} texts */
function offer({ title, copied, marked, failed }) {
  const field = /** @type {HTMLTextAreaElement} */ (find("share-text"));
  offerSharing(find("share-text-button"), { title, text: field.value }, failed);
  const button = find("copy-button");
  button.hidden = false;
  button.addEventListener("click", async () => say((await copy(field)) ? copied : marked));
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#share [data-picture]"))) {
    offerPicture(box, title, failed);
  }
}

/**
 * The clipboard exists on HTTPS and localhost only; elsewhere the marked text is copied the old way, or by hand.
 * @param {HTMLTextAreaElement} field
 */
async function copy(field) {
  field.focus();
  field.select();
  try {
    if (!navigator.clipboard) return document.execCommand("copy");
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {HTMLImageElement} picture
 * @returns {Promise<Blob | null>}
 */
async function drawn(picture) {
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth * SHARPNESS;
  canvas.height = picture.naturalHeight * SHARPNESS;
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/**
 * @param {HTMLElement} box
 * @param {string | undefined} title
 * @param {string | undefined} failed
 */
async function offerPicture(box, title, failed) {
  const blob = await drawn(/** @type {HTMLImageElement} */ (box.querySelector("img"))).catch(() => null);
  // Where it cannot be drawn, the picture is still there as a file.
  if (!blob) return;
  const file = new File([blob], `${box.dataset.name}.png`, { type: blob.type });
  const save = /** @type {HTMLAnchorElement} */ (box.querySelector("[data-save]"));
  save.href = URL.createObjectURL(file);
  save.download = file.name;
  save.hidden = false;
  offerSharing(/** @type {HTMLElement} */ (box.querySelector("[data-share]")), { title, files: [file] }, failed);
}

export {};
