/*
 * Sending a result on: through the phone's share sheet where it has one, else by copying the text and saving the picture, and printing the
 * sheet. The picture is drawn into a PNG as soon as it is loaded, because a share sheet opens only right after a tap.
 */
const SHARPNESS = 2;
/** @param {ParentNode} place @param {string} selector */
const find = (place, selector) => /** @type {HTMLElement} */ (place.querySelector(selector));

const print = document.getElementById("print");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copied]"))) offer(place);

/**
 * Share by the system's sheet. A sheet that is closed without sending is not a failure.
 * @param {ShareData} what
 * @param {() => void} fail
 */
async function share(what, fail) {
  try {
    await navigator.share(what);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) fail();
  }
}

/**
 * A button that shares something, where this phone can.
 * @param {HTMLElement} button
 * @param {ShareData} what
 * @param {() => void} fail
 */
function offerSharing(button, what, fail) {
  if (!navigator.canShare?.(what)) return;
  button.hidden = false;
  button.addEventListener("click", () => share(what, fail));
}

/** A text, or an address (data-is), and the pictures that stand beside it. @param {HTMLElement} place */
function offer(place) {
  const { title, copied, marked, failed, is: kind = "text" } = place.dataset;
  const field = /** @type {HTMLTextAreaElement} */ (find(place, ".form-control"));
  const say = (/** @type {string | undefined} */ text) => (find(place, "[data-said]").textContent = text ?? "");
  offerSharing(find(place, "[data-share-text]"), { title, [kind]: field.value }, () => say(failed));
  const button = find(place, "[data-copy]");
  button.hidden = false;
  button.addEventListener("click", async () => say((await copy(field)) ? copied : marked));
  /** @type {File[]} */
  const files = [];
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-picture]"))) {
    offerPicture(box, title, () => say(failed), files);
  }
  // The button at the top leads here, unless the phone can share text and pictures at once.
  document.querySelector(`[href="#${place.id}"]`)?.addEventListener("click", (event) => {
    const what = { title, [kind]: field.value, ...(files.length && { files }) };
    if (!navigator.canShare?.(what)) return;
    event.preventDefault();
    share(what, () => say(failed));
  });
}

/**
 * The clipboard exists on HTTPS and localhost only; elsewhere the marked text is copied the old way, or by hand.
 * @param {HTMLTextAreaElement | HTMLInputElement} field
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
 * WebKit draws an image of the page as sharp as it stands there, so another one is drawn.
 * @param {HTMLImageElement} shown
 * @returns {Promise<Blob | null>}
 */
async function drawn({ src }) {
  const picture = new Image();
  picture.src = src;
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
 * @param {() => void} fail
 * @param {File[]} files  to which it is added
 */
async function offerPicture(box, title, fail, files) {
  const blob = await drawn(/** @type {HTMLImageElement} */ (box.querySelector("img"))).catch(() => null);
  // Where it cannot be drawn, the picture is still there as a file.
  if (!blob) return;
  const file = new File([blob], `${box.dataset.name}.png`, { type: blob.type });
  files.push(file);
  const save = /** @type {HTMLAnchorElement} */ (box.querySelector("[data-save]"));
  save.href = URL.createObjectURL(file);
  save.download = file.name;
  save.hidden = false;
  offerSharing(/** @type {HTMLElement} */ (box.querySelector("[data-share]")), { title, files: [file] }, fail);
}

export {};
