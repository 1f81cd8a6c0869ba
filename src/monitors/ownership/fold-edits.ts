import type { OwnedMonitor, OwnerEdit } from "../../model/monitor/owned-monitor.ts";
import { applyEdit, idOf } from "./apply-edit.ts";
import { openChallenges, phaseOf } from "./owner-phase.ts";

/** The records and the blocked hosts of an installation. */
export interface Owners {
  readonly records: Iterable<readonly [id: string, owned: OwnedMonitor]>;
  readonly recordOf: (id: string) => OwnedMonitor | undefined;
  readonly blockedHosts: readonly string[];
}

/** What a fold has changed. */
export interface FoldedEdits {
  /** By id; null: erased. */
  readonly changes: ReadonlyMap<string, OwnedMonitor | null>;
  readonly blockedHosts: readonly string[];
}

/**
 * Applies edits in their order, and erases what has expired as of now. The result depends on nothing else, so every writer that folds
 * the same edits gets the same records. Pure.
 */
export function foldEdits(owners: Owners, edits: readonly OwnerEdit[], nowMs: number): FoldedEdits {
  const book = openBook(owners);
  const blocked = new Set(owners.blockedHosts);
  for (const edit of edits) {
    if (edit.kind === "block" || edit.kind === "unblock") {
      if (edit.kind === "block") blocked.add(edit.host);
      else blocked.delete(edit.host);
      for (const id of book.ids()) book.set(id, (owned) => applyBlock(owned, edit));
    } else book.set(idOf(edit), (owned) => applyEdit(owned, edit));
  }
  for (const id of book.ids()) book.set(id, (owned) => owned && keepUntil(owned, nowMs));
  return { changes: book.changes, blockedHosts: [...blocked].toSorted() };
}

/** Records with changes on top. */
function openBook(owners: Owners) {
  const changes = new Map<string, OwnedMonitor | null>();
  return {
    changes,
    ids: (): ReadonlySet<string> => {
      const ids = new Set(changes.keys());
      for (const [id] of owners.records) ids.add(id);
      return ids;
    },
    set: (id: string, act: (owned: OwnedMonitor | undefined) => OwnedMonitor | undefined): void => {
      const changed = changes.get(id);
      const before = changed === undefined ? owners.recordOf(id) : (changed ?? undefined);
      const after = act(before);
      if (after !== before) changes.set(id, after ?? null);
    },
  };
}

function applyBlock(
  owned: OwnedMonitor | undefined,
  { kind, host, atMs }: Extract<OwnerEdit, { kind: "block" | "unblock" }>,
): OwnedMonitor | undefined {
  if (owned === undefined || hostOf(owned.monitor) !== host) return owned;
  const { refusal, ...others } = owned;
  if (kind === "block") {
    if (refusal?.kind === "blocked") return owned;
    return { ...owned, refusal: { kind: "blocked", atMs }, revision: owned.revision + 1 };
  }
  return refusal?.kind === "blocked" ? { ...others, revision: owned.revision + 1 } : owned;
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
