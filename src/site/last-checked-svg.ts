import { FRESH_MS } from "../model/time.ts";
import { MOSCOW_OFFSET_MS } from "./words/time.ts";

/**
 * The time of the last run, and until when its verdicts hold, as a picture, so that pages do not change with every run. It is
 * shown where there is no script, on pages of either language, in the language of the browser.
 */
export function drawLastChecked(updatedAtMs: number): string {
  const [day, time] = writeMoscow(updatedAtMs);
  const [, until] = writeMoscow(updatedAtMs + FRESH_MS);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="270" height="20" viewBox="0 0 270 20" role="img" aria-label="${day} ${time} – ${until} UTC+3">`,
    "<style>text{font:14px system-ui,sans-serif;fill:#474d57}@media(prefers-color-scheme:dark){text{fill:#b7bdc8}}</style>",
    `<switch><text y="15" systemLanguage="ru">${day} ${time} МСК, верно до ${until}</text>`,
    `<text y="15">${day} ${time} MSK, holds until ${until}</text></switch></svg>`,
  ].join("");
}

/** `21.11.2026` and `12:05`, in Moscow time. */
function writeMoscow(atMs: number): readonly [day: string, time: string] {
  const written = new Date(atMs + MOSCOW_OFFSET_MS).toISOString();
  return [written.slice(0, 10).split("-").toReversed().join("."), written.slice(11, 16)];
}
