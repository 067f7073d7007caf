/*
 * Sending a result on: through the phone's share sheet where it has one, else by copying the text and saving the picture, and printing the
 * sheet. The picture is drawn into a PNG as soon as it is loaded, because a share sheet opens only right after a tap.
 */
(() => {
  "use strict";

  const find = (id) => document.getElementById(id);
  const canShare = (what) => Boolean(navigator.canShare?.(what));
  const show = (element, isShown = true) => (element.hidden = !isShown);

  const print = find("print");
  if (print) {
    show(print);
    print.addEventListener("click", () => window.print());
  }

  const place = find("share");
  if (!place) return;
  const field = find("share-text");
  const say = (text) => (find("share-said").textContent = text);

  /** Whoever closes the share sheet without sending has said what they want. */
  async function share(what) {
    try {
      await navigator.share(what);
    } catch (error) {
      if (error.name !== "AbortError") say(place.dataset.failed);
    }
  }

  // ---- the text ----

  /** The clipboard exists on HTTPS and localhost only; elsewhere the marked text is copied the old way, or by hand. */
  async function copy() {
    field.focus();
    field.select();
    let isCopied = false;
    try {
      if (navigator.clipboard) {
        await navigator.clipboard.writeText(field.value);
        isCopied = true;
      } else isCopied = document.execCommand("copy");
    } catch {
      isCopied = false;
    }
    say(isCopied ? place.dataset.copied : place.dataset.marked);
  }

  const text = { title: place.dataset.title, text: field.value };
  if (canShare(text)) {
    show(find("share-text-button"));
    find("share-text-button").addEventListener("click", () => share(text));
  }
  show(find("copy-button"));
  find("copy-button").addEventListener("click", copy);

  // ---- the picture ----

  const SHARPNESS = 2;

  async function drawn(picture) {
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth * SHARPNESS;
    canvas.height = picture.naturalHeight * SHARPNESS;
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  async function prepare(box) {
    const blob = await drawn(box.querySelector("img")).catch(() => null);
    // Where it cannot be drawn, the picture is still there as a file.
    if (!blob) return;
    const file = new File([blob], `${box.dataset.name}.png`, { type: blob.type });
    const save = box.querySelector("[data-save]");
    save.href = URL.createObjectURL(file);
    save.download = file.name;
    show(save);
    const what = { title: place.dataset.title, files: [file] };
    const button = box.querySelector("[data-share]");
    if (!canShare(what)) return;
    show(button);
    button.addEventListener("click", () => share(what));
  }

  for (const box of place.querySelectorAll("[data-picture]")) prepare(box);
})();
