import type { Outcome } from "../probe-outcome.ts";
import type { Service } from "./catalogue.ts";

/**
 * A body of this size shows a freeze. Filters let 12–40 KB of a connection pass before they freeze it, so less proves little.
 * Source: docs/probe/measurement.md, "The freeze after some kilobytes".
 */
export const FREEZE_SHOWN_BYTES: number = 64 * 1024;

/**
 * The largest body of a service abroad, by its endpoint, if that is too small to show a freeze: a probe gets every answer whole while a
 * browser gets nothing. Undefined for a service elsewhere, and for one that has given no answer.
 *
 * @param outcomes of all its endpoints, each with its URL.
 */
export function tooSmallBody(
  { isAbroad }: Pick<Service, "isAbroad">,
  outcomes: readonly (readonly [url: string, outcome: Outcome])[],
) {
  if (!isAbroad) return undefined;
  const bodies = outcomes.flatMap(([url, outcome]) =>
    outcome.kind === "ok" || outcome.kind === "denied"
      ? [{ url, bytes: outcome.trace.bodyBytes }]
      : [],
  );
  const [largest] = bodies.toSorted((a, b) => b.bytes - a.bytes);
  return largest !== undefined && largest.bytes < FREEZE_SHOWN_BYTES ? largest : undefined;
}
