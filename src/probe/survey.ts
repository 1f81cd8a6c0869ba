import type { Endpoint, Service } from "../model/catalogue.ts";
import type { Emit } from "../model/event.ts";
import type { EndpointResult } from "../model/outcome.ts";
import { measureEndpoint, type Background } from "./confirm.ts";
import type { Pool } from "./pool.ts";
import type { Probe } from "./probe.ts";

export interface SurveyDependencies {
  readonly probe: Probe;
  readonly pool: Pool;
  readonly backgroundOf: (url: string) => Background;
  readonly confirmDelaysMs: readonly number[];
  /** When a failure in doubt is tried once more, milliseconds after the first try. Absent: never. */
  readonly doubtDelayMs?: number;
  /** Ends the survey: what was not reached by then is skipped. */
  readonly signal: AbortSignal;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A monotonic clock, milliseconds. */
  readonly now: () => number;
  readonly emit: Emit;
}

/**
 * Measures every endpoint of the services, confirming changes.
 *
 * @returns what was concluded of each endpoint, by URL.
 */
export async function survey(
  services: readonly Service[],
  deps: SurveyDependencies,
): Promise<ReadonlyMap<string, EndpointResult>> {
  const tasks = services.flatMap((service) =>
    service.endpoints.map((endpoint) => ({ service, endpoint })),
  );
  const failing = new Set<string>();
  // What failed before will probably take its whole time-out again, so it starts first and nothing waits for it at the end.
  const ordered = tasks.toSorted((a, b) => rank(deps, a.endpoint.url) - rank(deps, b.endpoint.url));
  const results = new Map<string, EndpointResult>();
  await Promise.all(
    ordered.map(async ({ service, endpoint }) => {
      const { slug } = service;
      const result = await measure(service, endpoint, failing, deps);
      results.set(endpoint.url, result);
      const progress = { done: results.size, total: tasks.length };
      deps.emit({ event: "endpoint-measured", slug, url: endpoint.url, result, ...progress });
    }),
  );
  return results;
}

function rank(deps: SurveyDependencies, url: string): number {
  return deps.backgroundOf(url).lastState === "failing" ? 0 : 1;
}

/** @param failing URLs whose last try failed, of all services; kept up by this. */
function measure(
  service: Service,
  endpoint: Endpoint,
  failing: Set<string>,
  deps: SurveyDependencies,
): Promise<EndpointResult> {
  const { url } = endpoint;
  const { slug } = service;
  const { host } = new URL(url);
  const { doubtDelayMs } = deps;
  const isAlone = (): boolean => isAloneIn(service, endpoint, failing);
  return measureEndpoint(deps.backgroundOf(url), {
    probe: async (attempt) => {
      const outcome = await deps.pool(host, () => deps.probe(endpoint, attempt, deps.signal));
      if (outcome.kind === "failed") failing.add(url);
      else failing.delete(url);
      return outcome;
    },
    sleep: (ms) => deps.sleep(ms, deps.signal),
    now: deps.now,
    delaysMs: deps.confirmDelaysMs,
    ...(doubtDelayMs === undefined ? {} : { doubt: { delayMs: doubtDelayMs, isAlone } }),
    onWait: (attempt, waitMs) => deps.emit({ event: "confirming", slug, url, attempt, waitMs }),
  });
}

/** Whether the endpoint is the only critical one of its service, and no other of them fails: nothing else speaks for its failure. */
function isAloneIn({ endpoints }: Service, endpoint: Endpoint, failing: ReadonlySet<string>) {
  const marked = endpoints.filter(({ isCritical }) => isCritical);
  const critical = marked.length === 0 ? endpoints.slice(0, 1) : marked;
  const isSole = critical.length === 1 && critical[0]?.url === endpoint.url;
  return isSole && endpoints.every(({ url }) => url === endpoint.url || !failing.has(url));
}
