import type { BlockList } from "node:net";
import type { Hono } from "hono";
import type { OriginRules } from "../http-server/cors-origin.ts";
import type { ToNetworkKey } from "../http-server/network-key.ts";
import { createFloodGuard, type FloodLimits } from "../http-server/rate-limit.ts";
import { DAY_MS, SECOND_MS } from "../model/time.ts";
import { createVisitorWriter, type EditShard } from "./edit-writer.ts";
import type { VisitorRules } from "./read-request.ts";
import { createVisitorMetrics } from "./visitor-metrics.ts";
import { createVisitorApi, type VisitorEnv } from "./visitor-routes.ts";

/** As for owners: a page changes its subscription at each press of a button. */
const REQUESTS: FloodLimits = { burst: 60, perSecond: 1 };

/** A network is a whole mobile gateway at times. Source: docs/notify.md, "Visitors' browsers". */
const SUBSCRIPTIONS: FloodLimits = { burst: 300, perSecond: (300 * SECOND_MS) / DAY_MS };

/** Settings and dependencies of the visitors' part of an intake. */
export interface VisitorIntakeSettings extends OriginRules {
  readonly rules: VisitorRules;
  /** Whether a notifier sends what browsers ask for. */
  readonly isOn: boolean;
  readonly proxies: BlockList;
  readonly toNetworkKey: ToNetworkKey;
  readonly editShard: EditShard;
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
  const writer = createVisitorWriter(settings.editShard, settings);
  const app = createVisitorApi({
    ...settings,
    persist: writer.persist,
    limitRate: createFloodGuard(settings.requests ?? REQUESTS),
    limitSubscriptions: createFloodGuard(settings.subscriptions ?? SUBSCRIPTIONS),
    onKept: (kind) => metrics.edits.inc({ kind }),
    onRefused: (problem) => metrics.refused.inc({ problem }),
  });
  return { path: "/push", app, metrics: metrics.render, close: writer.close };
}
