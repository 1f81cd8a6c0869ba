import { createHash } from "node:crypto";
import type { Document } from "../../model/service/snapshot.ts";
import type { MonitorClock } from "../../model/monitor/uptime.ts";
import { toUtcDay } from "../../model/time.ts";
import { buildHistoryIndex, HISTORY_INDEX_KEY } from "../../open-data/documents/history-index.ts";
import {
  buildServiceHistory,
  serviceHistoryKey,
} from "../../open-data/documents/service-history.ts";
import { type GroupFamily, NO_GROUPS } from "../../publish/object-groups.ts";
import { hourlyUptimesOf, hourOf } from "../../services/history/hourly-uptimes.ts";
import { runsOfDays } from "../../monitors/uptime/uptime-days.ts";
import type { SiteSources } from "./site-view.ts";

/** Family of the histories of services, and of their index. */
export const HISTORY = "history";

/** No slug begins with a full stop. */
const INDEX_ID = ".index";

/**
 * Plans the histories of services: that of one changes with its verdict, its outages or the day, the index with the hour. The first
 * publish has none, so that documents of the API come first.
 */
export function planHistory(sources: SiteSources): GroupFamily {
  if (sources.state.publication.objects.size === 0) return NO_GROUPS;
  const documents = new Map<string, Document>([
    [INDEX_ID, buildIndex(sources)],
    ...buildServices(sources),
  ]);
  return {
    ...NO_GROUPS,
    signatures: new Map([...documents].map(([id, { body }]) => [id, digestOf(body)])),
    keysOf: (id) => [historyGroupKey(id)],
    build: (id) => {
      const document = documents.get(id);
      return Promise.resolve(document === undefined ? [] : [document]);
    },
  };
}

/** The key of the document of a group. */
export function historyGroupKey(id: string): string {
  return id === INDEX_ID ? HISTORY_INDEX_KEY : serviceHistoryKey(id);
}

function buildIndex({ catalogue, state, nowMs }: SiteSources): Document {
  const { history, monitors } = state;
  return buildHistoryIndex({
    hourMs: hourOf(nowMs),
    services: catalogue.services.map(({ slug }) => ({
      slug,
      uptimes: hourlyUptimesOf(history.services.get(slug), history.runs, nowMs),
    })),
    monitorDays: endedDaysOf(monitors.clock, nowMs),
  });
}

function endedDaysOf(clock: MonitorClock, nowMs: number) {
  return [...runsOfDays(clock)].filter(([day]) => day < toUtcDay(nowMs));
}

function buildServices({ catalogue, state, nowMs }: SiteSources) {
  const { history, verdicts } = state;
  return catalogue.services.map(({ slug }) => {
    const record = history.services.get(slug);
    return [slug, buildServiceHistory({ slug, record, changes: verdicts.changes, nowMs })] as const;
  });
}

function digestOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("base64url").slice(0, 12);
}
