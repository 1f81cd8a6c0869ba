import pLimit from "p-limit";
import {
  ANY_VERSION,
  OUTDATED,
  type Publication,
  type PublishedObject,
} from "../model/publication.ts";
import type { Document, Site } from "../model/service/snapshot.ts";
import { type ETag, STORE_CONCURRENCY } from "../model/store.ts";
import type { CommitDependencies, TouchedObjects, Won } from "./generation.ts";
import { isAuditTurn, ownerOf, type WantedGroups } from "./object-groups.ts";
import { ObjectWriter, type ObjectWriterDependencies, type RemovalEnd } from "./object-writer.ts";
import { isTooMany, SUSPICION_MS, type Task, taskFor } from "./plan-objects.ts";

export interface PublishDependencies extends ObjectWriterDependencies {
  /** Whether the remaining groups have to wait for the next publish. */
  readonly isOutOfGroupTime: () => boolean;
  /** The same for pictures. The first call starts their time. */
  readonly isOutOfPictureTime: () => boolean;
}

export interface PublishPlan
  extends
    Pick<Publication, "objects" | "groups" | "generation">,
    Pick<Won, "documents" | "isAudit" | "nowMs">,
    Pick<CommitDependencies, "maxRemovalShare"> {
  /** Empty when it must not change. */
  readonly site: Site;
  readonly wantedGroups: WantedGroups;
  /** The audit checks all groups, not only those whose turn it is. */
  readonly auditsAll: boolean;
}

export type PublishResult = Awaited<ReturnType<typeof publish>>;

/**
 * Publishes a generation: all documents but the last concurrently, then the last (the list, which names the others), then the
 * website step by step, then the removals, then the groups until their time runs out. The first failure stops operations that have
 * not begun, waits for those that have, and is thrown (`StoreError`).
 */
export function publish(deps: PublishDependencies, plan: PublishPlan) {
  return new PublishSession(deps, plan).run();
}

function findDue({ groups, isAudit, auditsAll, generation, nowMs }: PublishPlan) {
  return [...groups].flatMap(([id, group]) => {
    const isLooked = auditsAll || (isAudit && isAuditTurn(id, generation, groups.size));
    const task = taskFor(group, isLooked, nowMs);
    return task === "none" ? [] : [{ id, group, task }];
  });
}

type DueGroup = ReturnType<typeof findDue>[number];

/** Removals that no operator asked for, if they are so many that it may be a mistake. All groups of one monitor are one removal. */
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
function inOrder(groups: readonly DueGroup[], { named, isPicture }: WantedGroups) {
  const rankOf = ({ id, group: { isPublished } }: DueGroup): number =>
    (named.has(id) ? 0 : 3) + (isPicture(id) ? 1 + Number(isPublished) : 0);
  return groups.toSorted((a, b) => rankOf(a) - rankOf(b));
}

async function forEachBounded<T>(items: readonly T[], act: (item: T) => Promise<void>) {
  const failures: unknown[] = [];
  await pLimit(STORE_CONCURRENCY).map(items, async (item) => {
    if (failures.length > 0) return;
    // A write that continued after the failure was reported could interfere with the next publish.
    await act(item).catch((error: unknown) => failures.push(error));
  });
  if (failures.length > 0) throw failures[0];
}

/** One publish: every write and removal of a generation, and their results. */
class PublishSession {
  readonly #deps: PublishDependencies;
  readonly #plan: PublishPlan;
  readonly #writer: ObjectWriter;
  readonly #objects: Map<string, PublishedObject>;
  readonly #groups: Map<string, PublishedObject>;
  readonly #touched = { objects: new Set<string>(), groups: new Set<string>() };
  #postponedGroups = 0;

  constructor(deps: PublishDependencies, plan: PublishPlan) {
    this.#deps = deps;
    this.#plan = plan;
    this.#writer = new ObjectWriter(deps);
    this.#objects = new Map(plan.objects);
    this.#groups = new Map(plan.groups);
  }

