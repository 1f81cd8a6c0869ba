import { computeGeneration, type ComputedGeneration } from "./compute-generation.ts";
import type {
  GenerationDependencies,
  GenerationOptions,
  PublishedGeneration,
  PublishSetup,
  StateUpdate,
} from "./publish-setup.ts";
import { placeSite, toSiteAddress } from "../pages/site-address.ts";
import type { SiteMaker } from "../pages/site-builder.ts";
import type { State } from "../../model/state.ts";
import { commit } from "../../publish/commit.ts";
import type { PublishResult } from "../../publish/publish.ts";
import { NO_EDITS, openEdits, openInbox } from "../../state/inbox.ts";
import { countRequests } from "../../store/request-counter.ts";
import { describeClock, DOUBTED_CLOCK_MS, REFUSED_CLOCK_MS } from "../../store/store-clock.ts";
import { type ObjectStore, StoreError } from "../../model/store.ts";
import type { Emit } from "../../model/run-event.ts";

/** Opens a setup for one command: its stores count requests from here on. */
export function openPublishing<T extends PublishSetup>(setup: T): T & GenerationDependencies {
  const publicStore = countRequests(setup.publicStore);
  const stateStore = countRequests(setup.stateStore);
  const outputsOf = async (state: State): ReturnType<SiteMaker["outputsOf"]> => {
    const settings = { ...state.siteSettings, ...setup.siteSettings };
    // Without a year, or New Year would rewrite the pages of all monitors.
    const address = toSiteAddress(placeSite(state, setup), settings);
    return address === undefined ? new Map() : setup.site.outputsOf(address);
  };
  const checkClock = createClockCheck(stateStore, setup.emit);
  const { memory = {} } = setup;
  return { ...setup, publicStore, stateStore, outputsOf, memory, checkClock };
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
  // Listed at most once.
  let opening: ReturnType<typeof openEdits> | undefined;
  deps.checkClock();
  // Each attempt computes it again; the last attempt is the one that was published.
  let last: ComputedGeneration | undefined;
  const advanceBy = (fold: StateUpdate) => async (state: State) => {
    const edits = countsEdits(deps, state, options)
      ? await (opening ??= openEdits(deps.stateStore, deps.emit))
      : NO_EDITS;
    return (last = await computeGeneration(deps, inbox, edits, state, fold, options));
  };
  const repair: StateUpdate = (state) => ({ state, nowMs });
  const published = await commit(deps, advanceBy(update), advanceBy(repair), options.known);
  if (last === undefined) throw new Error("a generation was published without a state");
  const { snapshot, state, ownership } = last;
  await inbox.clear(state.reports.folded);
  await (await opening)?.clear(state.owners.folded);
  logOutcome(deps, last, published);
  const requests = { public: deps.publicStore.requests(), state: deps.stateStore.requests() };
  const { written, unchanged, removed } = published;
  const durationMs = Math.round(deps.now() - startedMs);
  deps.emit({ event: "published", written, unchanged, removed, durationMs, requests });
  return { snapshot, state, ownership, published, requests };
}

/** Edits are counted only if owners add monitors here. */
function countsEdits(
  { siteSettings, hasEdits }: GenerationDependencies,
  state: State,
  { areEditsLater = false }: GenerationOptions,
): boolean {
  const isOn = hasEdits ?? siteSettings?.isSelfService ?? state.siteSettings.isSelfService;
  return !areEditsLater && (isOn || state.owners.shards.length > 0);
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

/** What is published carries the time of this machine. A directory has no clock to compare with. */
function createClockCheck(store: ObjectStore, emit: Emit): () => void {
  let hasLogged = false;
  return () => {
    const aheadMs = store.clockAheadMs?.() ?? 0;
    const offMs = Math.abs(aheadMs);
    if (offMs >= REFUSED_CLOCK_MS) {
      const message = `${store.name}: ${describeClock(aheadMs)}. Set the clock (NTP): what is published carries its time, so nothing is.`;
      throw new StoreError("read", "", message);
    }
    if (offMs < DOUBTED_CLOCK_MS || hasLogged) return;
    hasLogged = true;
    emit({ event: "clock-off", aheadMs: Math.round(aheadMs) });
  };
}
