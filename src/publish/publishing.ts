import { ANY_VERSION, type PublishedObject } from "../model/publication.ts";
import type { Document, Site } from "../model/snapshot.ts";
import {
  type ETag,
  type ObjectStore,
  type Precondition,
  StoreError,
  type WriteResult,
} from "../model/store.ts";
import type { WantedBadges } from "./badges.ts";
import { SUSPICION_MS, type Task, taskFor } from "./plan.ts";

/** Looks at one object before giving up: each time, somebody else has changed it in between. */
const TRIES = 8;

const FIRST_BACKOFF_MS = 20;

export interface PublishDependencies {
  readonly store: ObjectStore;
  /** Whether another writer has advanced the state since. Asked only when a write met something unexpected. */
  readonly isOvertaken: () => Promise<boolean>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Whether this writer has been at it for so long that it must stop, lest it write over a newer generation unseen. */
  readonly isOutOfTime: () => boolean;
  /** Whether what is left of the badges has to wait for the next publish. */
  readonly isOutOfBadgeTime: () => boolean;
  /** The same for pictures, asked first when the first of them is due. */
  readonly isOutOfPictureTime: () => boolean;
}

export interface PublishPlan {
  /** Details first, the list last. */
  readonly documents: readonly Document[];
  /** Empty when it is not to be touched. */
  readonly site: Site;
  readonly objects: ReadonlyMap<string, PublishedObject>;
  /** The plan for the badges of each monitor, by id. */
  readonly badges: ReadonlyMap<string, PublishedObject>;
  readonly wantedBadges: WantedBadges;
  readonly isAudit: boolean;
  /** The audit is of all badges, and not of those whose turn it is. */
  readonly auditsAll: boolean;
  readonly generation: number;
  readonly nowMs: number;
  /** Largest share of the objects that may be removed at once, 0–1; 1 removes whatever is asked for. */
  readonly maxRemovalShare: number;
}

export interface PublishResult {
  /** What is known of the objects now. */
  readonly objects: ReadonlyMap<string, PublishedObject>;
  readonly badges: ReadonlyMap<string, PublishedObject>;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Removals that were held back because there were too many at once. */
  readonly heldBack: number;
  /** Another writer was faster: what is not done here is its business now. */
  readonly isOvertaken: boolean;
  /** The time was up before every document was done. */
  readonly isOutOfTime: boolean;
  /** Monitors whose badges wait for the next publish, because the time was up. */
  readonly postponedBadges: number;
  /** Keys that were written, or may have been. */
  readonly touched: ReadonlySet<string>;
  /** Monitors of whose badges that holds. */
  readonly touchedBadges: ReadonlySet<string>;
}

/** One publish under way: every write and removal of a generation, and what came of each. */
export class Publishing {
  readonly #deps: PublishDependencies;
  readonly #plan: PublishPlan;
  readonly #objects: Map<string, PublishedObject>;
  readonly #badges: Map<string, PublishedObject>;
  readonly #touched = new Set<string>();
  readonly #touchedBadges = new Set<string>();
  #written = 0;
  #removed = 0;
  #isOvertaken = false;
  #isOutOfTime = false;

  constructor(deps: PublishDependencies, plan: PublishPlan) {
    this.#deps = deps;
    this.#plan = plan;
    this.#objects = new Map(plan.objects);
    this.#badges = new Map(plan.badges);
  }

  get isOutOfTime(): boolean {
    return this.#isOutOfTime;
  }

  result(heldBack: number, heldBackBadges: number): Omit<PublishResult, "isOutOfTime"> {
    const { documents, site, badges, wantedBadges } = this.#plan;
    const wanted = [...badges].filter(([, { digest }]) => digest !== null);
    const objects = wanted.reduce(
      (sum, [id]) => sum + wantedBadges.keysOf(id).length,
      documents.length + site.flat().length,
    );
    return {
      objects: this.#objects,
      badges: this.#badges,
      written: this.#written,
      unchanged: objects - this.#written,
      removed: this.#removed,
      heldBack: heldBack + heldBackBadges,
      isOvertaken: this.#isOvertaken,
      postponedBadges: this.#isOvertaken ? 0 : countUnpublished(this.#badges) - heldBackBadges,
      touched: this.#touched,
      touchedBadges: this.#touchedBadges,
    };
  }

