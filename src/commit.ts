import { createHash } from "node:crypto";
import type { Emit } from "./model/event.ts";
import { MARKS_KEPT, type Publication } from "./model/publication.ts";
import type { Document } from "./model/snapshot.ts";
import type { State } from "./model/state.ts";
import { type ETag, type ObjectStore, StoreError } from "./model/store.ts";
import { HOUR_MS, MINUTE_MS } from "./model/time.ts";
import { planObjects } from "./publish/plan.ts";
import { publish, type PublishResult } from "./publish/publish.ts";
import { loadState, saveState, STATE_KEY } from "./state.ts";

/** A writer stops publishing this long after it won its generation, so that a late one cannot go on unseen for ever. */
const PUBLISH_BUDGET_MS = MINUTE_MS;

/** Every object of a store that others might touch is looked at this often. */
const AUDIT_EVERY_MS = HOUR_MS;

/** Losing so often in a row means that something is wrong, not that the others are quick. */
const TRIES = 30;

/** Generations that one commit publishes at most: its own, and those that make good what it wrote over. */
const GENERATIONS = 5;
const FIRST_BACKOFF_MS = 10;
const LONGEST_BACKOFF_MS = 500;

export interface CommitDependencies {
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
  readonly emit: Emit;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** A new unguessable mark for each commit. */
  readonly newMark: () => string;
  readonly maxRemovalShare: number;
  /** Looking costs next to nothing (a directory), so every object is looked at each time. */
  readonly isLookingCheap: boolean;
}

/** What a commit makes of a state: the next one, and the documents that follow from it. */
export interface Advance {
  readonly state: State;
  /** Details first, the list last. */
  readonly documents: readonly Document[];
  readonly nowMs: number;
}

/**
 * Advances the state by one generation and publishes it. Exactly one writer wins each generation; one that loses computes
 * anew from the winner's state, and one that is overtaken while it publishes makes good what it may have written over, in a
 * generation of its own. The argument is in docs/publishing.md. Throws `StateError` and `StoreError`.
 *
 * @param advance the first advance, from the newest state.
 * @param repair the documents as they should be now, from a state that others have advanced since.
 */
export async function commit(
  deps: CommitDependencies,
  advance: (state: State) => Advance,
  repair: (state: State) => Advance,
): Promise<PublishResult> {
  let touched: ReadonlySet<string> = new Set();
  let compute = advance;
  for (let times = 1; times <= GENERATIONS; times += 1) {
    const won = await winGeneration(deps, compute, touched);
    if (won === "overtaken") return NOTHING_DONE;
    const result = await publishGeneration(deps, won);
    touched = new Set([...touched, ...result.touched]);
    if (!result.isOvertaken && (await confirm(deps, won, result))) return result;
    if (touched.size === 0) return result;
    compute = repair;
  }
  throw busy(deps.stateStore);
}

/** The winner of a later generation, which is built on ours, publishes what there is to publish. */
const NOTHING_DONE: PublishResult = {
  objects: new Map(),
  written: 0,
  unchanged: 0,
  removed: 0,
  heldBack: 0,
  isOvertaken: true,
  touched: new Set(),
};

/** A generation that is ours: to be published, unless others have advanced the state already. */
interface Won extends Advance {
  readonly etag: ETag;
  readonly isAudit: boolean;
  readonly startedMs: number;
}

async function winGeneration(
  deps: CommitDependencies,
  compute: (state: State) => Advance,
  touched: ReadonlySet<string>,
): Promise<Won | "overtaken"> {
  const mark = deps.newMark();
  let tried: (Advance & { readonly isAudit: boolean }) | undefined;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const loaded = await loadState(deps.stateStore, deps.emit);
    const { publication } = loaded.state;
    if (tried !== undefined && publication.marks.includes(mark)) {
      // The write whose answer was lost, or that seemed to lose, was ours after all.
      const isNewest = publication.marks.at(-1) === mark && loaded.etag !== undefined;
      return isNewest
        ? { ...tried, state: loaded.state, etag: loaded.etag, startedMs: deps.now() }
        : "overtaken";
    }
    const next = compute(loaded.state);
    const isAudit = deps.isLookingCheap || next.nowMs - publication.auditedAtMs >= AUDIT_EVERY_MS;
    tried = { ...next, state: advanceState(next, publication, mark, touched, isAudit), isAudit };
    const etag = await trySave(deps.stateStore, tried.state, loaded.etag);
    if (etag !== undefined) return { ...tried, etag, startedMs: deps.now() };
    await deps.pause(deps.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt));
  }
  throw busy(deps.stateStore);
}

function advanceState(
  { state, documents, nowMs }: Advance,
  previous: Publication,
  mark: string,
  touched: ReadonlySet<string>,
  isAudit: boolean,
): State {
  const digests = new Map(
    documents.map(({ key, body }) => [key, createHash("sha256").update(body).digest("hex")]),
  );
  const publication: Publication = {
    generation: previous.generation + 1,
    marks: [...previous.marks, mark].slice(-MARKS_KEPT),
    objects: planObjects(previous.objects, digests, touched, nowMs),
    auditedAtMs: isAudit ? nowMs : previous.auditedAtMs,
  };
  return { ...state, publication };
}

/** The tag of the new state; undefined when the write lost, or nobody knows. */
async function trySave(
  store: ObjectStore,
  state: State,
  etag: ETag | undefined,
): Promise<ETag | undefined> {
  try {
    const result = await saveState(store, state, etag);
    return result.kind === "written" ? result.etag : undefined;
  } catch (error) {
    if (error instanceof StoreError && error.isUnknown) return undefined;
    throw error;
  }
}

function publishGeneration(deps: CommitDependencies, won: Won): Promise<PublishResult> {
  const { generation, objects } = won.state.publication;
  return publish(
    {
      store: deps.publicStore,
      sleep: deps.pause,
      random: deps.random,
      isOutOfTime: () => deps.now() - won.startedMs > PUBLISH_BUDGET_MS,
      isOvertaken: async () => {
        const { state } = await loadState(deps.stateStore, () => undefined);
        return state.publication.generation > generation;
      },
    },
    {
      documents: won.documents,
      objects,
      isAudit: won.isAudit,
      nowMs: won.nowMs,
      maxRemovalShare: deps.maxRemovalShare,
    },
  );
}

/** Records what was published. False when another writer has advanced the state meanwhile. */
async function confirm(
  deps: CommitDependencies,
  won: Won,
  result: PublishResult,
): Promise<boolean> {
  const publication = { ...won.state.publication, objects: result.objects };
  const state = { ...won.state, publication };
  const mark = publication.marks.at(-1);
  let { etag } = won;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if ((await trySave(deps.stateStore, state, etag)) !== undefined) return true;
    const loaded = await loadState(deps.stateStore, () => undefined);
    if (loaded.state.publication.marks.at(-1) !== mark || loaded.etag === undefined) return false;
    // Only we write under this mark: a state that is no longer the one we won with is the one we confirmed.
    if (loaded.etag !== etag) return true;
    etag = loaded.etag;
    await deps.pause(deps.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt));
  }
  throw busy(deps.stateStore);
}

function busy(store: ObjectStore): StoreError {
  return new StoreError(
    "write",
    STATE_KEY,
    `${store.name}: the state could not be advanced in ${TRIES} tries. Are too many programs writing there, or does the store fail? Run doctor.`,
  );
}
