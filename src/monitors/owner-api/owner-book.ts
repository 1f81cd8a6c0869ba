import { isFolded } from "../../model/folded-ids.ts";
import type { OwnedMonitor, OwnersNews } from "../../model/monitor/owned-monitor.ts";
import { applyEdit, idOf, type RecordEdit } from "../ownership/apply-edit.ts";
import { phaseOf } from "../ownership/owner-phase.ts";
import { createOwnerIndex, type OwnerLimits } from "./owner-index.ts";

export type OwnerBook = ReturnType<typeof createOwnerBook>;

/**
 * The owned monitors as of now: those of the last generation, with the edits that this intake has accepted since. Empty at first. Its
 * functions never throw.
 */
export function createOwnerBook(limits?: OwnerLimits) {
  const index = createOwnerIndex(limits);
  let blocked: ReadonlySet<string> = new Set();
  let unfolded: (readonly [inboxId: string, edits: readonly RecordEdit[]])[] = [];
  const replay = (id: string, owned: OwnedMonitor | undefined): OwnedMonitor | undefined =>
    unfolded
      .flatMap(([, edits]) => edits)
      .filter((edit) => idOf(edit) === id)
      .reduce(applyEdit, owned);
  const apply = (edit: RecordEdit): void =>
    index.set(idOf(edit), applyEdit(index.get(idOf(edit)), edit));
  return {
    index,
    isBlocked: (host: string) => blocked.has(host),
    /** Counts a registration that is about to be written towards the limits, until it is accepted or released. */
    reserve: apply,
    release: (id: string): void => index.set(id, undefined),
    /** Takes a record out before that is durable. The returned function brings it back. */
    displace: (id: string) => {
      const owned = index.get(id);
      index.set(id, undefined);
      return (): void => index.set(id, owned);
    },
    /** Applies edits that are durable under this id. */
    accept: (inboxId: string, edits: readonly RecordEdit[]): void => {
      unfolded.push([inboxId, edits]);
      for (const edit of edits) apply(edit);
    },
    update: ({ isAll, records, folded, blockedHosts }: OwnersNews): void => {
      blocked = new Set(blockedHosts);
      unfolded = unfolded.filter(([inboxId]) => !isFolded(folded, inboxId));
      if (isAll) {
        const known = new Set(records.map(([id]) => id));
        for (const id of index.ids()) if (!known.has(id)) index.set(id, replay(id, undefined));
      }
      for (const [id, owned] of records) index.set(id, replay(id, owned ?? undefined));
    },
    /** How many accepted edits no generation has counted yet. */
    unfolded: () => unfolded.reduce((sum, [, edits]) => sum + edits.length, 0),
    /** Forgets what has expired. */
    expire: (nowMs: number): void => {
      for (const id of index.ids()) {
        const owned = index.get(id);
        if (owned !== undefined && phaseOf(owned, nowMs) === "expired") index.set(id, undefined);
      }
    },
  };
}
