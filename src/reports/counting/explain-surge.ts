import { NO_RECENT_REPORTS } from "../../model/service/recent-reports.ts";
import {
  NO_SURGE,
  type ReportLedger,
  type ServiceReports,
  type Surge,
  SURGE_SLOT_MS,
  type Symptom,
} from "../../model/service/reports.ts";
import {
  countBeyondShare,
  countSymptoms,
  countWithin,
  MINUTES_PER_DAY,
  MINUTES_PER_HOUR,
  type WindowCounts,
} from "./counts.ts";
import {
  observe,
  COLD_THRESHOLD,
  isQuiet,
  isSpread,
  isStarting,
  sharpThreshold,
  tailProbability,
  findIgnoredNetworks,
  WINDOW_SLOTS,
} from "./surge.ts";

/** Why the reports of a service are a surge or not. */
export interface ReportExplanation {
  readonly hour: WindowCounts;
  readonly day: WindowCounts;
  /** Of the last hour: accepted, but not counted, because their block exceeds its share. */
  readonly beyondShare: number;
  readonly symptoms: ReadonlyMap<Symptom, number>;
  /** Of the first report; null if there was none. */
  readonly firstAtMs: number | null;
  /** The 15 minutes of this evaluation. */
  readonly window: { readonly fromMs: number; readonly toMs: number };
  /** Distinct networks in the window without the ignored ones: the n of the detector. */
  readonly networks: number;
  /** Networks that reported more than five services in the window. */
  readonly ignoredNetworks: number;
  /** Distinct blocks of these networks. */
  readonly blocks: number;
  /** Networks in the largest block. */
  readonly largestBlock: number;
  /** `cold`: less than seven days of history, so a fixed threshold applies. */
  readonly rule: "seasonal" | "cold";
  /** Reports expected in this window, μ. */
  readonly expected: number;
  /** Of as many or more by chance, given `expected`. Not used by the cold rule. */
  readonly probability: number;
  /** The least number of networks that starts a surge. */
  readonly threshold: number;
  /** At least four blocks, and none with more than half of the networks. */
  readonly isSpread: boolean;
  readonly isStarting: boolean;
  readonly isQuiet: boolean;
  readonly surge: Surge;
  /** The last evaluation; null before the first. */
  readonly evaluatedAtMs: number | null;
  /** Services whose surge is attributed to one event of the network. */
  readonly heldServices: number;
}

/** The input and result of an evaluation at the slot of `nowMs`, and the surge after the last evaluation. Pure. */
export function explainReports(
  ledger: ReportLedger,
  slug: string,
  nowMs: number,
): ReportExplanation {
  const slot = Math.floor(nowMs / SURGE_SLOT_MS);
  const toMs = slot * SURGE_SLOT_MS;
  const known = ledger.services.get(slug);
  const service = known ?? unreported(toMs);
  const observation = observe(service, slot, findIgnoredNetworks(ledger.services, slot));
  return {
    hour: countWithin(service.minutes, MINUTES_PER_HOUR, nowMs),
    day: countWithin(service.minutes, MINUTES_PER_DAY, nowMs),
    beyondShare: countBeyondShare(service, nowMs),
    symptoms: countSymptoms(service, nowMs),
    firstAtMs: known?.firstAtMs ?? null,
    window: { fromMs: toMs - WINDOW_SLOTS * SURGE_SLOT_MS, toMs },
    networks: observation.count,
    ignoredNetworks: observation.ignored,
    blocks: observation.blocks,
    largestBlock: observation.largestBlock,
    rule: observation.isCold ? "cold" : "seasonal",
    expected: observation.mean,
    probability: tailProbability(observation.count, observation.mean),
    threshold: observation.isCold ? COLD_THRESHOLD : sharpThreshold(observation.mean),
    isSpread: isSpread(observation),
    isStarting: isStarting(observation),
    isQuiet: isQuiet(observation),
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
    recent: NO_RECENT_REPORTS,
    hours: [],
    surge: NO_SURGE,
  };
}
