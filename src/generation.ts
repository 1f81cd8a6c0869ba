import { createHash } from "node:crypto";
import type { Emit } from "./model/event.ts";
import { MARKS_KEPT, type Publication } from "./model/publication.ts";
import type { Document, Site } from "./model/snapshot.ts";
import type { State } from "./model/state.ts";
import { type ETag, type ObjectStore, StoreError } from "./model/store.ts";
import { HOUR_MS, MINUTE_MS } from "./model/time.ts";
import type { MonitorsState } from "./model/uptime.ts";
import type { WantedGroups } from "./publish/groups.ts";
import { planObjects } from "./publish/plan.ts";
import type { PublishResult } from "./publish/publishing.ts";
import { isOfWebsite } from "./site-place.ts";
import { loadState, type LoadedState, saveState, STATE_KEY } from "./state.ts";

/** Every object of a store that others might touch is looked at this often. */
const AUDIT_EVERY_MS = HOUR_MS;

/** Losing so often in a row means that something is wrong, not that the others are quick. */
const TRIES = 30;
/** A store whose answers to writes are lost for so long does not answer at all. */
const PATIENCE_MS = MINUTE_MS;

const FIRST_BACKOFF_MS = 10;
const LONGEST_BACKOFF_MS = 500;

/** What it takes to win a generation: the state, the other writers' turns, and a clock. */
export interface GenerationDependencies {
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
  readonly emit: Emit;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** A new unguessable mark for each generation that is tried for. */
  readonly newMark: () => string;
  /** Looking costs next to nothing (a directory), so every object is looked at each time. */
  readonly mustLook: boolean;
}

/** What a commit makes of a state: the next one, and the documents that follow from it. */
export interface Advance {
  readonly state: State;
  /** Details first, the list last. */
  readonly documents: readonly Document[];
  /** The website; `later` leaves that of an earlier generation as it is. */
  readonly site: Site | "later";
  readonly groups: WantedGroups;
  /**
   * Brings what lies beside the main state up to the generation that was won, after it was published; the value is what the
   * state says of it then. Must be repeatable: whoever comes next does it for a writer that died.
   */
  readonly settle: () => Promise<MonitorsState>;
  readonly nowMs: number;
}

/** Computes an advance. May read what lies beside the state; every other effect is `commit`'s. */
export type ComputeAdvance = (state: State) => Promise<Advance>;

/** What this writer wrote in generations that it could not confirm: nobody knows whether it came too late. */
export interface Touched {
  readonly objects: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
}

/** A generation that is ours: to be published, unless others have advanced the state already. */
export interface Won extends Advance {
  /** Of the state that won it. */
  readonly etag: ETag;
  /** Every object is looked at, whatever is remembered of it. */
  readonly isAudit: boolean;
  /** When it was won, by the monotonic clock. */
  readonly startedMs: number;
}

/**
 * Wins the next generation by compare-and-swap of the state, computing anew from the winner's state after each loss. Throws
 * `StateError`, and `StoreError` when the store fails for too long or too many others are faster.
 *
 * @param touched what is to be looked at again, because nobody knows whether it was written too late.
 * @param before the state as it was read earlier: saves the first look; the first try is lost if others have advanced it since.
 * @returns what is ours to publish now; `overtaken` when it was won, but a later generation was as well.
 */
export async function winGeneration(
  deps: GenerationDependencies,
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
    : { ...publication, store: identity, objects: new Map(), groups: new Map() };
}

function advanceState(
  { state, documents, site, groups, nowMs }: Advance,
  previous: Publication,
  mark: string,
  touched: Touched,
  isAudit: boolean,
): State {
  const digests = new Map([
    ...(site === "later" ? digestsOfSite(previous) : site.flat().map(toDigest)),
    ...documents.map(toDigest),
  ]);
  const publication: Publication = {
    generation: previous.generation + 1,
    marks: [...previous.marks, mark].slice(-MARKS_KEPT),
    store: previous.store,
    objects: planObjects(previous.objects, digests, touched.objects, nowMs),
    groups: planObjects(previous.groups, groups.signatures, touched.groups, nowMs),
    auditedAtMs: isAudit ? nowMs : previous.auditedAtMs,
  };
  return { ...state, publication };
}

function toDigest({ key, body }: Document): readonly [string, string] {
  return [key, createHash("sha256").update(body).digest("hex")];
}

/** What belongs into the store of the website already. */
function digestsOfSite({ objects }: Publication): readonly (readonly [string, string])[] {
  return [...objects].flatMap(([key, { digest }]) =>
    digest === null || !isOfWebsite(key) ? [] : [[key, digest] as const],
  );
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

function createPatience({ now }: GenerationDependencies): Patience {
  const startedMs = now();
  let failures = 0;
  return {
    isOver: () => (failures += 1) >= TRIES || now() - startedMs > PATIENCE_MS,
  };
}

/**
 * Records what was published, after what lies beside the state was settled. False when another writer has advanced the state
 * meanwhile. Throws `StateError` and `StoreError` as winning does.
 */
export async function confirm(
  deps: GenerationDependencies,
  won: Won,
  { objects, groups }: Pick<PublishResult, "objects" | "groups">,
): Promise<boolean> {
  const publication = { ...won.state.publication, objects, groups };
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

/** Waits for a random time that grows with the attempts, up to half a second, so that writers come apart. */
export function backOff({ pause, random }: GenerationDependencies, attempt: number): Promise<void> {
  return pause(random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt));
}

/** The failure of a writer to whom the others leave no turn. */
export function busy(store: ObjectStore): StoreError {
  return new StoreError(
    "write",
    STATE_KEY,
    `${store.name}: the state could not be advanced in ${TRIES} tries. Are too many programs writing there, or does the store fail? Run doctor.`,
  );
}
