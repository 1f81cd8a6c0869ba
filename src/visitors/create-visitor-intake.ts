import type { BlockList } from "node:net";
import type { Hono } from "hono";
import { Counter, Registry } from "prom-client";
import type { OriginRules } from "../http-server/cors-origin.ts";
import type { ToNetworkKey } from "../http-server/network-key.ts";
import { createFloodGuard, type FloodLimits } from "../http-server/rate-limit.ts";
import { DAY_MS, SECOND_MS } from "../model/time.ts";
import { VISITOR_PROBLEMS } from "../model/monitor/problems.ts";
import type { VisitorEdit } from "./apply-edit.ts";
import { createVisitorWriter, type VisitorStorage } from "./edit-writer.ts";
import type { VisitorRules } from "./read-request.ts";
import { createVisitorApi, type VisitorEnv } from "./visitor-routes.ts";

/** As for owners: a page changes its subscription at each press of a button. */
const REQUESTS: FloodLimits = { burst: 60, perSecond: 1 };

/** A network is a whole mobile gateway at times. Source: docs/notify.md, "Visitors' browsers". */
const SUBSCRIPTIONS: FloodLimits = { burst: 300, perSecond: (300 * SECOND_MS) / DAY_MS };

/** A block is a provider at times, but one owner of an IPv6 /32 has 65,536 networks. */
const SUBSCRIPTIONS_OF_BLOCK: FloodLimits = {
  burst: 3_000,
  perSecond: (3_000 * SECOND_MS) / DAY_MS,
};

/** Settings and dependencies of the visitors' part of an intake. */
export interface VisitorIntakeSettings extends OriginRules {
  readonly rules: VisitorRules;
  /** Whether a notifier sends what browsers ask for. */
  readonly isOn: boolean;
  readonly proxies: BlockList;
  readonly toNetworkKey: ToNetworkKey;
  readonly storage: VisitorStorage;
  readonly nowMs: () => number;
  readonly onFailure: (message: string) => void;
  readonly requests?: FloodLimits;
  readonly subscriptions?: FloodLimits;
}

export interface VisitorIntake {
  readonly path: "/push";
  /** `/push…`. */
  readonly app: Hono<VisitorEnv>;
  /** The text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Ends the running writes. */
  readonly close: () => Promise<void>;
}

/** Opens the visitors' part of an intake. It reads nothing before the first request. */
export function createVisitorIntake(settings: VisitorIntakeSettings): VisitorIntake {
  const metrics = createVisitorMetrics();
  const writer = createVisitorWriter(settings.storage, settings);
  const app = createVisitorApi({
    ...settings,
    persist: writer.persist,
    limitRate: createFloodGuard(settings.requests ?? REQUESTS),
    limitSubscriptions: createFloodGuard(settings.subscriptions ?? SUBSCRIPTIONS),
    limitBlock: createFloodGuard(SUBSCRIPTIONS_OF_BLOCK),
    onKept: (kind) => metrics.edits.inc({ kind }),
    onRefused: (problem) => metrics.refused.inc({ problem }),
  });
  return { path: "/push", app, metrics: metrics.render, close: writer.close };
}

/** Counts since the start. No label or value identifies a person, a network or a browser. */
interface VisitorMetrics {
  readonly edits: Counter<"kind">;
  readonly refused: Counter<"problem">;
  /** The text format of Prometheus. */
  readonly render: () => Promise<string>;
}

const KINDS: readonly VisitorEdit["kind"][] = ["subscribe", "services", "unsubscribe"];

/** Its functions never throw. */
function createVisitorMetrics(): VisitorMetrics {
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
