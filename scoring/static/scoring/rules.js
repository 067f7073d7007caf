/*
 * While a rule set is edited: each line says at once what now holds, and the sample games count at once by what is typed. The server says
 * both, as it does for the button "Vorschau", which nobody needs then; what it refuses yet leaves the page as it is.
 */
(() => {
  const form = document.getElementById("settings");
  if (!form) return;
  const PAUSE = 250;
  let timer = 0;
  let asked = null;

  const preview = async () => {
    asked?.abort();
    asked = new AbortController();
    const body = new FormData(form);
    body.set("preview", "1");
    let answer;
    try {
      answer = await fetch(form.action, { method: "POST", body, signal: asked.signal });
    } catch {
      return; // asked again since, or no net
    }
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const samples = page.getElementById("samples");
    if (!samples) return;
    document.getElementById("samples").replaceWith(samples);
    // The games stand above everything that can be changed, so the way there says what became of them.
    document.getElementById("samples-said").textContent = page.getElementById("samples-said").textContent;
    for (const setting of form.querySelectorAll(".setting")) {
      const said = page.getElementById(setting.id)?.querySelector("summary");
      if (said) setting.querySelector("summary").textContent = said.textContent;
    }
  };

  document.getElementById("preview").hidden = true;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(preview, PAUSE);
  });
})();
