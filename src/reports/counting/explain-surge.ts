import { type ReportLedger, SURGE_SLOT_MS } from "../../model/service/reports.ts";
import { NO_ROWS } from "./fold-reports.ts";
import { sumOperators, usualSharesOf } from "./by-operator.ts";
import {
  countBeyondShare,
  countSymptoms,
  countWithin,
  MINUTES_PER_DAY,
  MINUTES_PER_HOUR,
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

/** Why the reports of a service are a surge or not: the input and result of an evaluation at the slot of `nowMs`, and the surge after the last evaluation. Pure. */
export function explainReports(ledger: ReportLedger, slug: string, nowMs: number) {
  const slot = Math.floor(nowMs / SURGE_SLOT_MS);
  const toMs = slot * SURGE_SLOT_MS;
  const known = ledger.services.get(slug);
  const service = known ?? { ...NO_ROWS, firstAtMs: toMs };
  const observation = observe(service, slot, findIgnoredNetworks(ledger.services, slot));
  const { count, ignored, blocks, largestBlock, isCold, mean } = observation;
  return {
    hour: countWithin(service.minutes, MINUTES_PER_HOUR, nowMs),
    day: countWithin(service.minutes, MINUTES_PER_DAY, nowMs),
    /** Of the last hour: accepted, but not counted, because their block exceeds its share. */
    beyondShare: countBeyondShare(service, nowMs),
    operators: sumOperators(known, usualSharesOf(ledger)(slug), nowMs),
    symptoms: countSymptoms(service, nowMs),
    /** Of the first report; null if there was none. */
    firstAtMs: known?.firstAtMs ?? null,
    /** The 15 minutes of this evaluation. */
    window: { fromMs: toMs - WINDOW_SLOTS * SURGE_SLOT_MS, toMs },
    /** Distinct networks in the window without the ignored ones: the n of the detector. */
    networks: count,
    /** Networks that reported more than five services in the window. */
    ignoredNetworks: ignored,
    blocks,
    largestBlock,
    /** `cold`: less than seven days of history, so a fixed threshold applies. */
    rule: isCold ? ("cold" as const) : ("seasonal" as const),
    /** Reports expected in this window, μ. */
    expected: mean,
    /** Of as many or more by chance, given `expected`. Not used by the cold rule. */
    probability: tailProbability(count, mean),
    /** The least number of networks that starts a surge. */
    threshold: isCold ? COLD_THRESHOLD : sharpThreshold(mean),
    isSpread: isSpread(observation),
    isStarting: isStarting(observation),
    isQuiet: isQuiet(observation),
    surge: service.surge,
    /** The last evaluation; null before the first. */
    evaluatedAtMs: ledger.evaluatedSlot === -1 ? null : ledger.evaluatedSlot * SURGE_SLOT_MS,
    /** Services whose surge is attributed to one event of the network. */
    heldServices: [...ledger.services.values()].filter(({ surge }) => surge.phase === "held")
      .length,
  };
}

export type ReportExplanation = ReturnType<typeof explainReports>;
