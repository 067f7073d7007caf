/*
 * Sending a result on: through the phone's share sheet where it has one, else by copying the text and saving the picture, and printing the
 * sheet. The picture is drawn into a PNG as soon as it is loaded, because a share sheet opens only right after a tap.
 */
const SHARPNESS = 2;
const find = (place: ParentNode, selector: string) => place.querySelector(selector) as HTMLElement;

const print = document.getElementById("print");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
for (const place of document.querySelectorAll("[data-copied]") as NodeListOf<HTMLElement>) offer(place);

/** Share by the system's sheet. A sheet that is closed without sending is not a failure. */
async function share(what: ShareData, fail: () => void) {
  try {
    await navigator.share(what);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) fail();
  }
}

/** A button that shares something, where this phone can. */
function offerSharing(button: HTMLElement, what: ShareData, fail: () => void) {
  if (!navigator.canShare?.(what)) return;
  button.hidden = false;
  button.addEventListener("click", () => share(what, fail));
}

/** A text, or an address (data-is), and the pictures that stand beside it. */
function offer(place: HTMLElement) {
  const { title, copied, marked, failed, is: kind = "text" } = place.dataset;
  const field = find(place, ".form-control") as HTMLTextAreaElement;
  const say = (text: string | undefined) => (find(place, "[data-said]").textContent = text ?? "");
  offerSharing(find(place, "[data-share-text]"), { title, [kind]: field.value }, () => say(failed));
  const button = find(place, "[data-copy]");
  button.hidden = false;
  button.addEventListener("click", async () => say((await copy(field)) ? copied : marked));
  const files: File[] = [];
  for (const box of place.querySelectorAll("[data-picture]") as NodeListOf<HTMLElement>) {
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

/** The clipboard exists on HTTPS and localhost only; elsewhere the marked text is copied the old way, or by hand. */
async function copy(field: HTMLTextAreaElement | HTMLInputElement) {
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

/** WebKit draws an image of the page as sharp as it stands there, so another one is drawn. */
async function drawn({ src }: HTMLImageElement): Promise<Blob | null> {
  const picture = new Image();
  picture.src = src;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth * SHARPNESS;
  canvas.height = picture.naturalHeight * SHARPNESS;
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** @param files  to which it is added */
async function offerPicture(box: HTMLElement, title: string | undefined, fail: () => void, files: File[]) {
  const blob = await drawn(box.querySelector("img") as HTMLImageElement).catch(() => null);
  // Where it cannot be drawn, the picture is still there as a file.
  if (!blob) return;
  const file = new File([blob], `${box.dataset.name}.png`, { type: blob.type });
  files.push(file);
  const save = box.querySelector("[data-save]") as HTMLAnchorElement;
  save.href = URL.createObjectURL(file);
  save.download = file.name;
  save.hidden = false;
  offerSharing(box.querySelector("[data-share]") as HTMLElement, { title, files: [file] }, fail);
}

export {};