  async run() {
    const put = (document: Document): Promise<void> => this.#put(document);
    await forEachBounded(this.#plan.documents.slice(0, -1), put);
    await forEachBounded(this.#plan.documents.slice(-1), put);
    for (const step of this.#plan.site) await forEachBounded(step, put);
    const withheldRemovals = await this.#removeObsolete();
    // Groups that run out of time wait for the next run: monitors and pictures must not delay the services.
    const { isOutOfTime } = this.#writer;
    const withheldGroups = await this.#publishGroups();
    const { written, removed, isOvertaken } = this.#writer;
    const waiting = this.#postponedGroups + countUnpublished(this.#groups);
    const touched: TouchedObjects = this.#touched;
    return {
      objects: this.#objects,
      groups: this.#groups,
      written,
      unchanged: this.#countWanted() - written,
      removed,
      /** Removals that were not done because there were too many at once. */
      withheldRemovals: withheldRemovals + withheldGroups,
      /** Another writer was faster, and publishes the rest. */
      isOvertaken,
      /** The time ran out before every document was published. */
      isOutOfTime,
      /** Groups that wait for the next publish, because the time ran out. */
      postponedGroups: isOvertaken ? 0 : waiting - withheldGroups,
      touched,
    };
  }

  /** Returns how many removals were withheld. */
  async #removeObsolete(): Promise<number> {
    const { objects, maxRemovalShare } = this.#plan;
    const obsolete = new Map([...objects].filter(([, { digest }]) => digest === null));
    const pending = countUnpublished(obsolete);
    if (isTooMany(pending, objects.size, maxRemovalShare)) return pending;
    await forEachBounded([...obsolete], ([key, object]) => this.#remove(key, object));
    return 0;
  }

  /** Removals come first: an owner may have made a page private. Returns how many removals were withheld. */
  async #publishGroups(): Promise<number> {
    const due = findDue(this.#plan);
    const obsolete = due.filter(({ group }) => group.digest === null);
    const held = new Set(findDoubtful(obsolete, this.#plan));
    const removed = obsolete.filter((one) => !held.has(one));
    await forEachBounded(removed, (one) => this.#removeGroup(one));
    const wanted = due.filter(({ group }) => group.digest !== null);
    const ordered = inOrder(wanted, this.#plan.wantedGroups);
    await forEachBounded(ordered, (one) => this.#putGroup(one));
    return held.size;
  }

  #countWanted(): number {
    const { documents, site, groups, wantedGroups } = this.#plan;
    let count = documents.length + site.flat().length;
    for (const [id, { digest }] of groups) {
      if (digest !== null) count += wantedGroups.keysOf(id).length;
    }
    return count;
  }

  async #put(document: Document): Promise<void> {
    const { key } = document;
    const object = this.#plan.objects.get(key);
    if (object === undefined) throw new RangeError(`${key} is not in the plan`);
    const task = taskFor(object, this.#plan.isAudit, this.#plan.nowMs);
    if (task === "none") return;
    const touch = (): void => void this.#touched.objects.add(key);
    const etag = await this.#putBy(task, document, object, touch);
    if (etag !== undefined) this.#objects.set(key, { ...object, etag, isPublished: true });
  }

  #putBy(
    task: Task,
    document: Document,
    { etag, isPublished, suspectUntilMs }: PublishedObject,
    touch: () => void,
  ): Promise<ETag | undefined> {
    if (task === "write") return this.#writer.write(document, etag, touch);
    if (isPublished) return this.#writer.verify(document, etag, touch);
    const isNew = etag === null && suspectUntilMs === 0;
    return isNew ? this.#writer.create(document, touch) : this.#writer.compare(document, touch);
  }

  /** A changed object is compared with the store first, because the state keeps no tags of groups. */
  async #putGroup({ id, group }: DueGroup): Promise<void> {
    if (this.#mustWait(id)) return this.#postpone(id, group);
    if (await this.#isSettled(id, group)) return;
    const touch = (): void => void this.#touched.groups.add(id);
    const documents = await this.#plan.wantedGroups.build(id);
    // It can no longer be drawn: its objects stay as they are.
    if (documents.length === 0) return;
    // An object that should be absent needs no check, not even in an audit: the conditional write is one.
    const isNew = group.etag === null && group.suspectUntilMs <= this.#plan.nowMs;
    for (const document of documents) {
      const etag = isNew
        ? await this.#writer.write(document, null, touch)
        : await this.#writer.compare(document, touch);
      if (etag === undefined) return;
    }
    this.#groups.set(id, { ...group, etag: ANY_VERSION, isPublished: true });
  }

  /** Nothing was attempted: as an unconfirmed write, a picture would be drawn and read in every run until `SUSPICION_MS` later. */
  #postpone(id: string, group: PublishedObject): void {
    if (group.isPublished) return;
    this.#postponedGroups += 1;
    this.#groups.set(id, { ...group, digest: OUTDATED, isPublished: true });
  }

  #mustWait(id: string): boolean {
    const { named, isPicture } = this.#plan.wantedGroups;
    if (named.has(id)) return false;
    return this.#deps.isOutOfGroupTime() || (isPicture(id) && this.#deps.isOutOfPictureTime());
  }

  /**
   * Whether this is a confirmed group that exists, that no earlier writer can be writing, and whose bytes say nothing: to draw a picture
   * is slow, and evidence has the time of the last check. An audit of everything compares them nevertheless.
   */
  async #isSettled(id: string, { isPublished, suspectUntilMs }: PublishedObject): Promise<boolean> {
    const { wantedGroups, nowMs, auditsAll } = this.#plan;
    if (!wantedGroups.isOnlyLookedFor(id) || !isPublished || suspectUntilMs > nowMs || auditsAll)
      return false;
    const { store } = this.#deps;
    const exist = await Promise.all(wantedGroups.keysOf(id).map((key) => store.has(key)));
    return exist.every(Boolean);
  }

  async #remove(key: string, object: PublishedObject): Promise<void> {
    const task = taskFor(object, this.#plan.isAudit, this.#plan.nowMs);
    if (task === "none") return;
    const touch = (): void => void this.#touched.objects.add(key);
    const end = await this.#writer.remove(key, task === "check", touch);
    if (end !== "stopped") this.#objects.set(key, this.#removedObject(object, end));
  }

  async #removeGroup({ id, group, task }: DueGroup): Promise<void> {
    const touch = (): void => void this.#touched.groups.add(id);
    const ends = new Set<RemovalEnd>();
    for (const key of this.#plan.wantedGroups.keysOf(id))
      ends.add(await this.#writer.remove(key, task === "check", touch));
    if (ends.has("stopped")) return;
    this.#groups.set(id, this.#removedObject(group, ends.has("removed") ? "removed" : "absent"));
  }

  /** Another writer could still write it again, and a late removal could remove the next object under the key. */
  #removedObject(object: PublishedObject, end: RemovalEnd): PublishedObject {
    const suspectUntilMs =
      end === "removed" ? this.#plan.nowMs + SUSPICION_MS : object.suspectUntilMs;
    return { ...object, etag: null, isPublished: true, suspectUntilMs };
  }
}

function countUnpublished(objects: ReadonlyMap<string, PublishedObject>): number {
  return [...objects.values()].filter(({ isPublished }) => !isPublished).length;
}
