import type { OwnedMonitor, OwnerEdit } from "../../model/monitor/owned-monitor.ts";
import type { OwnerChange, OwnerChanges, OwnerChannel } from "../../model/monitor/owner-channel.ts";
import { DAY_MS } from "../../model/time.ts";
import type { MonitorRecord } from "../../model/monitor/uptime.ts";
import { applyEdit, channelsOf, idOf } from "./apply-edit.ts";
import { isChecked, openChallenges, phaseOf } from "./owner-phase.ts";

export interface Owners {
  readonly records: Iterable<readonly [id: string, owned: OwnedMonitor]>;
  readonly recordOf: (id: string) => OwnedMonitor | undefined;
  readonly blockedHosts: readonly string[];
}

/** Applies edits in their order, and erases what has expired: by id, null. Every writer that folds the same gets the same. Pure. */
export function foldEdits(owners: Owners, edits: readonly OwnerEdit[], nowMs: number) {
  const changes = new Map<string, OwnedMonitor | null>();
  const blocked = new Set(owners.blockedHosts);
  const apply = (
    id: string,
    act: (owned: OwnedMonitor | undefined) => OwnedMonitor | undefined,
  ): void => {
    const changed = changes.get(id);
    const before = changed === undefined ? owners.recordOf(id) : (changed ?? undefined);
    const after = act(before);
    if (after !== before) changes.set(id, after ?? null);
  };
  const applyToAll = (act: (owned: OwnedMonitor) => OwnedMonitor | undefined): void => {
    const ids = new Set(changes.keys());
    for (const [id] of owners.records) ids.add(id);
    for (const id of ids) apply(id, (owned) => owned && act(owned));
  };
  // After each edit: an intake may not have heard of a block when it accepts a monitor or the move of one.
  const judge = (owned: OwnedMonitor | undefined, atMs: number) =>
    owned && setBlocked(owned, blocked.has(hostOf(owned.monitor)), atMs);
  for (const edit of edits) {
    if (edit.kind === "block" || edit.kind === "unblock") {
      if (edit.kind === "block") blocked.add(edit.host);
      else blocked.delete(edit.host);
      applyToAll((owned) => judge(owned, edit.atMs));
    } else apply(idOf(edit), (owned) => judge(applyEdit(owned, edit), edit.atMs));
  }
  applyToAll((owned) => keepUntil(owned, nowMs));
  return { changes, blockedHosts: [...blocked].toSorted() };
}

/** A record whose host is blocked, or not. */
function setBlocked(owned: OwnedMonitor, isBlocked: boolean, atMs: number): OwnedMonitor {
  const { refusal, ...others } = owned;
  if ((refusal?.kind === "blocked") === isBlocked) return owned;
  const next = { ...others, revision: owned.revision + 1 };
  return isBlocked ? { ...next, refusal: { kind: "blocked", atMs } } : next;
}

/** Nothing of an expired record, and no network of an expired challenge. */
function keepUntil(owned: OwnedMonitor, nowMs: number): OwnedMonitor | undefined {
  if (phaseOf(owned, nowMs) === "expired") return undefined;
  if (owned.proof === undefined) return owned;
  const challenges = openChallenges(owned, nowMs);
  return challenges.length === owned.challenges.length ? owned : { ...owned, challenges };
}

/** The host that a monitor's URL names, in the form of a DNS query; an IPv6 address in brackets. */
export function hostOf({ url }: { readonly url: string }): string {
  return new URL(url).hostname;
}

/** A notifier that was away for longer has missed what was before. Source: docs/notify.md, "The outbox". */
const KEPT_MS = 2 * DAY_MS;

/** The state holds them, and every run writes the state. */
const MAX_KEPT = 10_000;

export interface NotedGeneration {
  readonly records: Iterable<readonly [id: string, owned: OwnedMonitor]>;
  /** Records that this generation changed or erased had these channels before. */
  readonly channelsBefore: (id: string) => readonly Pick<OwnerChannel, "id">[];
  readonly checksBefore: (id: string) => MonitorRecord | undefined;
  readonly checksAfter: (id: string) => MonitorRecord | undefined;
  readonly nowMs: number;
}

/** The outbox after a generation. The same object if nothing is new or too old. Pure. */
export function noteChanges(before: OwnerChanges, generation: NotedGeneration): OwnerChanges {
  const { nowMs } = generation;
  const found = [...changesIn(generation)];
  const added = found.map((one, at): OwnerChange => ({ ...one, seq: before.next + at }));
  const all = [...before.recent, ...added];
  // Only from the beginning: a clock that was ahead may have dated an older one later, and the numbers have no gaps.
  const first = all.findIndex(({ atMs }) => atMs > nowMs - KEPT_MS);
  const recent = first === -1 ? [] : all.slice(first).slice(-MAX_KEPT);
  if (added.length === 0 && recent.length === before.recent.length) return before;
  return { next: before.next + added.length, recent };
}

type Unnumbered<Change> = Change extends unknown ? Omit<Change, "seq"> : never;

function* changesIn(generation: NotedGeneration): Generator<Unnumbered<OwnerChange>> {
  const { records, nowMs } = generation;
  for (const [id, owned] of records) {
    const channels = channelsOf(owned);
    if (channels.length === 0 || !isChecked(owned, nowMs)) continue;
    const known = new Set(generation.channelsBefore(id).map((one) => one.id));
    for (const channel of channels)
      if (!known.has(channel.id)) yield { id, atMs: nowMs, kind: "added", channelId: channel.id };
    const change = changeOf(generation.checksBefore(id), generation.checksAfter(id));
    if (change !== undefined) yield { id, atMs: nowMs, ...change };
  }
}

/** A change that an owner has to know: neither a first check that passes, nor a refusal, which its settings show. */
function changeOf(before: MonitorRecord | undefined, after: MonitorRecord | undefined) {
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
  } as const;
}
