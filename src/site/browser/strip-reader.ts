import { DAY_MS } from "../../model/time.ts";
import type { Language } from "../../contract/codes/language.ts";
import { describeLength } from "../words/numbers.ts";
import { all, setText } from "./elements.ts";
import { dayOf, formatSpan } from "./format-time.ts";

/* Reads a strip of check results cell by cell: by touch, by pointer and by the arrow keys. */

/** The outages in the list of the page that overlap a period: how long they did, and the cause of the longest. */
function outagesIn(fromMs: number, untilMs: number, nowMs: number) {
  const overlaps = all(".outages li").map((item) => {
    const { since, until } = item.dataset;
    const end = until ? Number(until) * 1e3 : nowMs;
    const ms = Math.min(end, untilMs) - Math.max(Number(since) * 1e3, fromMs);
    return { ms: Math.max(0, ms), cause: item.querySelector(".cause")?.textContent };
  });
  const longest = Math.max(0, ...overlaps.map(({ ms }) => ms));
  return {
    ms: overlaps.reduce((sum, { ms }) => sum + ms, 0),
    cause: overlaps.find(({ ms }) => ms === longest && ms > 0)?.cause,
  };
}

/** `23 ноября, 05:30–06:00 МСК: не открывается, 20 минут — соединение сброшено, на 2 из 3 адресов` */
function describeCell(
  chart: HTMLElement,
  place: number,
  nowMs: number,
  language: Language,
): string {
  const { cells, step } = chart.dataset;
  const kinds = cells?.split(" ") ?? [];
  const stepMs = Number(step) * 1e3;
  const fromMs = (Math.floor(nowMs / stepMs) - kinds.length + 1 + place) * stepMs;
  const untilMs = fromMs + stepMs;
  const name = chart.querySelector(`[data-kind="${kinds[place]}"]`)?.textContent ?? "";
  const { ms, cause } = outagesIn(fromMs, untilMs, nowMs);
  const when =
    stepMs === DAY_MS ? dayOf(fromMs, language, "UTC") : formatSpan(fromMs, untilMs, language);
  const outage = ms > 0 ? `, ${describeLength(ms, language)}${cause && ` — ${cause}`}` : "";
  return `${when}: ${name}${outage}`;
}

/** Makes the strips of a page readable. `now` is the time of the last cells, ms. */
export function listenToStrips(language: Language, now: () => number): void {
  const describe = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement) || !target.matches(".reader")) return;
    const chart = target.closest<HTMLElement>(".chart");
    if (!chart || !now()) return;
    const text = describeCell(chart, Number(target.value), now(), language);
    target.setAttribute("aria-valuetext", text);
    setText(chart.querySelector(".cell"), text);
  };
  for (const name of ["input", "focusin"]) document.addEventListener(name, describe);
  document.addEventListener("pointermove", (event) => {
    const { target, pointerType, offsetX } = event;
    if (pointerType !== "mouse" || !(target instanceof HTMLInputElement)) return;
    if (!target.matches(".reader")) return;
    const count = Number(target.max) + 1;
    target.value = String(Math.floor((offsetX / target.clientWidth) * count));
    describe(event);
  });
}
