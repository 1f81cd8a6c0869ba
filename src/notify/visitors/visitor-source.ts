import type { State } from "../../model/state.ts";
import { FRESH_MS, toUnixSeconds } from "../../model/time.ts";
import { type Visitor, visitorEndMs } from "../../model/monitor/visitor.ts";
import type { Source } from "../deliver.ts";
import { toChanges } from "../services/service-source.ts";

/** A run that is older comes from a runner that does not run, or is offline. Source: docs/notify.md, "Noise". */
const STALE_MS = FRESH_MS;

/** The changes of services, and the browsers that hear of them. */
export interface VisitorSource extends Source {
  /** By id. */
  readonly visitors: ReadonlyMap<string, Visitor>;
}

/** The verdicts of a state as an outbox, for browsers by their id. Pure. */
export function toVisitorSource(
  { verdicts, history }: Pick<State, "verdicts" | "history">,
  visitors: Iterable<Visitor>,
  nowMs: number,
): VisitorSource {
  const { next, changes, codes } = verdicts;
  const known = new Map<string, Visitor>();
  const idsOf = new Map<string, string[]>();
  for (const visitor of visitors) {
    if (visitorEndMs(visitor) <= nowMs) continue;
    known.set(visitor.id, visitor);
    for (const slug of visitor.services) {
      const ids = idsOf.get(slug);
      if (ids === undefined) idsOf.set(slug, [visitor.id]);
      else ids.push(visitor.id);
    }
  }
  const updatedMs = history.updatedAtMs ?? 0;
  return {
    next,
    changes: toChanges(
      changes.map((one) => ({
        ...one,
        id: `${one.slug}.${toUnixSeconds(one.atMs)}.${one.code}`,
      })),
    ),
    lastRunMs: updatedMs,
    isPaused: nowMs - updatedMs > STALE_MS,
    isOpen: true,
    visitors: known,
    channelsFor: ({ subject }) => idsOf.get(subject) ?? [],
    subjectsOf: (id) => known.get(id)?.services.length,
    // A service that left the catalogue is no news.
    stateNow: (slug) => codes.get(slug) ?? "gone",
  };
}
