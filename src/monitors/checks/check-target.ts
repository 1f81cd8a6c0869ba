import type { CheckedMonitor } from "../../model/monitor/monitor.ts";
import { monitorLimits } from "../../probe/limits.ts";
import type { ProbeTarget } from "../../probe/probe.ts";

/** A monitor as the workers need it. */
export interface CheckTarget extends CheckedMonitor {
  /** Result of its last decided check. */
  readonly lastState: "healthy" | "failing" | "unknown";
  /** It was healthy before, so a refusal is a failure of its site. @default false */
  readonly wasHealthy?: boolean;
}

/**
 * Statuses from this one on are not healthy, unless the owner configures the expected ones. Source: docs/probe/measurement.md,
 * "Monitors".
 */
const HEALTHY_BELOW = 400;

/** The probe of a monitor, with limits of its own. */
export function toProbeTarget({ url, expect, timeoutMs, body }: CheckTarget): ProbeTarget {
  return {
    url,
    trust: "public",
    // Its owner defines healthy by statuses and texts.
    works: "answer",
    ...(expect === undefined ? { healthyBelow: HEALTHY_BELOW } : { expect }),
    ...(body === undefined ? {} : { body }),
    limits: monitorLimits(timeoutMs, body !== undefined),
  };
}

/** Host of a URL; first checks of one host never run concurrently. Empty if the text is not a URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}
