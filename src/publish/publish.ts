import pLimit from "p-limit";
import { isAuditTurn } from "./badges.ts";
import { isMassRemoval, isTooMany, taskFor } from "./plan.ts";
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
 * others), then the website step by step, then the removals, then the badges of monitors as far as the time goes. The first failure stops what has not begun,
 * waits for what has, and is thrown (`StoreError`).
 */
export async function publish(
  deps: PublishDependencies,
  plan: PublishPlan,
): Promise<PublishResult> {
  const work = new Publishing(deps, plan);
  await forEachBounded(plan.documents.slice(0, -1), (document) => work.put(document));
  await forEachBounded(plan.documents.slice(-1), (document) => work.put(document));
  for (const step of plan.site) await forEachBounded(step, (document) => work.put(document));
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
  const { badges, wantedBadges, isAudit, auditsAll, generation, nowMs } = plan;
  const { isPicture = () => false } = wantedBadges;
  const busy = [...badges].flatMap(([id, badge]) => {
    const isLooked = auditsAll || (isAudit && isAuditTurn(id, generation, badges.size));
    const task = taskFor(badge, isLooked, nowMs);
    return task === "none" ? [] : [{ id, badge, task }];
  });
  const obsolete = busy.filter(({ badge }) => badge.digest === null);
  const doubtful = obsolete.filter(
    ({ id, badge }) => !badge.isPublished && !wantedBadges.isDeliberate(id),
  );
  const isHeldBack = isTooMany(doubtful.length, badges.size, plan.maxRemovalShare);
  const held = new Set(isHeldBack ? doubtful.map(({ id }) => id) : []);
  await forEachBounded(
    obsolete.filter(({ id }) => !held.has(id)),
    ({ id, badge, task }) => work.removeBadges(id, badge, task),
  );
  // Pictures come last, and of these the ones that an audit looks at, lest there never be time for those that are missing.
  const rankOf = ({ id, badge }: (typeof busy)[number]): number =>
    isPicture(id) ? 1 + Number(badge.isPublished) : 0;
  const wanted = busy
    .filter(({ badge }) => badge.digest !== null)
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  const [named, others] = [true, false].map((isNamed) =>
    wanted.filter(({ id }) => wantedBadges.named.has(id) === isNamed),
  );
  await forEachBounded([...(named ?? []), ...(others ?? [])], ({ id, badge }) =>
    work.putBadges(id, badge),
  );
  return held.size;
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
