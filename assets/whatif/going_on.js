/*
 * A question of What if that takes longer: asks for the next tables until all are valued, says each time how far it has come, and then
 * shows the answer. What goes wrong on the way is left to the form's button.
 */
const form = document.getElementById("going-on");
const valued = document.getElementById("valued");
if (form instanceof HTMLFormElement && valued) goOn(form, valued).catch(() => undefined);

/**
 * @param {HTMLFormElement} asking
 * @param {HTMLElement} said
 * @returns {Promise<void>}
 */
async function goOn(asking, said) {
  const answer = await fetch(asking.action, { method: "POST", body: new FormData(asking) });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.getElementById(said.id);
  if (!next) return location.replace(answer.url);
  said.textContent = next.textContent;
  await goOn(asking, said);
}
