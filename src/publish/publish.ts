import pLimit from "p-limit";
import type { PublishedObject } from "../model/publication.ts";
import { isAuditTurn, type WantedGroups } from "./groups.ts";
import { isMassRemoval, isTooMany, type Task, taskFor } from "./plan.ts";
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
 * Brings the public store to a generation: all documents but the last at once, then the last one (the list, which names the others),
 * then the website step by step, then the removals, then the groups as far as the time goes. The first failure stops what has not
 * begun, waits for what has, and is thrown (`StoreError`).
 */
export async function publish(
  deps: PublishDependencies,
  plan: PublishPlan,
): Promise<PublishResult> {
  const work = new Publishing(deps, plan);
  await forEachBounded(plan.documents.slice(0, -1), (document) => work.put(document));
  await forEachBounded(plan.documents.slice(-1), (document) => work.put(document));
  for (const step of plan.site) await forEachBounded(step, (document) => work.put(document));
  const heldBack = await removeObsolete(work, plan);
  // Monitors and pictures must not delay the next run over the services: what is left of them waits for that.
  const { isOutOfTime } = work;
  const heldBackGroups = await publishGroups(work, plan);
  return { ...work.result(heldBack, heldBackGroups), isOutOfTime };
}

/** Returns how many removals were held back. */
async function removeObsolete(work: Publishing, plan: PublishPlan): Promise<number> {
  const obsolete = new Map([...plan.objects].filter(([, { digest }]) => digest === null));
  if (isMassRemoval(plan.objects, plan.maxRemovalShare)) return countUnpublished(obsolete);
  await forEachBounded([...obsolete], ([key, object]) => work.remove(key, object));
  return 0;
}

/** What is to go goes first: somebody may have switched a page off. Returns how many removals were held back. */
async function publishGroups(work: Publishing, plan: PublishPlan): Promise<number> {
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

/** A group with which there is something to be done. */
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

/** Removals that look like a mistake, because there are so many that nobody asked for. */
function findDoubtful(
  obsolete: readonly DueGroup[],
  { groups, wantedGroups, maxRemovalShare }: PublishPlan,
): readonly DueGroup[] {
  const doubtful = obsolete.filter(
    ({ id, group }) => !group.isPublished && !wantedGroups.isDeliberate(id),
  );
  return isTooMany(doubtful.length, groups.size, maxRemovalShare) ? doubtful : [];
}

/** Pictures come last, and of these the ones that an audit looks at, lest there never be time for those that are missing. */
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
