import { MOSCOW_OFFSET_MS } from "./words/time.ts";

/**
 * The time of the last run as a picture, so that pages do not change with every run. Without scripts it is shown on pages of
 * either language, so it has no words.
 */
export function drawLastChecked(updatedAtMs: number): string {
  const [day, time] = new Date(updatedAtMs + MOSCOW_OFFSET_MS).toISOString().split(/[T.]/u);
  const text = `${day?.split("-").toReversed().join(".")} ${time?.slice(0, 5)} UTC+3`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="190" height="20" viewBox="0 0 190 20" role="img" aria-label="${text}">`,
    "<style>text{font:14px system-ui,sans-serif;fill:#474d57}@media(prefers-color-scheme:dark){text{fill:#b7bdc8}}</style>",
    `<title>${text}</title><text x="0" y="15">${text}</text></svg>`,
  ].join("");
}
