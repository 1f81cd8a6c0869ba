import { SECOND_MS } from "../model/time.ts";
import { StoreError } from "../model/store.ts";
import type { Check } from "./check.ts";
import { type RaceCount, type RaceRules, raceWriters } from "../store/races.ts";
import { SETTING_OF, type StoreRole } from "../store/settings.ts";
import { openChecked } from "../setup/stores.ts";

const WRITERS = 4;

export interface RaceCheckRules extends RaceRules {
  /** A name that no other doctor uses. */
  readonly newId: () => string;
}

/**
 * Whether the store keeps acknowledged writes of four concurrent writers, each with its own connections. Sequential requests do not show
 * that: some stores check the condition before the write, and another writer comes in between.
 */
export async function checkRaces(
  role: StoreRole,
  url: string,
  rules: RaceCheckRules,
): Promise<Check> {
  const name = `${SETTING_OF[role]} races`;
  try {
    const stores = await Promise.all(Array.from({ length: WRITERS }, () => openChecked(url, role)));
    const count = await raceWriters(stores, `doctor/races-${rules.newId()}`, rules);
    return { name, ...assessRaces(count, rules.forMs) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { name, result: "fail", detail: error.message };
  }
}

export function assessRaces(
  { acknowledged, lost, creations, badCreations, conflicts, unknown }: RaceCount,
  forMs: number,
): Pick<Check, "result" | "detail"> {
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
    return { result: "fail", detail: `${faults} ${during}.${unclear} ${cure}` };
  }
  if (acknowledged === 0 || conflicts === 0) {
    const detail = `unknown: ${acknowledged} updates were acknowledged ${during}, which met ${conflicts} times.${unclear} Give it more seconds.`;
    return { result: "warn", detail };
  }
  const detail = `${acknowledged} of ${acknowledged} acknowledged updates kept ${during}, ${creations} creations each won once; they met ${conflicts} times.${unclear}`;
  return { result: "ok", detail };
}
