import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import { HOUR_MS } from "../../model/time.ts";
import { type Visitor, visitorShardOf } from "../../model/monitor/visitor.ts";
import type { ObjectStore } from "../../model/store.ts";
import type { SendResult } from "../../notify/rules/change.ts";
import { claimUntried, editVisitorShard, type ReadVisitors } from "../../state/visitor-shards.ts";
import { applyTrials } from "../../visitors/apply-edit.ts";

/** Trials at once. Fewer than messages, which must not wait for what a stranger made up. */
const CONCURRENCY = 64;

/** A service that did not answer is asked again after so long. */
const AGAIN_MS = HOUR_MS;

/** Never rejects, and ends within seconds. */
type TryVisitor = (visitor: Visitor) => Promise<SendResult>;

/** What trials are made with. */
export interface VisitorTrialDependencies {
  readonly stateStore: ObjectStore;
  readonly readVisitors: ReadVisitors;
  readonly prepare: () => Promise<TryVisitor>;
  readonly wallMs: () => number;
  readonly signal: AbortSignal;
  /** Subscriptions that were erased. */
  readonly onGone: (count: number) => void;
}

/**
 * Tries new subscriptions with a silent message, and erases those that their service does not know: made-up endpoints cannot fill the places
 * of others. The returned function looks whether there are any; it rejects with errors of the store.
 */
export function createTrials(deps: VisitorTrialDependencies): () => Promise<void> {
  let againAtMs = Number.POSITIVE_INFINITY;
  return async () => {
    const isAnnounced = await claimUntried(deps.stateStore);
    if (!isAnnounced && deps.wallMs() < againAtMs) return;
    // Also if reading fails: an announcement is claimed once.
    againAtMs = deps.wallMs() + AGAIN_MS;
    const shards = await deps.readVisitors();
    const untried = [...shards.values()].flatMap((shard) =>
      [...shard.values()].filter(({ isUntried }) => isUntried === true),
    );
    const answered = await tryAll(untried, deps);
    if (answered === untried.length) againAtMs = Number.POSITIVE_INFINITY;
  };
}

/** The number of those whose service has answered. */
async function tryAll(
  untried: readonly Visitor[],
  deps: VisitorTrialDependencies,
): Promise<number> {
  const results = { taken: new Set<string>(), gone: new Set<string>() };
  const limit = pLimit(CONCURRENCY);
  const tryVisitor = await deps.prepare();
  const tryOne = async (visitor: Visitor): Promise<void> => {
    if (deps.signal.aborted) return;
    const { kind } = await tryVisitor(visitor);
    if (kind === "delivered") results.taken.add(visitor.id);
    if (kind === "gone") results.gone.add(visitor.id);
  };
  await Promise.all(untried.map((visitor) => limit(() => tryOne(visitor))));
  const answered = [...results.taken, ...results.gone];
  for (const number of new Set(answered.map(visitorShardOf)))
    await editVisitorShard(
      deps.stateStore,
      number,
      (shard) => applyTrials(shard, results),
      (ms) => delay(ms),
    );
  if (results.gone.size > 0) deps.onGone(results.gone.size);
  return answered.length;
}
