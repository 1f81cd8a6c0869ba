import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import { HOUR_MS } from "../../model/time.ts";
import { type Visitor, type VisitorShard, visitorShardOf } from "../../model/monitor/visitor.ts";
import { tolerate } from "../../model/errors.ts";
import { isStateFailure } from "../../state/state-file.ts";
import { claimUntried, editVisitorShard, type ReadVisitors } from "../../state/visitor-shards.ts";
import { applyTrials } from "../../visitors/apply-edit.ts";
import type { SendResult } from "../rules/change.ts";
import type { StateAudience } from "../state-audience.ts";

/** Trials at once. Fewer than messages, which must not wait for what a stranger made up. */
const CONCURRENCY = 64;

/** A service that did not answer is asked again after so long. */
const AGAIN_MS = HOUR_MS;

interface TrialDependencies extends Pick<StateAudience, "stateStore" | "wallMs" | "stop"> {
  readonly readVisitors: ReadVisitors;
  /** Gives what tries one: it never rejects, and ends within seconds. */
  readonly prepare: () => Promise<(visitor: Visitor) => Promise<SendResult>>;
  /** Subscriptions that were erased. */
  readonly onGone: (count: number) => void;
}

/**
 * Tries new subscriptions with a silent message, and erases those that their service does not know: made-up endpoints cannot fill the places
 * of others. The returned function looks whether there are any; it rejects with errors of the store.
 */
export function createTrials(deps: TrialDependencies): () => Promise<void> {
  let againAtMs = Number.POSITIVE_INFINITY;
  return async () => {
    const isAnnounced = await claimUntried(deps.stateStore);
    if (!isAnnounced && deps.wallMs() < againAtMs) return;
    // Also if reading fails: an announcement is claimed once.
    againAtMs = deps.wallMs() + AGAIN_MS;
    const visitors = await deps.readVisitors();
    const untried = visitors.filter(({ isUntried }) => isUntried === true);
    const answered = await tryAll(untried, deps);
    if (answered === untried.length) againAtMs = Number.POSITIVE_INFINITY;
  };
}

/** The number of those whose service has answered. */
async function tryAll(untried: readonly Visitor[], deps: TrialDependencies): Promise<number> {
  const results = { taken: new Set<string>(), gone: new Set<string>() };
  const limit = pLimit(CONCURRENCY);
  const tryVisitor = await deps.prepare();
  const tryOne = async (visitor: Visitor): Promise<void> => {
    if (deps.stop.aborted) return;
    const { kind } = await tryVisitor(visitor);
    if (kind === "delivered") results.taken.add(visitor.id);
    if (kind === "gone") results.gone.add(visitor.id);
  };
  await Promise.all(untried.map((visitor) => limit(() => tryOne(visitor))));
  const answered = [...results.taken, ...results.gone];
  const apply = (shard: VisitorShard): VisitorShard => applyTrials(shard, results);
  for (const number of new Set(answered.map(visitorShardOf)))
    await editVisitorShard(deps.stateStore, number, apply, (ms) => delay(ms));
  if (results.gone.size > 0) deps.onGone(results.gone.size);
  return answered.length;
}

/** Begins work that is not running already, and waits for it. The same failure of a store is told once. */
export function oneAtATime(work: () => Promise<void>, warn: (sentence: string) => void) {
  const attempt = tolerate(work, isStateFailure, warn);
  let running: Promise<void> | undefined;
  return {
    start: (): void => {
      running ??= attempt().finally(() => {
        running = undefined;
      });
    },
    settle: async (): Promise<void> => running,
  };
}
