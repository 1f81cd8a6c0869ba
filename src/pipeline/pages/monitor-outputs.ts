import type { MonitorRemovals, MonitorHistory, Registry } from "../publish/monitor-removals.ts";
import type {
  BadgeContents,
  Monitor,
  UptimeCount,
  UptimeWindow,
} from "../../model/monitor/monitor.ts";
import type { Document } from "../../model/service/snapshot.ts";
import type { State } from "../../model/state.ts";
import type { MonitorClock, MonitorRecord } from "../../model/monitor/uptime.ts";
import { type GroupFamily, groupId, localIdOf } from "../../publish/object-groups.ts";
import { uptimeOf, uptimesOf } from "../../monitors/uptime/availability.ts";

/** Contents, objects and signatures of the badges of a monitor. */
export interface BadgeMaker {
  readonly looksOf: (
    counts: Readonly<Record<UptimeWindow, UptimeCount>>,
    monitor: Monitor,
  ) => BadgeContents;
  /** Short; differs if any byte of the badges differs. */
  readonly signatureOf: (looks: BadgeContents) => string;
  readonly keysOf: (id: string) => readonly string[];
  readonly build: (id: string, looks: BadgeContents) => Promise<readonly Document[]>;
}

/** One public monitor with its counts and its record. */
export interface MonitorSubject {
  readonly monitor: Monitor;
  readonly counts: Readonly<Record<UptimeWindow, UptimeCount>>;
  readonly record: MonitorRecord | undefined;
  readonly clock: MonitorClock;
  readonly nowMs: number;
}

/** One kind of documents of each public monitor: badges, page, or picture for shared links. */
export interface MonitorOutput {
  readonly keysOf: (id: string) => readonly string[];
  /** Short; differs if any byte of the objects differs. */
  readonly signatureOf: (subject: MonitorSubject) => string;
  readonly build: (subject: MonitorSubject) => Promise<readonly Document[]>;
}

export function toBadgeOutput({ keysOf, looksOf, signatureOf, build }: BadgeMaker): MonitorOutput {
  return {
    keysOf,
    signatureOf: ({ counts, monitor }) => signatureOf(looksOf(counts, monitor)),
    build: ({ counts, monitor }) => build(monitor.id, looksOf(counts, monitor)),
  };
}

/** The values that all outputs are computed from. */
export interface OutputSources {
  readonly registry: Registry;
  readonly history: MonitorHistory;
  readonly removals: MonitorRemovals;
  readonly named: ReadonlySet<string>;
  readonly nowMs: number;
  /** Cache of the signatures that were computed from these sources, by group id. */
  readonly signatureById: Map<string, string>;
}

/**
 * Plans one output for all monitors. Objects of monitors that cannot be drawn stay while they are true.
 *
 * @param family the name of the output in the state.
 * @param areMonitorsLater only `named` monitors are drawn; other objects stay, except for removals.
 */
export function planOutput(
  output: MonitorOutput,
  family: string,
  sources: OutputSources,
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
    signatures.set(id, signatureOf(output, family, monitor, sources));
  }
  return {
    signatures,
    named,
    isDeliberate: (id) => named.has(id) || monitors.has(id) || sources.removals.isKept(id),
    keysOf: output.keysOf,
    build: async (id) => {
      const monitor = monitors.get(id);
      // A new drawing would not match the old signature.
      return monitor === undefined || !isDrawn(id) ? [] : output.build(subjectOf(monitor, sources));
    },
  };
}

function signatureOf(
  output: MonitorOutput,
  family: string,
  monitor: Monitor,
  sources: OutputSources,
): string {
  const { signatureById } = sources;
  const group = groupId(family, monitor.id);
  const signature = signatureById.get(group) ?? output.signatureOf(subjectOf(monitor, sources));
  signatureById.set(group, signature);
  return signature;
}

function subjectOf(monitor: Monitor, { history, nowMs }: OutputSources): MonitorSubject {
  const { clock } = history;
  const record = history.recordOf(monitor.id);
  return { monitor, counts: uptimesOf(record, clock, nowMs), record, clock, nowMs };
}

/**
 * Whether the objects of a monitor that cannot be drawn may stay (its entry is invalid, or the registry could not be read
 * completely): only for a day after the last check, because no badge is better than an outdated green one.
 */
function isStillTrue(id: string, { removals, history, nowMs }: OutputSources): boolean {
  if (!removals.isKept(id)) return false;
  const record = history.recordOf(id);
  const decided = (window: UptimeWindow) => uptimeOf(record, history.clock, window, nowMs).decided;
  // A badge of a monitor that was never decided says "no data", which stays true.
  return decided("24h") > 0 || decided("90d") === 0;
}
