import {
  type CheckResult,
  countRefusal,
  MONITOR_WARNINGS,
  type MonitorWarning,
} from "../../model/monitor/monitor.ts";
import { isRefusal } from "../../model/failures.ts";
import type { EndpointResult, Outcome } from "../../model/probe-outcome.ts";
import { type ConfirmDependencies, measureEndpoint } from "../../probe/confirm-change.ts";
import { createPool, type Pool } from "../../probe/pool.ts";
import type { Probe } from "../../probe/probe.ts";
import { type CheckTarget, type HostGroup, hostOfTarget, toProbeTarget } from "./check-target.ts";
import type { ConcurrencyLimits } from "./messages.ts";

export interface HostQueuesDependencies extends Pick<ConfirmDependencies, "now" | "sleep"> {
  readonly probe: Probe;
  readonly pace: ConcurrencyLimits;
  /** Ends active checks; monitors that wait for their confirmation get no result. */
  readonly signal: AbortSignal;
  readonly report: (id: string, verdict: CheckResult) => void;
  /** Called when fewer targets than lanes remain, repeatedly until more come. */
  readonly onLow: () => void;
}

/** Monitors that wait for their confirmation, some kilobytes each. If nearly all fail, the lanes wait for them. */
const MAX_WAITING = 20_000;

/** Checks hosts concurrently, each in one lane, which goes on while a monitor waits for its confirmation in a pool of its own. */
export class HostQueues {
  readonly #deps: HostQueuesDependencies;
  readonly #confirmations: Pool;
  #queue: HostGroup[] = [];
  #next = 0;
  #waiting = 0;
  /** Active lanes. */
  busy = 0;
  /** Targets that have not begun. */
  backlog = 0;
  readonly #blocked: (() => void)[] = [];

  constructor(deps: HostQueuesDependencies) {
    this.#deps = deps;
    this.#confirmations = createPool({ concurrency: deps.pace.confirmations, perHost: 1 });
  }

  add(groups: readonly HostGroup[]): void {
    this.#queue = [...this.#queue.slice(this.#next), ...groups];
    this.#next = 0;
    for (const group of groups) this.backlog += group.length;
    const idle = this.#deps.pace.lanes - this.busy;
    // An exception in a lane is a defect and ends the worker.
    for (let lane = 0; lane < Math.min(idle, this.#queue.length); lane += 1) void this.#runLane();
  }

  async #runLane(): Promise<void> {
    this.busy += 1;
    for (let group = this.#take(); group !== undefined; group = this.#take()) {
      for (const target of group) {
        this.backlog -= 1;
        if (this.backlog < this.#deps.pace.lanes) this.#deps.onLow();
        if (!this.#deps.signal.aborted) await this.#check(target);
      }
    }
    this.busy -= 1;
  }

  #take(): HostGroup | undefined {
    if (this.#deps.signal.aborted) return undefined;
    const group = this.#queue[this.#next];
    this.#next += 1;
    return group;
  }

  async #check(target: CheckTarget): Promise<void> {
    const host = hostOfTarget(target.url);
    if (host === "") return this.#report(target, { kind: "refused", code: "url-refused" });
    while (this.#waiting >= MAX_WAITING)
      await new Promise<void>((resolve) => this.#blocked.push(resolve));
    const first = await this.#deps.probe(toProbeTarget(target), 0, this.#deps.signal);
    this.#waiting += 1;
    void this.#decide(target, host, first);
  }

  async #decide(target: CheckTarget, host: string, first: Outcome): Promise<void> {
    const { outcome } = await this.#confirm(target, host, first);
    this.#waiting -= 1;
    this.#blocked.shift()?.();
    this.#report(target, classifyCheck(outcome));
  }

  #report({ id, wasHealthy = false }: CheckTarget, verdict: CheckResult): void {
    this.#deps.report(id, countRefusal(verdict, wasHealthy));
  }

  async #confirm(target: CheckTarget, host: string, first: Outcome): Promise<EndpointResult> {
    // Our own guard refuses: while a refusal does not count, it needs no confirmation.
    if (classifyCheck(first).kind === "refused" && target.wasHealthy !== true)
      return { outcome: first, isFlaky: false, attempts: [first] };
    const { probe, pace, signal, sleep, now } = this.#deps;
    return measureEndpoint(
      // The response time of a monitor is not evaluated.
      { lastState: target.lastState, slowMs: Number.POSITIVE_INFINITY },
      {
        probe: (attempt) =>
          attempt === 0
            ? Promise.resolve(first)
            : this.#confirmations(host, () => probe(toProbeTarget(target), attempt, signal)),
        sleep,
        now,
        delaysMs: pace.confirmDelaysMs,
        onWait: () => {},
      },
    );
  }
}

/** The result of an outcome for a monitor that was never healthy. Only healthy and failing checks count towards its uptime. */
export function classifyCheck(outcome: Outcome): CheckResult {
  switch (outcome.kind) {
    case "ok":
    case "denied": {
      const { wall, timings, hasRefusedAddresses, oddities = [] } = outcome.trace;
      if (wall !== undefined) return { kind: "skipped", isWalled: true };
      const { totalMs } = timings;
      const found: readonly MonitorWarning[] =
        hasRefusedAddresses === true ? ["mixed-addresses", ...oddities] : oddities;
      const warning = MONITOR_WARNINGS.find((one) => found.includes(one));
      return { kind: "healthy", totalMs, ...(warning === undefined ? {} : { warning }) };
    }
    case "skipped":
      return { kind: "skipped" };
    case "failed":
      return { kind: isRefusal(outcome.code) ? "refused" : "failing", code: outcome.code };
  }
}
