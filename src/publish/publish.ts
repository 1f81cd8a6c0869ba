import { STORE_CONCURRENCY } from "../model/store.ts";
import pLimit from "p-limit";
import type { PublishedObject } from "../model/publication.ts";
import { isAuditTurn, ownerOf, type WantedGroups } from "./object-groups.ts";
import { isMassRemoval, isTooMany, type Task, taskFor } from "./plan-objects.ts";
import {
  countUnpublished,
  PublishSession,
  type PublishDependencies,
  type PublishPlan,
  type PublishResult,
} from "./publish-session.ts";

/**
 * Publishes a generation: all documents but the last concurrently, then the last (the list, which names the others), then the
 * website step by step, then the removals, then the groups until their time runs out. The first failure stops operations that have
 * not begun, waits for those that have, and is thrown (`StoreError`).
 */
export async function publish(
  deps: PublishDependencies,
  plan: PublishPlan,
): Promise<PublishResult> {
  const work = new PublishSession(deps, plan);
  await forEachBounded(plan.documents.slice(0, -1), (document) => work.put(document));
  await forEachBounded(plan.documents.slice(-1), (document) => work.put(document));
  for (const step of plan.site) await forEachBounded(step, (document) => work.put(document));
  const withheldRemovals = await removeObsolete(work, plan);
  // Groups that run out of time wait for the next run: monitors and pictures must not delay the services.
  const { isOutOfTime } = work;
  const withheldGroups = await publishGroups(work, plan);
  return { ...work.result(withheldRemovals, withheldGroups), isOutOfTime };
}

/** Returns how many removals were withheld. */
async function removeObsolete(work: PublishSession, plan: PublishPlan): Promise<number> {
  const obsolete = new Map([...plan.objects].filter(([, { digest }]) => digest === null));
  if (isMassRemoval(plan.objects, plan.maxRemovalShare)) return countUnpublished(obsolete);
  await forEachBounded([...obsolete], ([key, object]) => work.remove(key, object));
  return 0;
}

/** Removals come first: an owner may have made a page private. Returns how many removals were withheld. */
async function publishGroups(work: PublishSession, plan: PublishPlan): Promise<number> {
  const due = findDue(plan);
  const obsolete = due.filter(({ group }) => group.digest === null);
  const held = new Set(findDoubtful(obsolete, plan));
  await forEachBounded(
    obsolete.filter((one) => !held.has(one)),
    ({ id, group, task }) => work.removeGroup(id, group, task),
  );
  const wanted = due.filter(({ group }) => group.digest !== null);
  await forEachBounded(inOrder(wanted, plan.wantedGroups), ({ id, group }) =>
    work.putGroup(id, group),
  );
  return held.size;
}

/** A group with a task. */
interface DueGroup {
  readonly id: string;
  readonly group: PublishedObject;
  readonly task: Task;
}

function findDue({ groups, isAudit, auditsAll, generation, nowMs }: PublishPlan) {
  return [...groups].flatMap(([id, group]): readonly DueGroup[] => {
    const isLooked = auditsAll || (isAudit && isAuditTurn(id, generation, groups.size));
    const task = taskFor(group, isLooked, nowMs);
    return task === "none" ? [] : [{ id, group, task }];
  });
}

/**
 * Removals that are probably a mistake, because there are many that no operator asked for. The groups of one monitor, such as its badges
 * and its page, are one removal.
 */
function findDoubtful(
  obsolete: readonly DueGroup[],
  { groups, wantedGroups, maxRemovalShare }: PublishPlan,
): readonly DueGroup[] {
  const doubtful = obsolete.filter(
    ({ id, group }) => !group.isPublished && !wantedGroups.isDeliberate(id),
  );
  const removals = new Set(doubtful.map(({ id }) => ownerOf(id))).size;
  const owners = new Set([...groups.keys()].map(ownerOf)).size;
  return isTooMany(removals, owners, maxRemovalShare) ? doubtful : [];
}

/** Pictures come last, and those that an audit only checks after the missing ones, which would otherwise never get time. */
function inOrder(
  groups: readonly DueGroup[],
  { named, isPicture }: WantedGroups,
): readonly DueGroup[] {
  const rankOf = ({ id, group: { isPublished } }: DueGroup): number =>
    (named.has(id) ? 0 : 3) + (isPicture(id) ? 1 + Number(isPublished) : 0);
  return groups.toSorted((a, b) => rankOf(a) - rankOf(b));
}

async function forEachBounded<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(STORE_CONCURRENCY);
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
  // A write that continued after the failure was reported could interfere with the next publish.
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
}
