import type { Departures, MonitorHistory, Registry } from "./departures.ts";
import type { BadgeLooks, Monitor, UptimeCount, UptimeWindow } from "./model/monitor.ts";
import type { Document } from "./model/snapshot.ts";
import type { State } from "./model/state.ts";
import type { WantedBadges } from "./publish/badges.ts";
import { uptimeOf } from "./uptime/count.ts";

/** How the badges of a monitor look and what their objects are. */
export interface BadgeMaker {
  readonly looksOf: (
    counts: Readonly<Record<UptimeWindow, UptimeCount>>,
    monitor: Monitor,
  ) => BadgeLooks;
  /** Short, and different for badges that differ in a byte. */
  readonly signatureOf: (looks: BadgeLooks) => string;
  readonly keysOf: (id: string) => readonly string[];
  readonly build: (id: string, looks: BadgeLooks) => Promise<readonly Document[]>;
}

/** What the badges follow from. */
export interface BadgeSources {
  readonly badges: BadgeMaker;
  readonly registry: Registry;
  readonly history: MonitorHistory;
  readonly departures: Departures;
  readonly named: ReadonlySet<string>;
  readonly nowMs: number;
}

/** The badges that follow from registry and history. Those of monitors that cannot be drawn stay, while they are true. */
export function wantBadges(
  sources: BadgeSources,
  { publication }: State,
  areBadgesLater: boolean,
): WantedBadges {
  const { badges, registry, named } = sources;
  const monitors = new Map(registry.monitors.map((monitor) => [monitor.id, monitor]));
  const signatures = new Map<string, string>();
  for (const [id, { digest }] of publication.badges) {
    if (digest === null) continue;
    const monitor = monitors.get(id);
    const isLeft = monitor === undefined ? isStillTrue(id, sources) : monitor.isPublic;
    if (isLeft && (areBadgesLater || monitor === undefined)) signatures.set(id, digest);
  }
  for (const [id, monitor] of monitors) {
    if (!monitor.isPublic || (areBadgesLater && !named.has(id))) continue;
    signatures.set(id, badges.signatureOf(looksOf(monitor, sources)));
  }
  return {
    signatures,
    named,
    isDeliberate: (id) => named.has(id) || monitors.has(id) || sources.departures.isKept(id),
    keysOf: badges.keysOf,
    build: async (id) => {
      const monitor = monitors.get(id);
      // What is drawn now would not be what the old signature says.
      return monitor === undefined || (areBadgesLater && !named.has(id))
        ? []
        : badges.build(id, looksOf(monitor, sources));
    },
  };
}

function looksOf(monitor: Monitor, { badges, history, nowMs }: BadgeSources): BadgeLooks {
  const record = history.recordOf(monitor.id);
  const count = (window: UptimeWindow) => uptimeOf(record, history.clock, window, nowMs);
  return badges.looksOf(
    { "24h": count("24h"), "7d": count("7d"), "30d": count("30d"), "90d": count("90d") },
    monitor,
  );
}

/**
 * Whether the badge of a monitor that cannot be drawn (its entry is wrong, or nobody knows whether it is gone) may stay: it says
 * what was, so only for a day after the last check. No badge is better than a green one that is no longer true.
 */
function isStillTrue(id: string, { departures, history, nowMs }: BadgeSources): boolean {
  if (!departures.isKept(id)) return false;
  const record = history.recordOf(id);
  const decided = (window: UptimeWindow) => uptimeOf(record, history.clock, window, nowMs).decided;
  // One that was never decided says "no data", which stays true.
  return decided("24h") > 0 || decided("90d") === 0;
}
