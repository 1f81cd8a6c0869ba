import {
  MAX_NEWEST_OUTAGES,
  type Outage,
  type OutageIndex,
  type OutageMonth,
} from "../../contract/outages.ts";
import { groupBy } from "../../model/lists.ts";
import { type Document, toJsonDocument } from "../../model/service/snapshot.ts";
import { toUnixSeconds } from "../../model/time.ts";
import { nameOfMonth, type OutageEntry, toUtcMonth } from "../../model/service/accuracy.ts";

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
  const months = groupBy(entries, ({ toldAtMs }) => toUtcMonth(toldAtMs));
  return toJsonDocument(outageKey("index"), {
    outages: entries.slice(0, MAX_NEWEST_OUTAGES).map(toOutage),
    months: [...months].map(([month, { length }]) => ({
      month: nameOfMonth(month),
      outages: length,
    })),
  } satisfies OutageIndex);
}

/** The outages of a month that is over. */
export function buildOutageMonth(month: string, entries: readonly OutageEntry[]): Document {
  const outages = entries.map(toOutage);
  return toJsonDocument(outageKey(month), { month, outages } satisfies OutageMonth);
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
