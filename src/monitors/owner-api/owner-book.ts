import { messageOf } from "../../model/errors.ts";
import { isFolded } from "../../model/folded-ids.ts";
import type { OwnedMonitor, OwnersNews } from "../../model/monitor/owned-monitor.ts";
import { createGroupCommit } from "../../store/group-commit.ts";
import { createInboxSeries } from "../../store/inbox-id.ts";
import { SLOWEST_WRITE_MS, withTimeout } from "../../store/with-timeout.ts";
import { applyEdit, type EditOf, idOf, type RecordEdit } from "../ownership/apply-edit.ts";
import { phaseOf } from "../ownership/owner-phase.ts";
import { createOwnerIndex, type OwnerLimits } from "./owner-index.ts";

export type OwnerBook = ReturnType<typeof createOwnerBook>;

/** The records of the last generation, with the edits that this intake has accepted since. Its functions never throw. */
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
    /** Counts a registration and the end of the record that it displaces before they are durable; what is returned takes both back. */
    reserve: (edit: EditOf<"register">, displaced: string | undefined) => {
      const before = displaced === undefined ? undefined : index.get(displaced);
      if (displaced !== undefined) index.set(displaced, undefined);
      apply(edit);
      return (): void => {
        index.set(edit.monitor.id, undefined);
        if (displaced !== undefined) index.set(displaced, before);
      };
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

/** As for reports. Source: docs/reports/intake.md, "Durable". */
const MAX_WAIT_MS = 300;
const BETWEEN_WRITES_MS = 20;

/** Twenty seconds of the largest flood that the limits let through. */
const MAX_PENDING = 2_000;

export interface EditWriterDependencies {
  /** Writes an object of the inbox atomically. After a rejection it may exist or not. */
  readonly writeEdits: (id: string, edits: readonly RecordEdit[]) => Promise<void>;
  readonly maxEdits: number;
  /** Called when edits are durable, before any of them is answered. Must not throw. */
  readonly onKept: (id: string, edits: readonly RecordEdit[]) => void;
  readonly onFailure: (message: string) => void;
  readonly nowMs: () => number;
}

/** Makes edits durable in batches, in the order in which they were made. */
export function createEditWriter(deps: EditWriterDependencies) {
  const nextId = createInboxSeries();
  const write = async (edits: readonly RecordEdit[]): Promise<"kept" | "refused"> => {
    const id = nextId(deps.nowMs());
    try {
      await withTimeout(deps.writeEdits(id, edits), SLOWEST_WRITE_MS);
    } catch (error) {
      deps.onFailure(messageOf(error));
      return "refused";
    }
    deps.onKept(id, edits);
    return "kept";
  };
  const commit = createGroupCommit(write, {
    maxItems: deps.maxEdits,
    maxWaitMs: MAX_WAIT_MS,
    minIntervalMs: BETWEEN_WRITES_MS,
    maxPending: MAX_PENDING,
  });
  return {
    /** Resolves when the edit is durable, or cannot be made so. Never rejects. */
    persist: commit.add,
    /** Ends the running writes. */
    close: commit.drain,
  };
}
