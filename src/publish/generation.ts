import { createHash } from "node:crypto";
import { backoffMs, type ETag, type ObjectStore, StoreError } from "../model/store.ts";
import { isOfWebsite, MARKS_KEPT, type Publication } from "../model/publication.ts";
import type { Document, Site } from "../model/service/snapshot.ts";
import type { State } from "../model/state.ts";
import { HOUR_MS, MINUTE_MS } from "../model/time.ts";
import type { WantedGroups } from "./object-groups.ts";
import { planObjects } from "./plan-objects.ts";
import { loadState, type LoadedState, saveState, STATE_KEY } from "../state/state-file.ts";

/** How often every object of a store that other programs might change is checked. */
const AUDIT_EVERY_MS = HOUR_MS;

/** So many conflicts in a row mean that something is wrong, not that other writers are fast. */
const TRIES = 30;
/** A store whose responses to writes are lost for so long does not respond at all. */
const PATIENCE_MS = MINUTE_MS;

const BACKOFF = { firstMs: 10, longestMs: 500 };

export interface CommitDependencies {
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** A new random mark for each generation that this writer tries to win. */
  readonly newMark: () => string;
  /** Checks every object each time: in a directory a check costs almost nothing. */
  readonly mustVerify: boolean;
  /** Largest share of the objects, and of the monitors, that may be removed at once, 0–1. */
  readonly maxRemovalShare: number;
  /** Audits all groups, not only those whose turn it is, however long it takes. */
  readonly auditsAll?: boolean;
  /** Draws only the pictures of what was named, because a caller waits. */
  readonly arePicturesLater?: boolean;
  /** How long one generation draws pictures. @default `PICTURE_BUDGET_MS` */
  readonly pictureBudgetMs?: number | undefined;
}

export interface Advance {
  readonly state: State;
  /** Details first, the list last. */
  readonly documents: readonly Document[];
  /** The website; `later` keeps that of an earlier generation. */
  readonly site: Site | "later";
  readonly groups: WantedGroups;
  /**
   * Brings the shards up to the generation that was won, after it was published, and returns these parts of the confirmed state.
   * Must be idempotent: the next writer repeats it for a writer that died.
   */
  readonly settle: () => Promise<Partial<Pick<State, "monitors" | "owners">>>;
  readonly nowMs: number;
}

/** What was written, or may have been. */
export interface TouchedObjects {
  readonly objects: ReadonlySet<string>;
  /** By id: groups with such objects. */
  readonly groups: ReadonlySet<string>;
}

/** Computes an advance. Called again after each lost attempt. */
export type ComputeAdvance = (state: State) => Promise<Advance>;

/** A generation that this writer has won and now publishes, unless other writers have advanced the state already. */
export interface Won extends Advance {
  readonly etag: ETag;
  /** Every object is checked, whatever the state says of it. */
  readonly isAudit: boolean;
  readonly startedMs: number;
}

/**
 * Wins the next generation by compare-and-swap of the state, computing again from the winner's state after each loss. Throws
 * `StateError`, and `StoreError` when the store fails for too long or too many other writers are faster.
 *
 * @param touched what has to be checked again, because it may have been written too late.
 * @param before the state as it was read earlier, which saves the first read; the first attempt loses if it has been advanced
 * since.
 * @returns the generation to publish; `overtaken` when it was won, but a later one was won as well.
 */
