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
  const tasks = services.flatMap(({ slug, endpoints }) =>
    endpoints.map((endpoint) => ({ slug, endpoint })),
  );
  // What failed before will probably take its whole time-out again, so it starts first and nothing waits for it at the end.
  const ordered = tasks.toSorted((a, b) => rank(deps, a.endpoint.url) - rank(deps, b.endpoint.url));
  const results = new Map<string, EndpointResult>();
  await Promise.all(
    ordered.map(async ({ slug, endpoint }) => {
      const result = await measure(slug, endpoint, deps);
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

function measure(
  slug: string,
  endpoint: Endpoint,
  deps: SurveyDependencies,
): Promise<EndpointResult> {
  const host = new URL(endpoint.url).host;
  return measureEndpoint(deps.backgroundOf(endpoint.url), {
    probe: (attempt) => deps.pool(host, () => deps.probe(endpoint, attempt, deps.signal)),
    sleep: (ms) => deps.sleep(ms, deps.signal),
    now: deps.now,
    delaysMs: deps.confirmDelaysMs,
    onWait: (attempt, waitMs) =>
      deps.emit({ event: "confirming", slug, url: endpoint.url, attempt, waitMs }),
  });
}
