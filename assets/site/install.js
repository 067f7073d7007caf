/*
 * On the start page: where the browser offers to install the app, so does the page, until somebody has said yes or no on this phone.
 */
const ANSWERED = "install answered";
const hint = /** @type {HTMLElement} */ (document.getElementById("install"));
const buttons = hint.querySelectorAll("button");

/** What browsers call BeforeInstallPromptEvent. @type {(Event & {prompt: () => Promise<unknown>}) | null} */
let offered = null;

addEventListener("beforeinstallprompt", (event) => {
  if (localStorage.getItem(ANSWERED)) return;
  event.preventDefault();
  offered = /** @type {typeof offered} */ (event);
  hint.hidden = false;
});

function answer() {
  localStorage.setItem(ANSWERED, "yes");
  hint.hidden = true;
}

buttons[0].addEventListener("click", async () => {
  await offered?.prompt();
  answer();
});
buttons[1].addEventListener("click", answer);
addEventListener("appinstalled", answer);

export {};
