import { createHash } from "node:crypto";
import type { Emit } from "./model/event.ts";
import { MARKS_KEPT, type Publication } from "./model/publication.ts";
import type { Document } from "./model/snapshot.ts";
import type { State } from "./model/state.ts";
import { type ETag, type ObjectStore, StoreError } from "./model/store.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "./model/time.ts";
import type { MonitorsState } from "./model/uptime.ts";
import type { WantedBadges } from "./publish/badges.ts";
import { planObjects } from "./publish/plan.ts";
import { publish } from "./publish/publish.ts";
import { shareNext } from "./publish/share-next.ts";
import type { PublishResult } from "./publish/publishing.ts";
import { loadState, type LoadedState, saveState, STATE_KEY } from "./state.ts";

/** A writer publishes no longer than this in one generation, so that a late one cannot go on unseen; then it wins another. */
const PUBLISH_BUDGET_MS = MINUTE_MS;

/** Badges get so much of it: a run that probed until its deadline must end before the next one begins. */
const BADGE_BUDGET_MS = 20 * SECOND_MS;

/** Every object of a store that others might touch is looked at this often. */
const AUDIT_EVERY_MS = HOUR_MS;

/** Losing so often in a row means that something is wrong, not that the others are quick. */
const TRIES = 30;
/** A store whose answers to writes are lost for so long does not answer at all. */
const PATIENCE_MS = MINUTE_MS;

/** Generations that one commit may take: more only when many writers overtake one another again and again. */
const GENERATIONS = 30;

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
  readonly mustLook: boolean;
  /** Somebody asked for a look at everything, however long it takes. */
  readonly auditsAll?: boolean;
}

/** What a commit makes of a state: the next one, and the documents that follow from it. */
export interface Advance {
  readonly state: State;
  /** Details first, the list last. */
  readonly documents: readonly Document[];
  readonly badges: WantedBadges;
  /**
   * Brings what lies beside the main state up to the generation that was won, after it was published; the value is what the
   * state says of it then. Must be repeatable: whoever comes next does it for a writer that died.
   */
  readonly settle: () => Promise<MonitorsState>;
  readonly nowMs: number;
}

/** Computes an advance. May read what lies beside the state; every other effect is `commit`'s. */
export type ComputeAdvance = (state: State) => Promise<Advance>;

/**
 * Advances the state by one generation and publishes it. Exactly one writer wins each generation; one that loses computes
 * anew from the winner's state, and one that is overtaken while it publishes makes good what it may have written over, in a
 * generation of its own. The argument is in docs/publishing.md. Throws `StateError` and `StoreError`.
 *
 * @param advance the first advance, from the newest state.
 * @param repair the documents as they should be now, from a state that others have advanced since.
 * @param known the state as it was read before. If others have advanced it since, the first try loses and reads it again.
 */
export async function commit(
  deps: CommitDependencies,
  advance: ComputeAdvance,
  repair: ComputeAdvance,
  known?: LoadedState,
): Promise<PublishResult> {
  let touched = NOTHING_TOUCHED;
  let compute = advance;
  let [written, removed] = [0, 0];
  for (let times = 1; times <= GENERATIONS; times += 1) {
    const won = await winGeneration(deps, compute, touched, times === 1 ? known : undefined);
    if (won === "overtaken") return { ...NOTHING_DONE, written, removed };
    const result = await publishGeneration(deps, won);
    written += result.written;
    removed += result.removed;
    touched = {
      objects: new Set([...touched.objects, ...result.touched]),
      badges: new Set([...touched.badges, ...result.touchedBadges]),
    };
    const isConfirmed = !result.isOvertaken && (await confirm(deps, won, result));
    // A generation that ran out of time has confirmed what it did: the next one goes on from there.
    if (isConfirmed) touched = NOTHING_TOUCHED;
    if (result.isOutOfTime && result.written === 0) throw tooSlow(deps.publicStore);
    if ((isConfirmed && !result.isOutOfTime) || (!isConfirmed && isNothing(touched))) {
      return { ...result, written, removed };
    }
    compute = repair;
    // Whoever overtook us is publishing: the repair can wait, and who comes at once would only overtake it in turn.
    await backOff(deps, times);
  }
  throw busy(deps.stateStore);
}

function backOff({ pause, random }: CommitDependencies, attempt: number): Promise<void> {
  return pause(random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt));
}

/** What this writer wrote in generations that it could not confirm: nobody knows whether it came too late. */
interface Touched {
  readonly objects: ReadonlySet<string>;
  readonly badges: ReadonlySet<string>;
}

const NOTHING_TOUCHED: Touched = { objects: new Set(), badges: new Set() };

function isNothing({ objects, badges }: Touched): boolean {
  return objects.size === 0 && badges.size === 0;
}

/** The winner of a later generation, which is built on ours, publishes what there is to publish. */
const NOTHING_DONE: PublishResult = {
  objects: new Map(),
  badges: new Map(),
  written: 0,
  unchanged: 0,
  removed: 0,
  heldBack: 0,
  isOvertaken: true,
  isOutOfTime: false,
  postponedBadges: 0,
  touched: new Set(),
  touchedBadges: new Set(),
};

/** A generation that is ours: to be published, unless others have advanced the state already. */
interface Won extends Advance {
  readonly etag: ETag;
  readonly isAudit: boolean;
  readonly startedMs: number;
}

