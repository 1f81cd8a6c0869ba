import { createClockCheck } from "../run/check-clock.ts";
import { computeGeneration, type ComputedGeneration, sitePlaceOf } from "./compute-generation.ts";
import { createMonitoring } from "./monitor-generation.ts";
import type {
  GenerationDependencies,
  GenerationOptions,
  PublishedGeneration,
  PublishSetup,
  StateUpdate,
} from "./publish-setup.ts";
import { toSiteAddress } from "../pages/site-address.ts";
import type { SiteMaker } from "../pages/site-view.ts";
import type { State } from "../../model/state.ts";
import { commit } from "../../publish/commit.ts";
import type { PublishResult } from "../../publish/publish-session.ts";
import { NO_EDITS, openEdits, type OpenEdits } from "../../state/edit-inbox.ts";
import { openInbox } from "../../state/report-inbox.ts";
import { countRequests } from "../../store/request-counter.ts";

/** Opens a setup for one command: its stores count requests from here on. */
export function openPublishing<T extends PublishSetup>(setup: T): T & GenerationDependencies {
  const publicStore = countRequests(setup.publicStore);
  const stateStore = countRequests(setup.stateStore);
  const outputsOf = async (state: State): ReturnType<SiteMaker["outputsOf"]> => {
    const settings = { ...state.siteSettings, ...setup.siteSettings };
    // Without a year, or New Year would rewrite the pages of all monitors.
    const address = toSiteAddress(sitePlaceOf(setup, state), settings);
    return address === undefined ? new Map() : setup.site.outputsOf(address);
  };
  const monitoring = createMonitoring({ ...setup, stateStore, outputsOf });
  const checkClock = createClockCheck(stateStore, setup.emit);
  const owners = { stateStore, pause: setup.pause, memory: setup.memory ?? {} };
  return { ...setup, publicStore, stateStore, monitoring, owners, checkClock };
}

/** Publishes one generation with the update and the reports of the inbox. Throws `StateError` and `StoreError`. */
export async function publishGeneration(
  deps: GenerationDependencies,
  nowMs: number,
  update: StateUpdate,
  options: GenerationOptions,
): Promise<PublishedGeneration> {
  const startedMs = deps.now();
  const inbox = await openInbox(deps);
  const edits = createEditsSource(deps);
  deps.checkClock();
  // Each attempt computes it again; the last attempt is the one that was published.
  let last: ComputedGeneration | undefined;
  const advanceBy = (fold: StateUpdate) => async (state: State) =>
    (last = await computeGeneration(
      deps,
      { reports: inbox, edits: await edits.open(state, options) },
      state,
      fold,
      options,
    ));
  const repair: StateUpdate = (state) => ({ state, nowMs, events: [] });
  const published = await commit(deps, advanceBy(update), advanceBy(repair), options.known);
  if (last === undefined) throw new Error("a generation was published without a state");
  const { snapshot, state, ownership } = last;
  await inbox.clear(state.reports.folded);
  await edits.clear(state);
  logOutcome(deps, last, published);
  const requests = { public: deps.publicStore.requests(), state: deps.stateStore.requests() };
  const { written, unchanged, removed } = published;
  const durationMs = Math.round(deps.now() - startedMs);
  deps.emit({ event: "published", written, unchanged, removed, durationMs, requests });
  return { snapshot, state, ownership, published, requests };
}

/** The inbox of edits, listed at most once, and only if owners add monitors here. */
function createEditsSource({ stateStore, emit, siteSettings, hasEdits }: GenerationDependencies) {
  let opening: Promise<OpenEdits> | undefined;
  return {
    open: (state: State, { areEditsLater = false }: GenerationOptions): Promise<OpenEdits> => {
      const isOn = hasEdits ?? siteSettings?.isSelfService ?? state.siteSettings.isSelfService;
      if (areEditsLater || (!isOn && state.owners.shards.length === 0))
        return Promise.resolve(NO_EDITS);
      return (opening ??= openEdits(stateStore, emit));
    },
    clear: async ({ owners }: State): Promise<void> => (await opening)?.clear(owners.folded),
  };
}

function logOutcome(
  { emit, arePicturesLater = false }: GenerationDependencies,
  { events, monitoring, ownership, site, place }: ComputedGeneration,
  { withheldRemovals, postponedGroups }: PublishResult,
): void {
  for (const event of events) emit(event);
  if (withheldRemovals > 0) emit({ event: "removals-withheld", count: withheldRemovals });
  // Pictures that wait for the next run are expected.
  if (postponedGroups > 0 && !arePicturesLater)
    emit({ event: "badges-postponed", count: postponedGroups });
  // A generation that leaves the pages as they are does not repeat the warning.
  if (place.kind !== "known" && site !== "later") {
    const assumedUrl = place.kind === "assumed" ? place.baseUrl : null;
    emit({ event: "site-without-address", assumedUrl });
  }
  const touched = ownership.owners.pending?.changes.size ?? 0;
  const erased = ownership.erasedIds.size;
  if (touched > 0) emit({ event: "owners-changed", changed: touched - erased, erased });
  if (monitoring.withheldRemovals > 0)
    emit({ event: "monitors-withheld", count: monitoring.withheldRemovals });
  if (monitoring.isAlreadyCounted) emit({ event: "monitors-already-counted" });
  const { problem } = monitoring;
  if (problem !== undefined) emit({ event: "monitors-degraded", message: problem });
}
