import { isFolded } from "../../model/folded-ids.ts";
import type { OwnedMonitor, OwnersNews } from "../../model/monitor/owned-monitor.ts";
import { applyEdit, idOf, type RecordEdit } from "../ownership/apply-edit.ts";
import { phaseOf } from "../ownership/owner-phase.ts";
import { createOwnerIndex, type OwnerIndex, type OwnerLimits } from "./owner-index.ts";

/** The owned monitors as of now: those of the last generation, with the edits that this intake has accepted since. */
export interface OwnerBook {
  readonly index: OwnerIndex;
  readonly isBlocked: (host: string) => boolean;
  /** Counts a registration that is about to be written towards the limits, until it is accepted or released. */
  readonly reserve: (edit: RecordEdit) => void;
  readonly release: (id: string) => void;
  /** Takes a record out before that is durable. The returned function brings it back. */
  readonly displace: (id: string) => () => void;
  /** Applies edits that are durable under this id. */
  readonly accept: (inboxId: string, edits: readonly RecordEdit[]) => void;
  readonly update: (news: OwnersNews) => void;
  /** How many accepted edits no generation has counted yet. */
  readonly unfolded: () => number;
  /** Forgets what has expired. */
  readonly expire: (nowMs: number) => void;
}

/** An empty book. Its functions never throw. */
export function createOwnerBook(limits?: OwnerLimits): OwnerBook {
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
    isBlocked: (host) => blocked.has(host),
    reserve: apply,
    release: (id) => index.set(id, undefined),
    displace: (id) => {
      const owned = index.get(id);
      index.set(id, undefined);
      return () => index.set(id, owned);
    },
    accept: (inboxId, edits) => {
      unfolded.push([inboxId, edits]);
      for (const edit of edits) apply(edit);
    },
    update: ({ isAll, records, folded, blockedHosts }) => {
      blocked = new Set(blockedHosts);
      unfolded = unfolded.filter(([inboxId]) => !isFolded(folded, inboxId));
      if (isAll) {
        const known = new Set(records.map(([id]) => id));
        for (const id of index.ids()) if (!known.has(id)) index.set(id, replay(id, undefined));
      }
      for (const [id, owned] of records) index.set(id, replay(id, owned ?? undefined));
    },
    unfolded: () => unfolded.reduce((sum, [, edits]) => sum + edits.length, 0),
    expire: (nowMs) => {
      for (const id of index.ids()) {
        const owned = index.get(id);
        if (owned !== undefined && phaseOf(owned, nowMs) === "expired") index.set(id, undefined);
      }
    },
  };
}
