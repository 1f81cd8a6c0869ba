import { backoffMs } from "../../model/store.ts";
import { SECOND_MS } from "../../model/time.ts";
import { openPublishing, publishGeneration } from "./publish-generation.ts";
import type {
  GenerationOptions,
  PublishedGeneration,
  PublishSetup,
  StateUpdate,
} from "./publish-setup.ts";

/**
 * Publishes the state as of now, without probing: new reports, edits of owners, an edited registry, verdicts that became stale.
 * `updated` does not change. Throws `StateError` and `StoreError`.
 */
export function refresh(
  setup: PublishSetup,
  nowMs: number,
  later: Pick<GenerationOptions, "isSiteLater" | "areEditsLater"> = {},
): Promise<PublishedGeneration> {
  // A client waits for this publish, so drawing is left to the next run.
  const deps = openPublishing({ ...setup, arePicturesLater: true });
  // Before the first valid run the documents keep the date of the first attempt to publish them.
  const update: StateUpdate = (state) => {
    const history = { ...state.history, updatedAtMs: state.history.updatedAtMs ?? nowMs };
    return { state: { ...state, history }, nowMs };
  };
  return publishGeneration(deps, nowMs, update, { reportsAtMs: nowMs, ...later });
}

/** Longer than two runs over thousands of monitors that overtake one another. */
const PATIENCE_MS = 30 * SECOND_MS;

const BACKOFF = { firstMs: 100, longestMs: 4 * SECOND_MS };

/**
 * Refreshes until a generation of our own is published: a writer that overtakes us may have read the registry before the edit, so
 * only our own generation shows the effect of the edit. The random pause between attempts doubles up to 4 s. It gives up after 30 s
 * or on `stop`; then the last result has `isOvertaken`. Throws as `refresh` does.
 */
export async function refreshInTurn(setup: PublishSetup, nowMs: number, stop: AbortSignal) {
  const startedMs = setup.now();
  for (let attempt = 1; ; attempt += 1) {
    const generation = await refresh(setup, nowMs);
    const isOver = stop.aborted || setup.now() - startedMs > PATIENCE_MS;
    if (!generation.published.isOvertaken || isOver) return generation;
    await setup.pause(backoffMs(attempt, setup.random, BACKOFF));
  }
}
