import { createNewestMap } from "../model/newest.ts";
import { keyOf } from "../model/recent.ts";
import type { Report, ReportLedger } from "../model/reports.ts";
import { HOUR_MS } from "../model/time.ts";

/** Pairs of service and network remembered at least, some 50 bytes each; at most twice as many. */
const REMEMBERED = 125_000;

const KEYS = 2 ** 53;

/** Guesses which reports are going to count, before a ledger has them. */
export interface ReportJudge {
  /** Whether the report counts, next to those that did. To be asked once for each, in the order in which they come. */
  readonly accept: (report: Report) => boolean;
  /** Whether this report is the last one of its network and service that counted. */
  readonly hasCounted: (report: Report) => boolean;
}

/**
 * Judges by what it has seen itself, and by what the ledger knows at the beginning: a report counts when the last of its network and
 * service that did is an hour away. What other intakes take meanwhile it does not know. Source: docs/reports.md, Fair counting.
 */
export function createReportJudge({ services }: ReportLedger): ReportJudge {
  const lastCounted = createNewestMap<number, number>(REMEMBERED);
  for (const [slug, { recent }] of services) {
    for (const [place, network] of recent.networks.entries()) {
      lastCounted.set(pairKey(slug, network), recent.times[place] ?? 0);
    }
  }
  return {
    accept: ({ slug, atMs, network }) => {
      const key = pairKey(slug, keyOf(network));
      const lastMs = lastCounted.get(key);
      if (lastMs !== undefined && Math.abs(atMs - lastMs) < HOUR_MS) return false;
      lastCounted.set(key, atMs);
      return true;
    },
    hasCounted: ({ slug, atMs, network }) =>
      lastCounted.get(pairKey(slug, keyOf(network))) === atMs,
  };
}

/** The sum of both keys, modulo 2^53: no intermediate value passes what a number holds exactly. */
function pairKey(slug: string, network: number): number {
  const room = KEYS - keyOf(slug);
  return network < room ? network + (KEYS - room) : network - room;
}
