import type { Registry } from "./departures.ts";
import type { UptimeShard } from "./model/uptime.ts";
import type { LoadedShards } from "./shards.ts";

/**
 * What a process knows of monitors from one publish to the next, so that a report costs no look at them: 64 objects of the store,
 * and the signatures of all that is published of them. Handed from release to release; what others changed since shows in the state.
 */
export interface MonitoringMemory {
  loaded?: { readonly key: string; readonly shards: LoadedShards };
  signatures?: { readonly from: SignatureSources; readonly byId: Map<string, string> };
}

/** What the signatures follow from: as long as each of these is the same one, so are they. */
interface SignatureSources {
  readonly registry: Registry;
  readonly shards: ReadonlyMap<number, UptimeShard>;
  readonly runs: number;
  readonly slot: number;
  readonly baseUrl: string | null;
}

/** The signatures that were found before from the very same sources; an empty map, to be filled, where there are none. */
export function recallSignatures(
  memory: MonitoringMemory,
  from: SignatureSources,
): Map<string, string> {
  const known = memory.signatures;
  const isSame =
    known !== undefined &&
    known.from.registry === from.registry &&
    known.from.shards === from.shards &&
    known.from.runs === from.runs &&
    known.from.slot === from.slot &&
    known.from.baseUrl === from.baseUrl;
  if (isSame) return known.byId;
  const byId = new Map<string, string>();
  memory.signatures = { from, byId };
  return byId;
}
