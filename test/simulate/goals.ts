import { SECOND_MS } from "../../src/model/time.ts";
import type { VerdictCode } from "../../src/contract/codes/verdict.ts";
import { LENGTHS, ONE_DETECTION_MS, quantile } from "./outage-score.ts";
import type { Profile } from "./rates.ts";
import { OURS, type SimulationResult } from "./simulate.ts";

/** A figure and the bound that it has to keep. */
export interface Goal {
  readonly name: string;
  readonly goal: string;
  readonly found: string;
  readonly isMet: boolean;
}

/** Source: docs/services/simulation.md, "Goals". */
const FALSE_IN_30_DAYS: Readonly<Record<Profile, number>> = {
  calm: 1,
  realistic: 1,
  harsh: 5,
  hostile: Infinity,
};
const PRECISION: Readonly<Record<Profile, number>> = {
  calm: 0.97,
  realistic: 0.97,
  harsh: 0.9,
  hostile: 0,
};
const PRECISE: readonly VerdictCode[] = [
  "fail",
  "err",
  "restricted",
  "restricted_fail",
  "slow",
  "partial",
  "spike",
];
const SETTLED: readonly VerdictCode[] = ["restricted_fail", "partial", "slow"];
const MIN_SETTLED = 0.97;
/** By index of `LENGTHS`. */
const MAX_MISSED = [0.65, 0.2, 0.03, 0] as const;
const MAX_DELAY_MS = 290 * SECOND_MS;
const MIN_IN_TIME = 0.93;
const MAX_CHANGES = 1.1;
/** Fewer outages or samples say nothing about a share. */
const MIN_OUTAGES = 50;
const MIN_SAMPLES = 100;

/** The goals of a simulation, met or not; those without enough samples are left out. The shares of `harsh` are those of its noise. */
export function checkGoals(
  { outages, codes }: SimulationResult,
  days: number,
  profile: Profile,
): readonly Goal[] {
  const ours = outages.get(OURS);
  if (ours === undefined) throw new RangeError("a simulation without our own detector");
  const falseOnes = [...ours.falseByCause.values()].reduce((sum, count) => sum + count, 0);
  const told = ours.delaysMs.length;
  const median = quantile(ours.delaysMs, 0.5) ?? 0;
  const inTime = ours.delaysMs.filter((delay) => delay <= ONE_DETECTION_MS).length;
  const general = [
    atMost("false outages in 30 days", (falseOnes * 30) / days, FALSE_IN_30_DAYS[profile]),
    ...LENGTHS.flatMap((least, group) =>
      (ours.outages[group] ?? 0) < MIN_OUTAGES
        ? []
        : [
            shareAtMost(
              `missed of ${least}+ min`,
              ours.missed[group],
              ours.outages[group],
              MAX_MISSED[group],
            ),
          ],
    ),
    ...PRECISE.filter((code) => codes.precision.told[code] >= MIN_SAMPLES).map((code) =>
      shareAtLeast(
        `precision of \`${code}\``,
        codes.precision.true[code],
        codes.precision.told[code],
        PRECISION[profile],
      ),
    ),
  ];
  if (profile === "harsh" || profile === "hostile") return general;
  return [
    ...general,
    atMost("median delay, s", median / SECOND_MS, MAX_DELAY_MS / SECOND_MS),
    ...(told < MIN_OUTAGES
      ? []
      : [shareAtLeast("told within one detection", inTime, told, MIN_IN_TIME)]),
    ...SETTLED.filter((code) => codes.settled.byTruth[code] >= MIN_SAMPLES).map((code) =>
      shareAtLeast(
        `settled \`${code}\``,
        codes.settled.right[code],
        codes.settled.byTruth[code],
        MIN_SETTLED,
      ),
    ),
    atMost(
      "changes of code for each true one",
      codes.publishedChanges / codes.trueChanges,
      MAX_CHANGES,
    ),
  ];
}

function atMost(name: string, value: number, limit: number): Goal {
  return { name, goal: `≤ ${limit}`, found: value.toFixed(2), isMet: value <= limit };
}

function shareAtMost(name: string, part = 0, all = 0, limit = 0): Goal {
  const share = part / all;
  return { name, goal: `≤ ${percent(limit)}`, found: percent(share), isMet: share <= limit };
}

function shareAtLeast(name: string, part: number, all: number, limit: number): Goal {
  const share = part / all;
  return { name, goal: `≥ ${percent(limit)}`, found: percent(share), isMet: share >= limit };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
