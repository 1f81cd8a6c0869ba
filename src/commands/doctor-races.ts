import { SECOND_MS } from "../model/time.ts";
import { type ObjectStore, StoreError } from "../model/store.ts";
import type { Check } from "../render/checks.ts";
import { openStore } from "../store/open.ts";
import { type RaceCount, type RaceRules, raceWriters } from "../store/races.ts";
import { SETTING_OF, type StoreRole } from "../store/settings.ts";
import type { Parsed } from "./settings.ts";

/** What loses one update of fifty shows in so many seconds: of versitygw 1.8.0 with `--sidecar` 3 of 172 were lost. */
const DEFAULT_SECONDS = 20;
const MOST_SECONDS = 600;
const WRITERS = 4;

/** How long writers race, in milliseconds; undefined: not at all. */
export function parseRaces(text: string | true | undefined): Parsed<number | undefined> {
  if (text === undefined) return { value: undefined };
  const seconds = text === true ? DEFAULT_SECONDS : Number(text);
  const isNumber = text === true || /^\d+(\.\d+)?$/u.test(text);
  if (isNumber && seconds > 0 && seconds <= MOST_SECONDS) return { value: seconds * SECOND_MS };
  return { problem: `--races ${text}: give seconds up to ${MOST_SECONDS}, or none for 20.` };
}

export interface RaceCheckRules extends RaceRules {
  /** A new name that no other doctor takes. */
  readonly newId: () => string;
}

/**
 * Whether the store keeps what it acknowledges while four writers are at it. What a store makes of conditions one after the other does
 * not tell: some look first and write afterwards, and another writer comes in between. Each writer has connections of its own.
 */
export async function checkRaces(
  role: StoreRole,
  url: string,
  rules: RaceCheckRules,
): Promise<Check> {
  const name = `${SETTING_OF[role]} races`;
  try {
    const stores = await Promise.all(Array.from({ length: WRITERS }, () => open(url, role)));
    const count = await raceWriters(stores, `doctor/races-${rules.newId()}`, rules);
    return { name, ...judgeRaces(count, rules.forMs) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { name, result: "fail", detail: error.message };
  }
}

async function open(url: string, role: StoreRole): Promise<ObjectStore> {
  const opened = await openStore(url, { role });
  if (opened.kind === "refused") throw new TypeError(opened.message);
  return opened.store;
}

/** What a count says of a store. */
export function judgeRaces(
  { acknowledged, lost, creations, badCreations, conflicts, unknown }: RaceCount,
  forMs: number,
): Pick<Check, "result" | "detail"> {
  const during = `in ${forMs / SECOND_MS} s by four writers`;
  const unclear = unknown === 0 ? "" : ` Of ${unknown} more the outcome is not known.`;
  if (lost > 0 || badCreations > 0) {
    const faults = [
      ...(lost > 0 ? [`${lost} of ${acknowledged} acknowledged updates were lost`] : []),
      ...(badCreations > 0
        ? [`${badCreations} of ${creations} creations were won by more than one, or did not stay`]
        : []),
    ].join(" and ");
    const cure = "Let one writer at a time use it: no overlapping runs, no intake.";
    return { result: "fail", detail: `${faults} ${during}.${unclear} ${cure}` };
  }
  if (acknowledged === 0 || conflicts === 0) {
    const detail = `not known: ${acknowledged} updates were acknowledged ${during}, which met ${conflicts} times.${unclear} Give it more seconds.`;
    return { result: "warn", detail };
  }
  const detail = `${acknowledged} of ${acknowledged} acknowledged updates kept ${during}, ${creations} creations each won once; they met ${conflicts} times.${unclear}`;
  return { result: "ok", detail };
}
