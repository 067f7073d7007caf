/*
 * Asking a chart what it shows: a finger, a mouse or the arrow keys mark a point, and the totals say what each person had there. A screen
 * reader is told that the chart is a slider over its points. The server has written the last point; paper always shows that one.
 */
import { all } from "./dom.ts";

const NEXT = new Map([["ArrowLeft", -1], ["ArrowDown", -1], ["ArrowRight", 1], ["ArrowUp", 1], ["PageDown", -10], ["PageUp", 10]]);
for (const chart of all("[data-chart]")) follow(chart);

function follow(chart: HTMLElement) {
  const drawn = chart.querySelector("svg") as SVGSVGElement;
  const spots = [...drawn.querySelectorAll(".spot")] as SVGLineElement[];
  const at = chart.querySelector("[data-at]:not(line)") as HTMLElement;
  const totals = all("[data-total]", chart);
  const end = spots.length - 1;
  let shown = end;

  function show(wanted: number) {
    shown = Math.max(0, Math.min(end, wanted));
    const { at: named = "", totals: figures = "" } = spots[shown].dataset;
    spots.forEach((spot, place) => { spot.classList.toggle("on", place === shown); });
    at.textContent = named;
    figures.trim().split(/\s+/).forEach((figure, place) => { totals[place].textContent = figure; });
    const said = totals.map((total) => `${total.dataset.total} ${total.textContent}`);
    drawn.setAttribute("aria-valuenow", String(shown + 1));
    drawn.setAttribute("aria-valuetext", `${named}: ${said.join(", ")}`);
  }

  /** The point nearest to a finger. */
  function point({ clientX }: PointerEvent) {
    const away = spots.map((spot) => Math.abs(spot.getBoundingClientRect().x - clientX));
    show(away.indexOf(Math.min(...away)));
  }

  drawn.setAttribute("role", "slider");
  drawn.setAttribute("tabindex", "0");
  drawn.setAttribute("aria-valuemin", "1");
  drawn.setAttribute("aria-valuemax", String(spots.length));
  show(end);
  addEventListener("beforeprint", () => { show(end); });
  drawn.addEventListener("pointermove", point);
  drawn.addEventListener("pointerdown", point);
  drawn.addEventListener("keydown", (event) => {
    const wanted = event.key === "Home" ? 0 : event.key === "End" ? end : shown + (NEXT.get(event.key) ?? NaN);
    if (Number.isNaN(wanted)) return;
    event.preventDefault();
    show(wanted);
  });
}