export async function winGeneration(
  deps: CommitDependencies,
  compute: ComputeAdvance,
  touched: TouchedObjects,
  before: LoadedState | undefined,
): Promise<Won | "overtaken"> {
  const mark = deps.newMark();
  const save = createSaver(deps);
  let tried: (Advance & { readonly isAudit: boolean }) | undefined;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const loaded = (attempt === 1 ? before : undefined) ?? (await loadState(deps.stateStore));
    const { publication } = loaded.state;
    if (tried !== undefined && publication.marks.includes(mark)) {
      // The write whose response was lost, or that seemed to lose, was carried out.
      const isNewest = publication.marks.at(-1) === mark && loaded.etag !== undefined;
      return isNewest
        ? { ...tried, state: loaded.state, etag: loaded.etag, startedMs: deps.now() }
        : "overtaken";
    }
    const next = await compute(loaded.state);
    const isDue = deps.mustVerify || next.nowMs - publication.auditedAtMs >= AUDIT_EVERY_MS;
    // Without the website its pages would miss their audit, so the next generation that has it makes it. Monitors alone have none.
    const isPartial = next.site === "later" && next.documents.length > 0;
    const isAudit = isDue && (!isPartial || deps.auditsAll === true);
    const known = knownOf(publication, deps.publicStore);
    tried = { ...next, state: advanceState(next, known, mark, touched, isAudit), isAudit };
    const etag = await save(tried.state, loaded.etag);
    if (etag !== undefined) return { ...tried, etag, startedMs: deps.now() };
    await backOff(deps, attempt);
  }
  throw busy(deps.stateStore);
}

/** What the state remembers of another store says nothing about this one. */
function knownOf(publication: Publication, { identity }: ObjectStore): Publication {
  if (publication.store === identity) return publication;
  return { ...publication, store: identity, objects: new Map(), groups: new Map() };
}

function advanceState(
  { state, documents, site, groups, nowMs }: Advance,
  previous: Publication,
  mark: string,
  touched: TouchedObjects,
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

function toDigest(document: Document): readonly [string, string] {
  const { key, signature } = document;
  return [key, signature ?? createHash("sha256").update(document.body).digest("hex")];
}

function digestsOfSite({ objects }: Publication): readonly (readonly [string, string])[] {
  return [...objects].flatMap(([key, { digest }]) =>
    digest === null || !isOfWebsite(key) ? [] : [[key, digest] as const],
  );
}

/**
 * Gives the tag of the new state; undefined when the write lost, or its outcome is unknown. Unknown outcomes are limited by number and
 * time, and thrown then.
 */
function createSaver({ stateStore, now }: CommitDependencies) {
  const startedMs = now();
  let failures = 0;
  return async (state: State, etag: ETag | undefined): Promise<ETag | undefined> => {
    const result = await saveState(stateStore, state, etag);
    if (result.kind === "unknown") {
      failures += 1;
      if (failures >= TRIES || now() - startedMs > PATIENCE_MS) throw result.error;
    }
    return result.kind === "written" ? result.etag : undefined;
  };
}

/** Settles the shards, then records what was published. False if another writer was faster. Throws as `winGeneration`. */
export async function confirm(
  deps: CommitDependencies,
  won: Won,
  { objects, groups }: Pick<Publication, "objects" | "groups">,
): Promise<boolean> {
  const publication = { ...won.state.publication, objects, groups };
  const state = { ...won.state, publication, ...(await won.settle()) };
  const mark = publication.marks.at(-1);
  const save = createSaver(deps);
  let { etag } = won;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if ((await save(state, etag)) !== undefined) return true;
    const loaded = await loadState(deps.stateStore);
    if (loaded.state.publication.marks.at(-1) !== mark || loaded.etag === undefined) return false;
    // Only this writer has this mark: a state that is not the one that won is the one that was confirmed.
    if (loaded.etag !== etag) return true;
    etag = loaded.etag;
    await backOff(deps, attempt);
  }
  throw busy(deps.stateStore);
}

/** Waits for a random time that grows with the attempts, up to half a second. */
export function backOff({ pause, random }: CommitDependencies, attempt: number): Promise<void> {
  return pause(backoffMs(attempt, random, BACKOFF));
}

/** The error of a writer that lost too often. */
export function busy(store: ObjectStore): StoreError {
  return new StoreError(
    "write",
    STATE_KEY,
    `${store.name}: the state could not be advanced in ${TRIES} tries. Are too many programs writing there, or does the store fail? Run doctor.`,
  );
}
