import type { Catalogue } from "../model/service/catalogue.ts";
import { buildProbeDependencies, type ProbeConfig } from "../probe/probe-config.ts";
import { type AnchorTries, isUnreachable, probeAnchors } from "../probe/anchors.ts";
import { createPool } from "../probe/pool.ts";
import { createProbe } from "../probe/probe.ts";
import type { Check } from "./check.ts";
import { describeOutcome } from "../cli/output/outcome-text.ts";

const NAME = "anchors";
const POOL = { concurrency: 16, perHost: 2 };

/**
 * Probes each anchor as a run does. Without a dead anchor, runs cannot prove that its network is reachable. If all are dead, this machine
 * is offline, or the network options are wrong.
 */
export async function checkAnchors(
  { anchors }: Catalogue,
  config: ProbeConfig,
  stop: AbortSignal,
): Promise<Check> {
  const probe = createProbe(buildProbeDependencies(config));
  const round = await probeAnchors("start", anchors, { probe, pool: createPool(POOL) }, stop);
  const dead = round.anchors.filter(isUnreachable);
  if (dead.length === 0)
    return { name: NAME, result: "ok", detail: `all ${anchors.length} anchors answer` };
  const isOffline = dead.length === anchors.length;
  const what = isOffline
    ? "no anchor answers: a run from here would be offline"
    : `${dead.length} of ${anchors.length} anchors do not answer`;
  const cure = isOffline
    ? "Check the network connection of this machine, and --dns."
    : "If that lasts, put others of the same networks into the catalogue.";
  const detail = `${what} (${dead.map(describeDead).join("; ")}). ${cure}`;
  return { name: NAME, result: isOffline ? "fail" : "warn", detail };
}

function describeDead({ anchor, tries: [first] }: AnchorTries): string {
  return `${anchor.url}: ${first === undefined ? "not tried" : describeOutcome(first)}`;
}
