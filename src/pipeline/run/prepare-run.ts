import { joinOwned } from "../publish/monitor-cache.ts";
import type { MonitorTarget } from "./measure-monitors.ts";
import type { MonitorHistory } from "../publish/monitor-removals.ts";
import { findOwned } from "../publish/owner-generation.ts";
import type { GenerationDependencies } from "../publish/publish-setup.ts";
import { refuseFutureState, type RunOptions } from "./run-steps.ts";
import type { Catalogue, Service } from "../../model/service/catalogue.ts";
import type { Monitor } from "../../model/monitor/monitor.ts";
import type { State } from "../../model/state.ts";
import { unlessStopped } from "../../model/stopping.ts";
import { wasHealthy } from "../../monitors/uptime/availability.ts";
import { LIST_KEY } from "../../services/snapshot/api-documents.ts";
import { loadState, type LoadedState } from "../../state/state-file.ts";

/** Loads the state, and checks the clock and the public store before the probes. Throws `StateError`, `StoreError`. */
export async function loadForRun(
  deps: GenerationDependencies,
  options: RunOptions,
): Promise<LoadedState | "stopped"> {
  // Nothing is running yet, so a store that does not answer must not delay a stop.
  const known = await unlessStopped(() => loadState(deps.stateStore), options.stop);
  if (known === "stopped") return known;
  deps.checkClock();
  refuseFutureState(known.state, options);
  const checked = await unlessStopped(() => checkNewStore(deps, known.state), options.stop);
  return checked === "stopped" ? checked : known;
}

/** The name of a store that was never published to may be misspelt. Throws `StoreError`. */
async function checkNewStore(
  { publicStore }: GenerationDependencies,
  { publication }: State,
): Promise<void> {
  // A read, because `find` does not say which is missing, the object or the bucket.
  if (publication.store !== publicStore.identity) await publicStore.read(LIST_KEY);
}

/** The services to probe. */
export function selectServices(catalogue: Catalogue, only: readonly string[]): readonly Service[] {
  return only.length === 0
    ? catalogue.services
    : catalogue.services.filter(({ slug }) => only.includes(slug));
}

/** The monitors to check, each with what its record says. A run over selected services checks none. */
export async function findMonitors(
  deps: GenerationDependencies,
  { only, startMs }: RunOptions,
  state: State,
): Promise<readonly MonitorTarget[]> {
  if (only.length > 0) return [];
  const owned = await findOwned(deps.owners, state, startMs);
  const { monitors } = joinOwned(await deps.readRegistry(), owned, deps.memory ?? {});
  const history = await deps.monitoring.historyOf(state);
  return monitors.map((monitor) => toTarget(monitor, history, startMs));
}

function toTarget(
  monitor: Monitor,
  { recordOf, clock }: MonitorHistory,
  nowMs: number,
): MonitorTarget {
  const record = recordOf(monitor.id);
  const { state, warning } = record ?? {};
  return {
    ...monitor,
    lastState: state === "healthy" || state === "failing" ? state : "unknown",
    wasHealthy: wasHealthy(record, clock, nowMs),
    ...(warning === undefined ? {} : { warning }),
  };
}
