import { type Document, toDocument } from "../model/service/snapshot.ts";
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
  const path = `/m/${monitor.id}`;
  return toPages({ address, assets }, path, (frame) => renderMonitor(frame, monitor));
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
