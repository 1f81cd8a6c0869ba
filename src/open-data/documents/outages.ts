import type { Outage, OutageIndex, OutageMonth } from "../../contract/outages.ts";
import { groupBy } from "../../model/lists.ts";
import { type Document, toJsonDocument } from "../../model/service/snapshot.ts";
import { toUnixSeconds } from "../../model/time.ts";
import type { OutageEntry } from "../../model/service/accuracy.ts";

/** Outages of the index: more than a bad day has. */
const MAX_NEWEST = 100;

/** The key of the document of an outage by its id, of a month, or of the index. */
export function outageKey(name: string): string {
  return `outages/v1/${name.replace(".", "/")}.json`;
}

/** The document of one outage. Changes while it lasts, and with a correction. */
export function buildOutage(entry: OutageEntry): Document {
  return toJsonDocument(outageKey(entry.id), toOutage(entry));
}

/** The newest outages, and how many each month has. */
export function buildOutageIndex(entries: readonly OutageEntry[]): Document {
  return toJsonDocument(outageKey("index"), {
    outages: entries.slice(0, MAX_NEWEST).map(toOutage),
    months: [...byMonth(entries)].map(([month, { length }]) => ({ month, outages: length })),
  } satisfies OutageIndex);
}

/** A document for each month with outages. */
export function buildOutageMonths(entries: readonly OutageEntry[]): ReadonlyMap<string, Document> {
  return new Map(
    [...byMonth(entries)].map(([month, ofMonth]) => {
      const content = { month, outages: ofMonth.map(toOutage) } satisfies OutageMonth;
      return [month, toJsonDocument(outageKey(month), content)] as const;
    }),
  );
}

/** By `YYYY-MM`. */
function byMonth(entries: readonly OutageEntry[]): ReadonlyMap<string, readonly OutageEntry[]> {
  return groupBy(entries, ({ toldAtMs }) =>
    new Date(toldAtMs).toISOString().slice(0, "YYYY-MM".length),
  );
}

function toOutage(entry: OutageEntry): Outage {
  const { id, slug, toldAtMs, endedAtMs, isEndUnseen, isReported, about } = entry;
  const { code, scope, sinceMs, cause, failing, counted, network } = about;
  return {
    id,
    slug,
    code,
    told: toUnixSeconds(toldAtMs),
    since: toUnixSeconds(sinceMs),
    end: endedAtMs === null ? null : toUnixSeconds(endedAtMs),
    endSeen: endedAtMs !== null && !isEndUnseen,
    scope,
    cause,
    failing,
    counted,
    network,
    reported: isReported,
    truth: entry.judgement,
    sources: entry.corrections.map(({ source }) => source),
    together: entry.together,
  };
}