  async put(document: Document): Promise<void> {
    const object = this.#plan.objects.get(document.key);
    if (object === undefined) throw new RangeError(`${document.key} is not in the plan`);
    const task = taskFor(object, this.#plan.isAudit, this.#plan.nowMs);
    if (task === "none") return;
    const touch = (): void => void this.#touched.add(document.key);
    const etag =
      task === "write"
        ? await this.#write(document, object.etag, false, touch)
        : object.isPublished
          ? await this.#verify(document, object, touch)
          : await this.#compare(document, touch);
    if (etag !== undefined) this.#objects.set(document.key, { ...object, etag, isPublished: true });
  }

  /** All objects of one monitor; a changed one is looked at first, for nobody remembers the tag of what it replaces. */
  async putBadges(id: string, badge: PublishedObject): Promise<void> {
    const { named, build, isPicture = () => false } = this.#plan.wantedBadges;
    if (this.#deps.isOutOfBadgeTime() && !named.has(id)) return;
    if (isPicture(id) && !named.has(id) && this.#deps.isOutOfPictureTime()) return;
    if (isPicture(id) && (await this.#isSettled(id, badge))) return;
    const touch = (): void => void this.#touchedBadges.add(id);
    const documents = await build(id);
    // Nobody can draw it any more: what is there is neither right nor wrong.
    if (documents.length === 0) return;
    for (const document of documents) {
      // An absent object needs no look, not even in an audit: the write itself finds out.
      const isNew = badge.etag === null && badge.suspectUntilMs <= this.#plan.nowMs;
      const etag = isNew
        ? await this.#write(document, null, false, touch)
        : await this.#compare(document, touch);
      if (etag === undefined) return;
    }
    this.#badges.set(id, { ...badge, etag: ANY_VERSION, isPublished: true });
  }

  /**
   * Whether a picture was confirmed, no earlier writer can be at work on it, and it is still there. To see whether it is the very
   * one, it would have to be drawn: an audit of everything does that, one that comes with each run in a directory must not.
   */
  async #isSettled(id: string, { isPublished, suspectUntilMs }: PublishedObject): Promise<boolean> {
    if (!isPublished || suspectUntilMs > this.#plan.nowMs || this.#plan.auditsAll) return false;
    const keys = this.#plan.wantedBadges.keysOf(id);
    const tags = await Promise.all(keys.map((key) => this.#deps.store.find(key)));
    return tags.every((tag) => tag !== undefined);
  }

  /** The tag that the object has now; undefined when this writer must stop. */
  async #verify(
    document: Document,
    object: PublishedObject,
    touch: () => void,
  ): Promise<ETag | undefined> {
    // The tag tells whether the object is still the one that was confirmed.
    const held = await this.#deps.store.find(document.key);
    if (held !== undefined && held === object.etag) return held;
    return this.#write(document, held ?? null, true, touch);
  }

  /** Nothing is confirmed, but the right bytes may be there already: a crash, or a state that was lost. */
  async #compare(document: Document, touch: () => void): Promise<ETag | undefined> {
    const held = await this.#deps.store.read(document.key);
    if (held !== undefined && Buffer.compare(held.body, document.body) === 0) return held.etag;
    return this.#write(document, held?.etag ?? null, true, touch);
  }

  async remove(key: string, object: PublishedObject): Promise<void> {
    const task = taskFor(object, this.#plan.isAudit, this.#plan.nowMs);
    if (task === "none") return;
    const end = await this.#removeOne(key, task, () => this.#touched.add(key));
    if (end !== "stopped") this.#objects.set(key, this.#removedObject(object, end));
  }

  async removeBadges(id: string, badge: PublishedObject, task: Task): Promise<void> {
    const ends = new Set<RemovalEnd>();
    for (const key of this.#plan.wantedBadges.keysOf(id)) {
      ends.add(await this.#removeOne(key, task, () => this.#touchedBadges.add(id)));
    }
    if (ends.has("stopped")) return;
    this.#badges.set(id, this.#removedObject(badge, ends.has("removed") ? "removed" : "absent"));
  }

  /** A writer still at work could bring it back, and a removal that lingers could take away what comes next there. */
  #removedObject(object: PublishedObject, end: RemovalEnd): PublishedObject {
    const suspectUntilMs =
      end === "removed" ? this.#plan.nowMs + SUSPICION_MS : object.suspectUntilMs;
    return { ...object, etag: null, isPublished: true, suspectUntilMs };
  }

  async #removeOne(key: string, task: Task, touch: () => void): Promise<RemovalEnd> {
    if (this.#mustStop()) return "stopped";
    if (task === "look" && (await this.#deps.store.find(key)) === undefined) return "absent";
    // A removal has no precondition: what a newer generation may have put there again must not go.
    if (await this.#deps.isOvertaken()) {
      this.#isOvertaken = true;
      return "stopped";
    }
    touch();
    await this.#deps.store.remove(key);
    this.#removed += 1;
    return "removed";
  }

  /**
   * Writes over the version of a tag (null: over nothing), and if that is no longer there, over what a look finds.
   *
   * @param isLookedUp the tag is what the store was just found to hold, and not what the state remembers. It may then be that of
   * a newer generation: the state is asked after the look, so that whatever is published later makes the write fail.
   * @returns the tag of what was written; undefined when this writer must stop.
   */
  async #write(
    document: Document,
    etag: ETag | null,
    isLookedUp: boolean,
    touch: () => void,
  ): Promise<ETag | undefined> {
    let expected = etag;
    let mustAsk = isLookedUp;
    let failure: StoreError | undefined;
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      if (this.#mustStop()) {
        // A store that never answers is no slow one: who waits for it must hear of it.
        if (this.#isOutOfTime && failure !== undefined) throw failure;
        return undefined;
      }
      if (mustAsk && (await this.#deps.isOvertaken())) {
        this.#isOvertaken = true;
        return undefined;
      }
      touch();
      const result = await this.#tryWrite(document, preconditionFor(expected));
      if (result.kind === "written") {
        this.#written += 1;
        return result.etag;
      }
      failure = result.kind === "unknown" ? result.error : undefined;
      if (failure !== undefined && attempt === TRIES) throw failure;
      // A conflict may be our own earlier try; a lost answer may hide a success. Only a look tells what is there now.
      await this.#deps.sleep(this.#deps.random() * FIRST_BACKOFF_MS * 2 ** attempt);
      expected = (await this.#deps.store.find(document.key)) ?? null;
      mustAsk = true;
    }
    throw new StoreError(
      "write",
      document.key,
      `${this.#deps.store.name}: ${document.key} was changed by others ${TRIES} times in a row. Is another program writing there?`,
    );
  }

  async #tryWrite(document: Document, expected: Precondition): Promise<Attempted> {
    const { key, body, contentType, cacheControl } = document;
    try {
      return await this.#deps.store.write(key, { body, contentType, cacheControl }, expected);
    } catch (error) {
      if (error instanceof StoreError && error.isUnknown) return { kind: "unknown", error };
      throw error;
    }
  }

  #mustStop(): boolean {
    if (this.#deps.isOutOfTime()) this.#isOutOfTime = true;
    return this.#isOvertaken || this.#isOutOfTime;
  }
}

/** How the removal of one object ended. */
type RemovalEnd = "removed" | "absent" | "stopped";

/** `unknown`: the answer was lost, the write may have been carried out. */
type Attempted = WriteResult | { readonly kind: "unknown"; readonly error: StoreError };

function preconditionFor(etag: ETag | null): Precondition {
  return etag === null ? { kind: "absent" } : { kind: "unchanged", etag };
}

/** How many of the objects are not known to be as they should. */
export function countUnpublished(objects: Iterable<readonly [string, PublishedObject]>): number {
  return [...objects].filter(([, { isPublished }]) => !isPublished).length;
}
