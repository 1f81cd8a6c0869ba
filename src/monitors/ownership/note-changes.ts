import type { OwnedMonitor } from "../../model/monitor/owned-monitor.ts";
import type { OwnerChange, OwnerChanges } from "../../model/monitor/owner-channel.ts";
import { DAY_MS } from "../../model/time.ts";
import type { MonitorRecord } from "../../model/monitor/uptime.ts";
import { channelsOf } from "./apply-edit.ts";
import { isChecked } from "./owner-phase.ts";

/** A notifier that was away for longer has missed what was before. Source: docs/notify.md, "The outbox". */
const KEPT_MS = 2 * DAY_MS;

/** The state holds them, and every run writes the state. */
const MAX_KEPT = 10_000;

type OfOneKind<T> = T extends unknown ? Omit<T, "seq" | "id" | "atMs"> : never;

/** One generation as the outbox sees it. */
export interface NotedGeneration {
  readonly records: Iterable<readonly [id: string, owned: OwnedMonitor]>;
  /** Records that this generation changed or erased had these channels before. */
  readonly channelsBefore: (id: string) => ReadonlySet<string>;
  readonly checksBefore: (id: string) => MonitorRecord | undefined;
  readonly checksAfter: (id: string) => MonitorRecord | undefined;
  readonly nowMs: number;
}

/** The outbox after a generation. The same object if nothing is new or too old. Pure. */
export function noteChanges(before: OwnerChanges, generation: NotedGeneration): OwnerChanges {
  const { nowMs } = generation;
  const found = [...changesIn(generation)];
  const oldest = before.recent[0];
  if (found.length === 0 && (oldest === undefined || oldest.atMs > nowMs - KEPT_MS)) return before;
  const added = found.map((one, at): OwnerChange => ({ ...one, seq: before.next + at }));
  const recent = [...before.recent, ...added]
    .filter(({ atMs }) => atMs > nowMs - KEPT_MS)
    .slice(-MAX_KEPT);
  return { next: before.next + added.length, recent };
}

type Unnumbered = OfOneKind<OwnerChange> & Pick<OwnerChange, "id" | "atMs">;

function* changesIn({ records, nowMs, ...generation }: NotedGeneration): Generator<Unnumbered> {
  for (const [id, owned] of records) {
    const channels = channelsOf(owned);
    if (channels.length === 0 || !isChecked(owned, nowMs)) continue;
    const known = generation.channelsBefore(id);
    for (const channel of channels)
      if (!known.has(channel.id)) yield { id, atMs: nowMs, kind: "added", channelId: channel.id };
    const change = changeOf(generation.checksBefore(id), generation.checksAfter(id));
    if (change !== undefined) yield { id, atMs: nowMs, ...change };
  }
}

/**
 * A change that an owner has to know. A first check that passes is none; neither is a refusal, which is a mistake in the settings and
 * is shown there.
 */
function changeOf(
  before: MonitorRecord | undefined,
  after: MonitorRecord | undefined,
): Extract<OfOneKind<OwnerChange>, { kind: "condition" }> | undefined {
  const state = after?.state;
  if (after === undefined || (state !== "healthy" && state !== "failing")) return undefined;
  const was = before?.state ?? "unknown";
  if (was === state || (was === "unknown" && state === "healthy")) return undefined;
  const sinceMs = before?.sinceMs ?? after.sinceMs;
  return {
    kind: "condition",
    before: was,
    sinceMs,
    after: state,
    ...(state === "failing" && after.code !== undefined ? { code: after.code } : {}),
  };
}
