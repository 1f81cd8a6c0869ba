import { Counter, Registry } from "prom-client";
import { VISITOR_PROBLEMS } from "../model/monitor/visitor-problems.ts";
import type { VisitorEdit } from "./apply-edit.ts";

/** Counts since the start. No label or value identifies a person, a network or a browser. */
export interface VisitorMetrics {
  readonly edits: Counter<"kind">;
  readonly refused: Counter<"problem">;
  /** The text format of Prometheus. */
  readonly render: () => Promise<string>;
}

const KINDS: readonly VisitorEdit["kind"][] = ["subscribe", "services", "unsubscribe"];

/** Its functions never throw. */
export function createVisitorMetrics(): VisitorMetrics {
  const registry = new Registry();
  const registers = [registry];
  const edits = new Counter({
    name: "status_snapshot_push_edits_total",
    help: "Subscriptions of browsers that were made, changed and ended.",
    labelNames: ["kind"],
    registers,
  });
  const refused = new Counter({
    name: "status_snapshot_push_requests_refused_total",
    help: "Requests about subscriptions that were refused, by reason.",
    labelNames: ["problem"],
    registers,
  });
  for (const kind of KINDS) edits.inc({ kind }, 0);
  for (const problem of Object.keys(VISITOR_PROBLEMS)) refused.inc({ problem }, 0);
  return { edits, refused, render: () => registry.metrics() };
}
