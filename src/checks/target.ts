import type { Monitor } from "../model/monitor.ts";
import { monitorLimits } from "../probe/limits.ts";
import type { ProbeTarget } from "../probe/probe.ts";

/** A monitor as the crew needs it. */
export interface CheckTarget extends Pick<Monitor, "id" | "url" | "expect" | "timeoutMs" | "body"> {
  /** How its last decided check ended. */
  readonly lastState: "healthy" | "failing" | "unknown";
  /** It was healthy before, so a refusal is a failure of its site. @default false */
  readonly wasHealthy?: boolean;
}

/** Statuses from here on are not healthy unless the owner says what to expect. Source: the product, monitors. */
const HEALTHY_BELOW = 400;

/** What is probed for a monitor, with limits of its own. */
export function toProbeTarget({ url, expect, timeoutMs, body }: CheckTarget): ProbeTarget {
  return {
    url,
    trust: "public",
    // Its owner says by statuses and texts what is healthy.
    works: "answer",
    ...(expect === undefined ? { healthyBelow: HEALTHY_BELOW } : { expect }),
    ...(body === undefined ? {} : { body }),
    limits: monitorLimits(timeoutMs, body !== undefined),
  };
}

/** Host of a URL, under which no two first checks run at once; empty when it is no URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}
