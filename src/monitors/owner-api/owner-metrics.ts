import { Counter, Gauge, Registry } from "prom-client";
import { OWNER_PROBLEMS } from "../../model/monitor/owner-problems.ts";
import type { OwnerBook } from "./owner-book.ts";

/** Counts since the start. No label or value identifies a person, a network or a monitor. */
export interface OwnerMetrics {
  readonly edits: Counter<"kind">;
  readonly refused: Counter<"problem">;
  /** The text format of Prometheus. */
  readonly render: () => Promise<string>;
}

/** Its functions never throw. */
export function createOwnerMetrics({ index, unfolded }: OwnerBook): OwnerMetrics {
  const registry = new Registry();
  const registers = [registry];
  const edits = new Counter({
    name: "status_snapshot_owner_edits_total",
    help: "Edits of owned monitors that were accepted, by kind.",
    labelNames: ["kind"],
    registers,
  });
  const refused = new Counter({
    name: "status_snapshot_owner_requests_refused_total",
    help: "Requests of owners that were refused, by reason.",
    labelNames: ["problem"],
    registers,
  });
  for (const problem of Object.keys(OWNER_PROBLEMS)) refused.inc({ problem }, 0);
  const gauges = [
    ["monitors", "Owned monitors that are known, proved or not.", index.size],
    ["monitors_pending", "Owned monitors that wait for their first proof.", index.pending],
    ["edits_waiting", "Accepted edits that no generation has counted yet.", unfolded],
  ] as const;
  const measured = gauges.map(([name, help, valueOf]) => ({
    gauge: new Gauge({ name: `status_snapshot_owner_${name}`, help, registers }),
    valueOf,
  }));
  return {
    edits,
    refused,
    render: () => {
      for (const { gauge, valueOf } of measured) gauge.set(valueOf());
      return registry.metrics();
    },
  };
}