async function winGeneration(
  deps: CommitDependencies,
  compute: ComputeAdvance,
  touched: Touched,
  before: LoadedState | undefined,
): Promise<Won | "overtaken"> {
  const mark = deps.newMark();
  const patience = createPatience(deps);
  let tried: (Advance & { readonly isAudit: boolean }) | undefined;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const isFirst = attempt === 1 && before !== undefined;
    const loaded = isFirst ? before : await loadState(deps.stateStore, deps.emit);
    const { publication } = loaded.state;
    if (tried !== undefined && publication.marks.includes(mark)) {
      // The write whose answer was lost, or that seemed to lose, was ours after all.
      const isNewest = publication.marks.at(-1) === mark && loaded.etag !== undefined;
      return isNewest
        ? { ...tried, state: loaded.state, etag: loaded.etag, startedMs: deps.now() }
        : "overtaken";
    }
    const next = await compute(loaded.state);
    const isAudit = deps.mustLook || next.nowMs - publication.auditedAtMs >= AUDIT_EVERY_MS;
    const known = knownOf(publication, deps.publicStore);
    tried = { ...next, state: advanceState(next, known, mark, touched, isAudit), isAudit };
    const etag = await trySave(deps.stateStore, tried.state, loaded.etag, patience);
    if (etag !== undefined) return { ...tried, etag, startedMs: deps.now() };
    await backOff(deps, attempt);
  }
  throw busy(deps.stateStore);
}

/** What is remembered of another store says nothing of this one. The name is empty in a state of an older version. */
function knownOf(publication: Publication, { identity }: ObjectStore): Publication {
  const isSame = publication.store === identity || publication.store === "";
  return isSame
    ? { ...publication, store: identity }
    : { ...publication, store: identity, objects: new Map(), badges: new Map() };
}

function advanceState(
  { state, documents, badges, nowMs }: Advance,
  previous: Publication,
  mark: string,
  touched: Touched,
  isAudit: boolean,
): State {
  const digests = new Map(
    documents.map(({ key, body }) => [key, createHash("sha256").update(body).digest("hex")]),
  );
  const publication: Publication = {
    generation: previous.generation + 1,
    marks: [...previous.marks, mark].slice(-MARKS_KEPT),
    store: previous.store,
    objects: planObjects(previous.objects, digests, touched.objects, nowMs),
    badges: planObjects(previous.badges, badges.signatures, touched.badges, nowMs),
    auditedAtMs: isAudit ? nowMs : previous.auditedAtMs,
  };
  return { ...state, publication };
}

/** The tag of the new state; undefined when the write lost, or nobody knows. */
async function trySave(
  store: ObjectStore,
  state: State,
  etag: ETag | undefined,
  patience: Patience,
): Promise<ETag | undefined> {
  try {
    const result = await saveState(store, state, etag);
    return result.kind === "written" ? result.etag : undefined;
  } catch (error) {
    if (error instanceof StoreError && error.isUnknown && !patience.isOver()) return undefined;
    throw error;
  }
}

/** Counts the tries of one write, and watches the time. */
interface Patience {
  /** Whether a failure is to be told rather than tried again. */
  readonly isOver: () => boolean;
}

function createPatience({ now }: CommitDependencies): Patience {
  const startedMs = now();
  let failures = 0;
  return {
    isOver: () => (failures += 1) >= TRIES || now() - startedMs > PATIENCE_MS,
  };
}

function publishGeneration(deps: CommitDependencies, won: Won): Promise<PublishResult> {
  const { generation, objects, badges } = won.state.publication;
  return publish(
    {
      store: deps.publicStore,
      sleep: deps.pause,
      random: deps.random,
      isOutOfTime: () => deps.now() - won.startedMs > PUBLISH_BUDGET_MS,
      isOutOfBadgeTime: () => deps.now() - won.startedMs > BADGE_BUDGET_MS,
      isOvertaken: shareNext(async () => {
        // The tag tells it without the state, which is long where there are many objects.
        if ((await deps.stateStore.find(STATE_KEY)) === won.etag) return false;
        const { state } = await loadState(deps.stateStore, () => undefined);
        return state.publication.generation > generation;
      }),
    },
    {
      documents: won.documents,
      objects,
      badges,
      wantedBadges: won.badges,
      isAudit: won.isAudit,
      auditsAll: deps.auditsAll ?? false,
      generation,
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
  const { objects, badges } = result;
  const publication = { ...won.state.publication, objects, badges };
  const state = { ...won.state, publication, monitors: await won.settle() };
  const mark = publication.marks.at(-1);
  const patience = createPatience(deps);
  let { etag } = won;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if ((await trySave(deps.stateStore, state, etag, patience)) !== undefined) return true;
    const loaded = await loadState(deps.stateStore, () => undefined);
    if (loaded.state.publication.marks.at(-1) !== mark || loaded.etag === undefined) return false;
    // Only we write under this mark: a state that is no longer the one we won with is the one we confirmed.
    if (loaded.etag !== etag) return true;
    etag = loaded.etag;
    await backOff(deps, attempt);
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

function tooSlow(store: ObjectStore): StoreError {
  return new StoreError(
    "find",
    "",
    `${store.name}: not one object could be written in ${PUBLISH_BUDGET_MS / 1_000} s. Is the store overloaded, or very far away? Mend --store.`,
  );
}
