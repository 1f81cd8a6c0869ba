import { SECOND_MS } from "../model/time.ts";
import { type Check, attempt, fail, type CheckFinding, ok, warn } from "./check.ts";
import { type RaceCount, type RaceRules, raceWriters } from "../store/conditional-write-check.ts";
import { SETTING_OF, type StoreRole } from "../store/store-error.ts";
import { randomUUID } from "node:crypto";
import { openChecked } from "../setup/stores.ts";

const WRITERS = 4;

/**
 * Whether the store keeps acknowledged writes of four concurrent writers, each with its own connections. Sequential requests do not show
 * that: some stores check the condition before the write, and another writer comes in between.
 */
export async function checkRaces(role: StoreRole, url: string, rules: RaceRules): Promise<Check> {
  const counted = await attempt(async () => {
    const stores = await Promise.all(Array.from({ length: WRITERS }, () => openChecked(url, role)));
    return raceWriters(stores, `doctor/races-${randomUUID()}`, rules);
  });
  const finding =
    counted instanceof Error ? fail(counted.message) : assessRaces(counted, rules.forMs);
  return { name: `${SETTING_OF[role]} races`, ...finding };
}

export function assessRaces(
  { acknowledged, lost, creations, badCreations, conflicts, unknown }: RaceCount,
  forMs: number,
): CheckFinding {
  const during = `in ${forMs / SECOND_MS} s by four writers`;
  const unclear = unknown === 0 ? "" : ` The outcome of ${unknown} more is unknown.`;
  if (lost > 0 || badCreations > 0) {
    const faults = [
      ...(lost > 0 ? [`${lost} of ${acknowledged} acknowledged updates were lost`] : []),
      ...(badCreations > 0
        ? [`${badCreations} of ${creations} creations were won by several writers, or did not stay`]
        : []),
    ].join(" and ");
    const cure = "Let one writer at a time use it: no overlapping runs, no intake.";
    return fail(`${faults} ${during}.${unclear} ${cure}`);
  }
  if (acknowledged === 0 || conflicts === 0) {
    return warn(
      `unknown: ${acknowledged} updates were acknowledged ${during}, which met ${conflicts} times.${unclear} Give it more seconds.`,
    );
  }
  return ok(
    `${acknowledged} of ${acknowledged} acknowledged updates kept ${during}, ${creations} creations each won once; they met ${conflicts} times.${unclear}`,
  );
}
