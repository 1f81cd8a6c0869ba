import type { ToldOutage, TruthEntry } from "../../model/service/accuracy.ts";
import { FRESH_MS } from "../../model/time.ts";

/** What the truth says of an outage that we told. `unclear`: the service was slow. */
export type Judgement = "right" | "false" | "unclear";

/** Sources round their times, and a verdict needs a few minutes, so an entry counts this much earlier and later. */
const SLACK_MS = FRESH_MS;

/** Entries by slug. */
export type TruthIndex = ReadonlyMap<string, readonly TruthEntry[]>;

export function indexTruth(entries: readonly TruthEntry[]): TruthIndex {
  const bySlug = new Map<string, TruthEntry[]>();
  for (const entry of entries) {
    const own = bySlug.get(entry.slug);
    if (own === undefined) bySlug.set(entry.slug, [entry]);
    else own.push(entry);
  }
  return bySlug;
}

/** What the truth says of an outage; undefined: nothing. An entry about an outage outweighs one that says that the service worked. */
export function judgeOutage(outage: ToldOutage, truth: TruthIndex): Judgement | undefined {
  const own = truth.get(outage.slug) ?? [];
  if (own.some((entry) => isOutage(entry) && isMet(entry, outage))) return "right";
  if (own.some((entry) => entry.what === "worked" && isIn(entry, outage.toldAtMs))) return "false";
  return own.some((entry) => entry.what === "slow" && isMet(entry, outage)) ? "unclear" : undefined;
}

/** Whether an entry says that the service did not work. */
export function isOutage({ what }: TruthEntry): boolean {
  return what === "outage" || what === "blocked";
}

/** Whether an outage that we told is about an entry. */
export function isMet({ fromMs, toMs }: TruthEntry, { toldAtMs, endedAtMs }: ToldOutage): boolean {
  const isBegun = toMs === null || toldAtMs < toMs + SLACK_MS;
  return isBegun && (endedAtMs === null || endedAtMs > fromMs - SLACK_MS);
}

function isIn({ fromMs, toMs }: TruthEntry, atMs: number): boolean {
  return fromMs <= atMs && (toMs === null || atMs < toMs);
}
