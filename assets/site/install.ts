/*
 * Offers on the start page to install the app if the browser can, until a user has answered on this phone.
 */
const ANSWERED = "install answered";
const hint = document.getElementById("install") as HTMLElement;
const buttons = hint.querySelectorAll("button");

/** The BeforeInstallPromptEvent of the browser. */
let installEvent: (Event & { prompt: () => Promise<unknown> }) | null = null;

addEventListener("beforeinstallprompt", (event) => {
  if (localStorage.getItem(ANSWERED)) return;
  event.preventDefault();
  installEvent = event as typeof installEvent;
  hint.hidden = false;
});

function answer() {
  localStorage.setItem(ANSWERED, "yes");
  hint.hidden = true;
}

buttons[0].addEventListener("click", async () => {
  await installEvent?.prompt();
  answer();
});
buttons[1].addEventListener("click", answer);
addEventListener("appinstalled", answer);

export {};
