import type { RecordEdit } from "../ownership/apply-edit.ts";
import { createGroupCommit } from "../../store/group-commit.ts";
import { createInboxSeries } from "../../store/inbox-id.ts";
import { withTimeout } from "../../store/with-timeout.ts";
import { SECOND_MS } from "../../model/time.ts";

/** As for reports. Source: docs/reports/intake.md, "Durable". */
const MAX_WAIT_MS = 300;
const BETWEEN_WRITES_MS = 20;

/** A slow store is better than a refusal: there is no journal for edits. */
const SLOWEST_WRITE_MS = 10 * SECOND_MS;

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

export interface EditWriter {
  /** Resolves when the edit is durable, or cannot be made so. Never rejects. */
  readonly persist: (edit: RecordEdit) => Promise<"kept" | "refused">;
  /** Ends the running writes. */
  readonly close: () => Promise<void>;
}

/** Makes edits durable in batches, in the order in which they were made. */
export function createEditWriter(deps: EditWriterDependencies): EditWriter {
  const nextId = createInboxSeries();
  const write = async (edits: readonly RecordEdit[]): Promise<"kept" | "refused"> => {
    const id = nextId(deps.nowMs());
    try {
      await withTimeout(deps.writeEdits(id, edits), SLOWEST_WRITE_MS);
    } catch (error) {
      deps.onFailure(error instanceof Error ? error.message : String(error));
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
    persist: async (edit) => {
      const kept = await commit.add(edit);
      return kept === "overloaded" ? "refused" : kept;
    },
    close: commit.drain,
  };
}
