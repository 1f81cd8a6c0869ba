import { MOSCOW_OFFSET_MS } from "./words/time.ts";

/**
 * The time of the last run as a picture: the one part of the website that changes with every run, so that pages need not. Readers
 * without scripts see it beside pages of any language, so it has no words but those of the clock.
 */
export function drawChecked(updatedAtMs: number): string {
  const [day, time] = new Date(updatedAtMs + MOSCOW_OFFSET_MS).toISOString().split(/[T.]/u);
  const text = `${day?.split("-").toReversed().join(".")} ${time?.slice(0, 5)} UTC+3`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="190" height="20" viewBox="0 0 190 20" role="img" aria-label="${text}">`,
    "<style>text{font:14px system-ui,sans-serif;fill:#474d57}@media(prefers-color-scheme:dark){text{fill:#b7bdc8}}</style>",
    `<title>${text}</title><text x="0" y="15">${text}</text></svg>`,
  ].join("");
}
