import type { Departures, MonitorHistory, Registry } from "./departures.ts";
import type { BadgeLooks, Monitor, UptimeCount, UptimeWindow } from "./model/monitor.ts";
import type { Document } from "./model/snapshot.ts";
import type { State } from "./model/state.ts";
import type { MonitorClock, MonitorRecord } from "./model/uptime.ts";
import { type GroupFamily, groupId, localIdOf } from "./publish/groups.ts";
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

/** One public monitor, and what is known of it. */
export interface MonitorSubject {
  readonly monitor: Monitor;
  readonly counts: Readonly<Record<UptimeWindow, UptimeCount>>;
  readonly record: MonitorRecord | undefined;
  readonly clock: MonitorClock;
  readonly nowMs: number;
}

/** A part of what is published of each public monitor: its badges, its page, its picture for shared links. */
export interface MonitorPart {
  readonly keysOf: (id: string) => readonly string[];
  /** Short, and different for objects that differ in a byte. */
  readonly signatureOf: (subject: MonitorSubject) => string;
  readonly build: (subject: MonitorSubject) => Promise<readonly Document[]>;
}

/** Badges as a part. */
export function toBadgePart({ keysOf, looksOf, signatureOf, build }: BadgeMaker): MonitorPart {
  return {
    keysOf,
    signatureOf: ({ counts, monitor }) => signatureOf(looksOf(counts, monitor)),
    build: ({ counts, monitor }) => build(monitor.id, looksOf(counts, monitor)),
  };
}

/** What the parts follow from. */
export interface PartSources {
  readonly registry: Registry;
  readonly history: MonitorHistory;
  readonly departures: Departures;
  readonly named: ReadonlySet<string>;
  readonly nowMs: number;
  /** Signatures by id of the group that are known to follow from these sources; those that are found are added. */
  readonly signatureById: Map<string, string>;
}

/**
 * What is to be published of one part, by id of the monitor, as follows from registry and history. That of monitors that cannot be
 * drawn stays, while it is true.
 *
 * @param family under which the state remembers the part.
 * @param areMonitorsLater only what somebody named is drawn; all else stays, but for what has to go.
 */
export function wantPart(
  part: MonitorPart,
  family: string,
  sources: PartSources,
  { publication }: State,
  areMonitorsLater: boolean,
): GroupFamily {
  const { registry, named } = sources;
  const monitors = new Map(registry.monitors.map((monitor) => [monitor.id, monitor]));
  const isDrawn = (id: string): boolean => !areMonitorsLater || named.has(id);
  const mayStay = (id: string): boolean => {
    const monitor = monitors.get(id);
    return monitor === undefined ? isStillTrue(id, sources) : !isDrawn(id) && monitor.isPublic;
  };
  const signatures = new Map<string, string>();
  for (const [group, { digest }] of publication.groups) {
    const id = localIdOf(family, group);
    if (digest !== null && id !== undefined && mayStay(id)) signatures.set(id, digest);
  }
  for (const [id, monitor] of monitors) {
    if (!monitor.isPublic || !isDrawn(id)) continue;
    signatures.set(id, signatureOf(part, family, monitor, sources));
  }
  return {
    signatures,
    named,
    isDeliberate: (id) => named.has(id) || monitors.has(id) || sources.departures.isKept(id),
    keysOf: part.keysOf,
    build: async (id) => {
      const monitor = monitors.get(id);
      // What is drawn now would not be what the old signature says.
      return monitor === undefined || !isDrawn(id) ? [] : part.build(subjectOf(monitor, sources));
    },
  };
}

function signatureOf(
  part: MonitorPart,
  family: string,
  monitor: Monitor,
  sources: PartSources,
): string {
  const { signatureById } = sources;
  const group = groupId(family, monitor.id);
  const signature = signatureById.get(group) ?? part.signatureOf(subjectOf(monitor, sources));
  signatureById.set(group, signature);
  return signature;
}

function subjectOf(monitor: Monitor, { history, nowMs }: PartSources): MonitorSubject {
  const { clock } = history;
  const record = history.recordOf(monitor.id);
  const count = (window: UptimeWindow) => uptimeOf(record, clock, window, nowMs);
  return {
    monitor,
    counts: { "24h": count("24h"), "7d": count("7d"), "30d": count("30d"), "90d": count("90d") },
    record,
    clock,
    nowMs,
  };
}

/**
 * Whether what was published of a monitor that cannot be drawn (its entry is wrong, or nobody knows whether it is gone) may stay: it
 * says what was, so only for a day after the last check. No badge is better than a green one that is no longer true.
 */
function isStillTrue(id: string, { departures, history, nowMs }: PartSources): boolean {
  if (!departures.isKept(id)) return false;
  const record = history.recordOf(id);
  const decided = (window: UptimeWindow) => uptimeOf(record, history.clock, window, nowMs).decided;
  // One that was never decided says "no data", which stays true.
  return decided("24h") > 0 || decided("90d") === 0;
}
