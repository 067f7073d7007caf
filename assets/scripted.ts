/*
 * Runs on every page before anything of it is drawn, and says to the stylesheet that scripts run here: what opens over the table's form
 * is closed by one. A browser that is older than those we promise (README.md) says so, and has the page as it is without a script: dom.ts
 * stops the others there. It is no module: those wait for the page.
 */
{
  // The last of each of them to come: Safari 16, Firefox 121, Chrome 111.
  const isNew = "timeout" in AbortSignal && CSS.supports("selector(:has(a))") && CSS.supports("width: calc(1px * sin(1))");
  const root = document.documentElement;
  root.classList.add(isNew ? "scripted" : "outdated");
  const { outdated = "" } = (document.currentScript as HTMLElement).dataset;
  document.addEventListener("DOMContentLoaded", () => {
    if (isNew) return;
    const note = document.createElement("p");
    note.className = "alert alert-warning";
    note.textContent = outdated;
    document.getElementById("main")?.prepend(note);
  });
}
