import pLimit from "p-limit";
import { MAX_AUDITED_BADGES } from "./badges.ts";
import { isMassRemoval, taskFor } from "./plan.ts";
import {
  countUnpublished,
  Publishing,
  type PublishDependencies,
  type PublishPlan,
  type PublishResult,
} from "./publishing.ts";

/** Enough to hide the latency of a store far away, few enough to be no burden to it. */
const CONCURRENCY = 16;

/**
 * Brings the public store to a generation: all documents but the last at once, then the last one (the list, which names the
 * others), then the removals, then the badges of monitors as far as the time goes. The first failure stops what has not begun,
 * waits for what has, and is thrown (`StoreError`).
 */
export async function publish(
  deps: PublishDependencies,
  plan: PublishPlan,
): Promise<PublishResult> {
  const work = new Publishing(deps, plan);
  await forEachBounded(plan.documents.slice(0, -1), (document) => work.put(document));
  await forEachBounded(plan.documents.slice(-1), (document) => work.put(document));
  const obsolete = [...plan.objects].filter(([, { digest }]) => digest === null);
  const isHeldBack = isMassRemoval(plan.objects, plan.maxRemovalShare);
  if (!isHeldBack) await forEachBounded(obsolete, ([key, object]) => work.remove(key, object));
  // Monitors must not delay the next run over the services: what is left of their badges waits for that.
  const { isOutOfTime } = work;
  const heldBackBadges = await publishBadges(work, plan);
  return {
    ...work.result(isHeldBack ? countUnpublished(obsolete) : 0, heldBackBadges),
    isOutOfTime,
  };
}

/** What is to go goes first: somebody may have switched a page off. Returns how many removals were held back. */
async function publishBadges(work: Publishing, plan: PublishPlan): Promise<number> {
  const isAudit = plan.isAudit && plan.badges.size <= MAX_AUDITED_BADGES;
  const busy = [...plan.badges].flatMap(([id, badge]) => {
    const task = taskFor(badge, isAudit, plan.nowMs);
    return task === "none" ? [] : [{ id, badge, task }];
  });
  const obsolete = busy.filter(({ badge }) => badge.digest === null);
  const isHeldBack = isMassRemoval(plan.badges, plan.maxRemovalShare);
  if (!isHeldBack) {
    await forEachBounded(obsolete, ({ id, badge, task }) => work.removeBadges(id, badge, task));
  }
  const wanted = busy.filter(({ badge }) => badge.digest !== null);
  await forEachBounded(wanted, ({ id, badge, task }) => work.putBadges(id, badge, task));
  return isHeldBack ? countUnpublished(obsolete.map(({ id, badge }) => [id, badge])) : 0;
}

async function forEachBounded<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(CONCURRENCY);
  let hasFailed = false;
  const tasks = items.map((item) =>
    limit(async () => {
      if (hasFailed) return;
      try {
        await act(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }),
  );
  // A write that went on after the failure was reported could surprise the next publish.
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
}
