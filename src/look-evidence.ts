import { isCongested } from "./history/stats.ts";
import type { NetworkOf, Sighting } from "./look.ts";
import type { Service } from "./model/catalogue.ts";
import type { AnchorEvidence, RunEvidence, ServiceEvidence } from "./model/evidence.ts";
import type { History } from "./model/history.ts";
import type { Outcome } from "./model/outcome.ts";
import { firstAnswers } from "./probe/anchors.ts";

/** The anchors as the run found them, by URL: response times are judged by these. */
export function anchorAnswers({ rounds: [start] }: Sighting): ReadonlyMap<string, Outcome> {
  return start === undefined ? new Map() : firstAnswers(start);
}

/** The network of each endpoint, by its URL, where the run connected to an address or tried to. */
export function networksSeen(
  { measured }: Sighting,
  networkOf: NetworkOf,
): ReadonlyMap<string, string> {
  return new Map(
    [...measured].flatMap(([url, { attempts }]) => {
      const address = attempts.map(addressOf).find((one) => one !== undefined);
      return address === undefined ? [] : [[url, networkOf(address)] as const];
    }),
  );
}

function addressOf(outcome: Outcome): string | undefined {
  return outcome.kind === "skipped" ? undefined : outcome.trace.address;
}

/** Whether response times of this run mean nothing. */
export function isCongestedRun(history: History, seen: Sighting): boolean {
  return isCongested(history, anchorAnswers(seen), seen.lagMs);
}

/** What the run saw of one service. */
export function serviceEvidence(
  service: Service,
  seen: Sighting,
  runAtMs: number,
): ServiceEvidence {
  const endpoints = service.endpoints.flatMap(({ url }) => {
    const result = seen.results.get(url);
    return result === undefined ? [] : [{ url, result }];
  });
  return { runAtMs, endpoints };
}

/** What the run saw of the runner itself. */
export function runEvidence(
  seen: Sighting,
  startedAtMs: number,
  durationMs: number,
  isCongestedNow: boolean,
): RunEvidence {
  const { connectivity, lagMs } = seen;
  return {
    startedAtMs,
    durationMs,
    validity: connectivity.state === "offline" ? "offline" : "valid",
    connectivity,
    isCongested: isCongestedNow,
    eventLoopLagMs: Math.round(lagMs),
    anchors: anchorEvidence(seen),
  };
}

/** Every round tries the same anchors. */
function anchorEvidence({ rounds }: Sighting): readonly AnchorEvidence[] {
  const anchors = rounds[0]?.anchors ?? [];
  return anchors.map(({ anchor }, index) => ({
    ...anchor,
    rounds: rounds.map((round) => ({
      phase: round.phase,
      tries: round.anchors[index]?.tries ?? [],
    })),
  }));
}
