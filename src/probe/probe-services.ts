import type { Endpoint, Service } from "../model/service/catalogue.ts";
import type { Emit } from "../model/run-event.ts";
import type { BrowserView, EndpointResult } from "../model/probe-outcome.ts";
import { measureEndpoint, type Baseline } from "./confirm-change.ts";
import type { Neighbour, RunExperiment } from "./experiment.ts";
import type { Pool } from "./pool.ts";
import type { Probe } from "./probe.ts";

export interface SurveyDependencies {
  readonly probe: Probe;
  /** Compares failures with other connections. Absent: no experiments. */
  readonly experiment?: RunExperiment;
  readonly neighbours: readonly Neighbour[];
  /** The name of the network that carries the traffic of an address. */
  readonly networkOf: (address: string) => string;
  /** An address at which an endpoint was seen earlier, here or elsewhere. */
  readonly seenAddressOf?: (url: string) => string | undefined;
  /** What a browser gets, asked after the probe. Absent: it is never asked. */
  readonly askBrowser?: (
    service: Service,
    endpoint: Endpoint,
    result: EndpointResult,
    wait: (ms: number) => Promise<void>,
  ) => Promise<BrowserView | undefined>;
  readonly pool: Pool;
  readonly backgroundOf: (endpoint: Endpoint) => Baseline;
  readonly confirmDelaysMs: readonly number[];
  /** Delay of one more attempt at a failure in doubt, milliseconds after the end of the first. Absent: never. */
  readonly doubtDelayMs?: number;
  /** Ends the survey: endpoints not yet probed are skipped. */
  readonly signal: AbortSignal;
  /** Ends early, without an error, when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  readonly emit: Emit;
}

/** An endpoint that is measured, and what is known of it. */
interface Task {
  readonly service: Service;
  readonly endpoint: Endpoint;
  readonly background: Baseline;
}

/** Measures every endpoint of the services and confirms changes. Gives the result of each endpoint, by URL. */
export async function probeServices(
  services: readonly Service[],
  deps: SurveyDependencies,
): Promise<ReadonlyMap<string, EndpointResult>> {
  const tasks = services.flatMap((service) =>
    service.endpoints.map((endpoint): Task => {
      return { service, endpoint, background: deps.backgroundOf(endpoint) };
    }),
  );
  const failing = new Set<string>();
  // Failing endpoints start first, because they probably take their whole time-out again and would delay the end of the run.
  const results = new Map<string, EndpointResult>();
  await Promise.all(
    tasks
      .toSorted((a, b) => rank(a) - rank(b))
      .map(async (task) => {
        const result = await measure(task, failing, deps);
        const { url } = task.endpoint;
        results.set(url, result);
        const progress = { done: results.size, total: tasks.length };
        const wasHealthy = task.background.lastState === "healthy";
        const { slug } = task.service;
        deps.emit({ event: "endpoint-measured", slug, url, result, wasHealthy, ...progress });
      }),
  );
  return results;
}

function rank({ background }: Task): number {
  return background.lastState === "failing" ? 0 : 1;
}

/** @param failing URLs whose last attempt failed, of all services; updated by this function. */
async function measure(
  { service, endpoint, background }: Task,
  failing: Set<string>,
  deps: SurveyDependencies,
): Promise<EndpointResult> {
  const { url } = endpoint;
  const { host } = new URL(url);
  const { doubtDelayMs, experiment, neighbours, networkOf, signal } = deps;
  const onWait = (attempt: number, waitMs: number): void =>
    deps.emit({ event: "confirming", slug: service.slug, url, attempt, waitMs });
  // Without another endpoint of the service that fails, no second failure supports this one.
  const isAlone = (): boolean =>
    service.endpoints.every((other) => other.url === url || !failing.has(other.url));
  const result = await measureEndpoint(background, {
    probe: async (attempt) => {
      const outcome = await deps.pool(host, () => deps.probe(endpoint, attempt, signal));
      if (outcome.kind === "failed") failing.add(url);
      else failing.delete(url);
      return outcome;
    },
    // Beside the probes of this host, but no more connections at once than the pool allows.
    experiment:
      experiment &&
      ((failure) =>
        deps.pool(`experiment ${host}`, () =>
          experiment(failure, { neighbours, networkOf, seen: deps.seenAddressOf?.(url) }, signal),
        )),
    sleep: (ms, end) => deps.sleep(ms, end === undefined ? signal : AbortSignal.any([signal, end])),
    now: deps.now,
    delaysMs: deps.confirmDelaysMs,
    doubt: doubtDelayMs === undefined ? undefined : { delayMs: doubtDelayMs, isAlone },
    onWait,
  });
  const browser = await deps.askBrowser?.(service, endpoint, result, async (waitMs) => {
    onWait(result.attempts.length, waitMs);
    await deps.sleep(waitMs, signal);
  });
  return browser === undefined ? result : { ...result, browser };
}
