import { SECOND_MS } from "../model/time.ts";
import { type VisitorShard, visitorShardOf } from "../model/monitor/visitor.ts";
import { createGroupCommit, type GroupCommit } from "../store/group-commit.ts";
import { withTimeout } from "../store/with-timeout.ts";
import {
  applyVisitorEdit,
  idIn,
  type VisitorEdit,
  type VisitorEditResult,
  withoutExpired,
} from "./apply-edit.ts";

/** A store that is slower gets one write of several edits at a time. */
const MAX_WAIT_MS = 10 * SECOND_MS;
const BETWEEN_WRITES_MS = 50;

/** A slow store is better than a refusal: there is no journal for these edits. */
const SLOWEST_WRITE_MS = 10 * SECOND_MS;

/** Edits of one write, and edits that wait for one shard. */
const MAX_EDITS = 500;

/**
 * Replaces one object of the state store, only over the version that was read; tries again with the newest. `apply` may be called several
 * times; nothing is written if it returns the same object.
 */
export type EditShard = (
  shardNumber: number,
  apply: (shard: VisitorShard) => VisitorShard,
) => Promise<void>;

/** What makes edits durable. */
export interface VisitorStorage {
  readonly editShard: EditShard;
  /** Tells the notifier that there are subscriptions to try. */
  readonly announceUntried: () => Promise<void>;
}

export interface VisitorWriter {
  /** Resolves when the edit is durable, or cannot be made so. Never rejects. */
  readonly persist: (edit: VisitorEdit) => Promise<VisitorEditResult | "refused">;
  /** Ends the running writes. */
  readonly close: () => Promise<void>;
}

type Results = ReadonlyMap<VisitorEdit, VisitorEditResult> | undefined;

/** Makes edits durable, those of one shard that arrive together in one write. */
export function createVisitorWriter(
  { editShard, announceUntried }: VisitorStorage,
  { nowMs, onFailure }: { readonly nowMs: () => number; onFailure: (message: string) => void },
): VisitorWriter {
  const shards = new Map<number, GroupCommit<VisitorEdit, Results>>();
  const write = async (shardNumber: number, edits: readonly VisitorEdit[]): Promise<Results> => {
    const results = new Map<VisitorEdit, VisitorEditResult>();
    const apply = (shard: VisitorShard): VisitorShard =>
      applyAll(withoutExpired(shard, nowMs()), edits, results);
    try {
      await withTimeout(editShard(shardNumber, apply), SLOWEST_WRITE_MS);
      if (edits.some(({ kind }) => kind === "subscribe"))
        await withTimeout(announceUntried(), SLOWEST_WRITE_MS);
      return results;
    } catch (error) {
      onFailure(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  const commitOf = (shardNumber: number): GroupCommit<VisitorEdit, Results> => {
    const known = shards.get(shardNumber);
    if (known !== undefined) return known;
    const made = createGroupCommit<VisitorEdit, Results>((edits) => write(shardNumber, edits), {
      maxItems: MAX_EDITS,
      maxWaitMs: MAX_WAIT_MS,
      minIntervalMs: BETWEEN_WRITES_MS,
      maxPending: MAX_EDITS,
    });
    shards.set(shardNumber, made);
    return made;
  };
  return {
    persist: async (edit) => {
      const done = await commitOf(visitorShardOf(idIn(edit))).add(edit);
      return (done === "overloaded" ? undefined : done?.get(edit)) ?? "refused";
    },
    close: async () => void (await Promise.all([...shards.values()].map((one) => one.drain()))),
  };
}

function applyAll(
  before: VisitorShard,
  edits: readonly VisitorEdit[],
  results: Map<VisitorEdit, VisitorEditResult>,
): VisitorShard {
  let shard = before;
  for (const edit of edits) {
    const applied = applyVisitorEdit(shard, edit);
    ({ shard } = applied);
    // A write whose answer was lost may have removed the record: that it is gone is what was asked for.
    const wasKept = edit.kind === "unsubscribe" && results.get(edit) === "kept";
    results.set(edit, wasKept ? "kept" : applied.result);
  }
  return shard;
}
