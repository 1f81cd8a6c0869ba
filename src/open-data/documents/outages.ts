import {
  MAX_NEWEST_OUTAGES,
  type Outage,
  type OutageDay,
  type OutageIndex,
  type OutageMonth,
} from "../../contract/outages.ts";
import { groupBy } from "../../model/lists.ts";
import { toUnusual } from "./operators.ts";
import { type Document, toJsonDocument } from "../../model/service/snapshot.ts";
import { toUnixSeconds } from "../../model/time.ts";
import { nameOfMonth, type OutageEntry, toUtcMonth } from "../../model/service/accuracy.ts";

/** The category of a service; undefined: it has left the catalogue. */
export type CategoryOf = (slug: string) => string | undefined;

/** The key of the document of an outage by its id, of a month, or of the index. */
export function outageKey(name: string): string {
  return `outages/v1/${name.replace(".", "/")}.json`;
}

/** The document of one outage. Changes while it lasts, and with a correction. */
export function buildOutage(entry: OutageEntry, categoryOf: CategoryOf): Document {
  return toJsonDocument(outageKey(entry.id), toOutage(entry, categoryOf));
}

/** The newest outages, and how many each month has. */
export function buildOutageIndex(
  entries: readonly OutageEntry[],
  categoryOf: CategoryOf,
): Document {
  const months = groupBy(entries, ({ toldAtMs }) => toUtcMonth(toldAtMs));
  return toJsonDocument(outageKey("index"), {
    outages: entries.slice(0, MAX_NEWEST_OUTAGES).map((one) => toOutage(one, categoryOf)),
    months: [...months].map(([month, { length }]) => ({
      month: nameOfMonth(month),
      outages: length,
    })),
  } satisfies OutageIndex);
}

/** The outages of a month or a day that is over, by its name. */
export function buildOutagesOf(
  name: string,
  entries: readonly OutageEntry[],
  categoryOf: CategoryOf,
): Document {
  const outages = entries.map((one) => toOutage(one, categoryOf));
  const isDay = name.length > "YYYY-MM".length;
  const content: OutageDay | OutageMonth = isDay
    ? { date: name, outages }
    : { month: name, outages };
  return toJsonDocument(outageKey(name), content);
}

function toOutage(entry: OutageEntry, categoryOf: CategoryOf): Outage {
  const { id, slug, toldAtMs, endedAtMs, isEndUnseen, isReported, about } = entry;
  const { code, scope, sinceMs, cause, failing, counted, network, operators } = about;
  return {
    id,
    slug,
    category: categoryOf(slug) ?? null,
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
    operators: operators === undefined ? null : toUnusual(operators),
    reported: isReported,
    truth: entry.judgement,
    sources: entry.corrections.map(({ source }) => source),
    together: entry.together,
  };
}
