import { hashText } from "../model/fnv1a.ts";
import { byWindow, MONITOR_WARNINGS } from "../model/monitor/monitor.ts";
import { HISTORY_DAYS } from "../model/time.ts";
import { type Document, toDocument } from "../model/service/snapshot.ts";
import type { MonitorCondition } from "../model/monitor/uptime.ts";
import { buildMonitorFeed } from "./feeds.ts";
import { monitorFeedPath, pageKeys } from "./pages/parts/links.ts";
import { toPages } from "./site-files.ts";
import type { Assets } from "./pages/parts/head.tsx";
import { renderMonitor } from "./pages/monitor.tsx";
import type { MonitorView, SiteAddress } from "./view.ts";

/** The pages of one monitor, one per language. */
export function buildMonitorPages(
  address: SiteAddress,
  monitor: MonitorView,
  assets: Assets,
): readonly Document[] {
  return toPages(`/m/${monitor.id}`, (language) =>
    renderMonitor(address, monitor, language, assets),
  );
}

/** Object keys of the pages of a monitor, in the order of `buildMonitorPages`. */
export function monitorPageKeys(id: string): readonly string[] {
  return pageKeys(`/m/${id}`);
}

/** The feed of the failures of one monitor. */
export function buildMonitorFeedDocument(address: SiteAddress, monitor: MonitorView): Document {
  return toDocument(monitorFeedKey(monitor.id), buildMonitorFeed(address, monitor));
}

/** Object key of the feed of a monitor. */
export function monitorFeedKey(id: string): string {
  return monitorFeedPath(id).slice(1);
}

/** The last hash, because a run publishes up to three generations at one address, and the samples are dozens of pages. */
let lastTemplate = { of: "", hash: "" };

/**
 * Hash of everything that pages of monitors have in common: template, style, script, address. It is taken from sample pages that
 * cover every variant, so it changes with the template by itself.
 */
export function hashMonitorTemplate(address: SiteAddress, assets: Assets): string {
  const of = JSON.stringify([address, assets]);
  if (of === lastTemplate.of) return lastTemplate.hash;
  const warned = MONITOR_WARNINGS.map((warning) => ({ ...HEALTHY, warning }));
  const samples = [...Object.values(SAMPLES), ...warned];
  const pages = samples.flatMap((monitor) => buildMonitorPages(address, monitor, assets));
  lastTemplate = { of, hash: hashDocuments(pages) };
  return lastTemplate.hash;
}

/** Hash of everything that feeds of monitors have in common. */
export function hashMonitorFeedTemplate(address: SiteAddress): string {
  return hashDocuments([buildMonitorFeedDocument(address, HEALTHY)]);
}

function hashDocuments(documents: readonly Document[]): string {
  return hashText(documents.map(({ body }) => new TextDecoder().decode(body)).join(""));
}

const HEALTHY: MonitorView = {
  id: "a",
  name: "A",
  url: "https://example.ru/",
  condition: "healthy",
  sinceMs: 1_800_000_000_000,
  uptimes: byWindow(() => ({ decided: 8_640, healthy: 8_639 })),
  days: Array.from(
    { length: HISTORY_DAYS },
    (_, day) => ([null, "whole", "minor", "major"] as const)[day % 4] ?? null,
  ),
  outages: [
    { sinceMs: 0, endedAtMs: null, code: "tcp-timeout", failing: 1, counted: 1 },
    { sinceMs: 0, endedAtMs: 60_000, code: "tcp-timeout", failing: 1, counted: 1 },
  ],
  responseMs: Array.from({ length: 24 }, (_, hour) => (hour % 5 === 0 ? null : 100 * hour)),
};

const SAMPLES: Readonly<Record<MonitorCondition, MonitorView>> = {
  healthy: HEALTHY,
  failing: { ...HEALTHY, condition: "failing", code: "tcp-timeout" },
  refused: { ...HEALTHY, condition: "refused", code: "url-refused" },
  unknown: {
    ...HEALTHY,
    condition: "unknown",
    sinceMs: null,
    outages: [],
    uptimes: byWindow(() => ({ decided: 0, healthy: 0 })),
    days: HEALTHY.days.map(() => null),
    responseMs: HEALTHY.responseMs.map(() => null),
  },
};
