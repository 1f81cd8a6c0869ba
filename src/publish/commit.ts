import {
  backOff,
  busy,
  type CommitDependencies,
  type ComputeAdvance,
  confirm,
  type TouchedObjects,
  winGeneration,
  type Won,
} from "./generation.ts";
import { StoreError } from "../model/store.ts";
import { MINUTE_MS, SECOND_MS } from "../model/time.ts";
import { publish, type PublishResult } from "./publish.ts";
import { type LoadedState, loadState, STATE_KEY } from "../state/state-file.ts";

/** A writer publishes no longer than this in one generation, so that a late writer is noticed; then it wins another generation. */
const PUBLISH_BUDGET_MS = MINUTE_MS;

/** The part of it for groups: a run that probed until its deadline must end before the next one begins. */
const GROUP_BUDGET_MS = 20 * SECOND_MS;

/** Pictures for shared links take some 25 ms of CPU time each, and are not urgent. */
const PICTURE_BUDGET_MS = 2 * SECOND_MS;

/** Generations that one commit may win. More than one is needed only while many writers overtake one another. */
const GENERATIONS = 30;

/**
 * Advances the state by one generation and publishes it. Exactly one writer wins each generation. A writer that loses computes
 * again from the winner's state; one that is overtaken while it publishes repairs its writes in another generation. The proof is in docs/publish/protocol.md. Throws `StateError` and `StoreError`.
 *
 * @param advance the first advance, from the newest state.
 * @param repair the documents as they should be now, from a state that other writers have advanced since.
 * @param known the state as it was read before. If another writer has advanced it since, the first attempt reads it again.
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
      objects: new Set([...touched.objects, ...result.touched.objects]),
      groups: new Set([...touched.groups, ...result.touched.groups]),
    };
    const isConfirmed = !result.isOvertaken && (await confirm(deps, won, result));
    // A generation that ran out of time has confirmed what it did: the next one continues from there.
    if (isConfirmed) touched = NOTHING_TOUCHED;
    if (result.isOutOfTime && result.written + result.removed === 0)
      throw new StoreError(
        "find",
        "",
        `${deps.publicStore.name}: not one object could be written in ${PUBLISH_BUDGET_MS / 1_000} s. Is the store overloaded, or very far away? Fix --store.`,
      );
    const isDone = isConfirmed
      ? !result.isOutOfTime
      : touched.objects.size + touched.groups.size === 0;
    if (isDone) return { ...result, written, removed };
    compute = repair;
    // The writer that overtook this one is publishing: an immediate repair would only overtake it in turn.
    await backOff(deps, times);
  }
  throw busy(deps.stateStore);
}

const NOTHING_TOUCHED: TouchedObjects = { objects: new Set(), groups: new Set() };

/** The winner of a later generation, which is built on this one, publishes everything. */
const NOTHING_DONE: PublishResult = {
  objects: new Map(),
  groups: new Map(),
  written: 0,
  unchanged: 0,
  removed: 0,
  withheldRemovals: 0,
  isOvertaken: true,
  isOutOfTime: false,
  postponedGroups: 0,
  touched: NOTHING_TOUCHED,
};

function publishGeneration(deps: CommitDependencies, won: Won): Promise<PublishResult> {
  const { documents, groups: wantedGroups, isAudit, nowMs } = won;
  const { publication } = won.state;
  const { pictureBudgetMs = PICTURE_BUDGET_MS, auditsAll = false, maxRemovalShare } = deps;
  let picturesMs: number | undefined;
  return publish(
    {
      store: deps.publicStore,
      sleep: deps.pause,
      random: deps.random,
      isOutOfTime: () => deps.now() - won.startedMs > PUBLISH_BUDGET_MS,
      isOutOfGroupTime: () => deps.now() - won.startedMs > GROUP_BUDGET_MS,
      isOutOfPictureTime: () =>
        deps.arePicturesLater === true ||
        deps.now() - (picturesMs ??= deps.now()) > pictureBudgetMs,
      isOvertaken: coalesce(async () => {
        // First by the tag, because the state is large when there are many objects.
        if ((await deps.stateStore.find(STATE_KEY)) === won.etag) return false;
        const { state } = await loadState(deps.stateStore);
        return state.publication.generation > publication.generation;
      }),
    },
    {
      ...publication,
      documents,
      site: won.site === "later" ? [] : won.site,
      wantedGroups,
      isAudit,
      auditsAll,
      nowMs,
      maxRemovalShare,
    },
  );
}

/** A call during a running request shares the next one, because the response must be newer than the call. */
export function coalesce<T>(request: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let queued: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    queued = undefined;
    return request();
  };
  return () => {
    if (queued !== undefined) return queued;
    queued = running.then(begin, begin);
    running = queued;
    return queued;
  };
}
