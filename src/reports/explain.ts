import { NOBODY_RECENT } from "../model/recent.ts";
import {
  NO_SURGE,
  type ReportLedger,
  type ServiceReports,
  type Surge,
  SURGE_SLOT_MS,
  type Symptom,
} from "../model/reports.ts";
import {
  countBeyondShare,
  countSymptoms,
  countWithin,
  MINUTES_PER_DAY,
  MINUTES_PER_HOUR,
  type WindowCounts,
} from "./counts.ts";
import { observe } from "./observe.ts";
import { COLD_THRESHOLD, isQuiet, isSpread, isStarting } from "./surge.ts";
import { sharpThreshold, tailProbability } from "./tail.ts";
import { findHopping, WINDOW_SLOTS } from "./window.ts";

/** Why the reports of a service are a surge, or are none. */
export interface ReportExplanation {
  readonly hour: WindowCounts;
  readonly day: WindowCounts;
  /** Of the last hour: accepted, but not counted, because their block has sent more than its share. */
  readonly beyondShare: number;
  readonly symptoms: ReadonlyMap<Symptom, number>;
  /** Of the first report ever; null when there was none. */
  readonly firstAtMs: number | null;
  /** The 15 minutes that the evaluation of this slot looks at. */
  readonly window: { readonly fromMs: number; readonly toMs: number };
  /** Distinct networks in the window, without the ignored: the n of the detector. */
  readonly networks: number;
  /** Networks that reported more than five services in the window. */
  readonly ignoredNetworks: number;
  /** Distinct blocks of these networks. */
  readonly blocks: number;
  /** Networks in the block that has most of them. */
  readonly largestBlock: number;
  /** `cold`: under seven days of history, so that a fixed threshold holds. */
  readonly rule: "seasonal" | "cold";
  /** Reports that such a window should bring, μ. */
  readonly expected: number;
  /** Of as many or more by chance, given `expected`. Not looked at by the cold rule. */
  readonly probability: number;
  /** The least number of networks that starts a surge. */
  readonly threshold: number;
  /** Four blocks, and none with more than half of the networks. */
  readonly isSpread: boolean;
  readonly isStarting: boolean;
  readonly isQuiet: boolean;
  readonly surge: Surge;
  /** The last evaluation; null before the first. */
  readonly evaluatedAtMs: number | null;
  /** Services whose rise is put down to one event of the network. */
  readonly heldServices: number;
}

/** What the evaluation of the slot of `nowMs` sees of a service, and what the last one left behind. Changes nothing. */
export function explainReports(
  ledger: ReportLedger,
  slug: string,
  nowMs: number,
): ReportExplanation {
  const slot = Math.floor(nowMs / SURGE_SLOT_MS);
  const toMs = slot * SURGE_SLOT_MS;
  const known = ledger.services.get(slug);
  const service = known ?? unreported(toMs);
  const seen = observe(service, slot, findHopping(ledger.services, slot));
  return {
    hour: countWithin(service.minutes, MINUTES_PER_HOUR, nowMs),
    day: countWithin(service.minutes, MINUTES_PER_DAY, nowMs),
    beyondShare: countBeyondShare(service, nowMs),
    symptoms: countSymptoms(service, nowMs),
    firstAtMs: known?.firstAtMs ?? null,
    window: { fromMs: toMs - WINDOW_SLOTS * SURGE_SLOT_MS, toMs },
    networks: seen.count,
    ignoredNetworks: seen.ignored,
    blocks: seen.blocks,
    largestBlock: seen.largestBlock,
    rule: seen.isCold ? "cold" : "seasonal",
    expected: seen.mean,
    probability: tailProbability(seen.count, seen.mean),
    threshold: seen.isCold ? COLD_THRESHOLD : sharpThreshold(seen.mean),
    isSpread: isSpread(seen),
    isStarting: isStarting(seen),
    isQuiet: isQuiet(seen),
    surge: service.surge,
    evaluatedAtMs: ledger.evaluatedSlot === -1 ? null : ledger.evaluatedSlot * SURGE_SLOT_MS,
    heldServices: [...ledger.services.values()].filter(({ surge }) => surge.phase === "held")
      .length,
  };
}

function unreported(firstAtMs: number): ServiceReports {
  return {
    firstAtMs,
    minutes: [],
    symptoms: [],
    recent: NOBODY_RECENT,
    hours: [],
    surge: NO_SURGE,
  };
}
