import { toUtcDay } from "../../model/time.ts";
import type { DayTally, HeardResult, Vantage, VantagesState } from "../../model/service/vantage.ts";
import type { Endpoint } from "../../model/service/catalogue.ts";

/** Days that count. */
const DAYS = 7;

/** Slots that a control needs before its failures mean anything. */
const MIN_SLOTS = 200;

/** Share of these slots in which it has to have worked. Source: docs/services/scope.md, "Calibration". */
const MIN_HEALTHY_RATIO = 0.95;

/**
 * Whether a failure of this endpoint means anything at this vantage: it usually works there. Government sites and banks answer Russia
 * only, and walls against bots refuse data centres, so that a control never sees them.
 */
export function isCalibrated(days: readonly DayTally[], nowMs: number): boolean {
  const recent = days.filter(({ day }) => isRecent(day, nowMs));
  const healthy = recent.reduce((sum, one) => sum + one.healthy, 0);
  const slots = recent.reduce((sum, one) => sum + one.healthy + one.failed, 0);
  return slots >= MIN_SLOTS && healthy >= MIN_HEALTHY_RATIO * slots;
}

/**
 * The tally with one more slot, in which the endpoint answered the runner. A result that says nothing about the endpoint changes nothing.
 */
export function tally(
  days: readonly DayTally[],
  { code }: HeardResult,
  nowMs: number,
): readonly DayTally[] {
  if (code === "skipped" || code === "denied") return days;
  const day = toUtcDay(nowMs);
  const kept = days.filter((one) => isRecent(one.day, nowMs) && one.day !== day);
  const today = days.find((one) => one.day === day) ?? { day, healthy: 0, failed: 0 };
  const field = code === "ok" ? "healthy" : "failed";
  return [...kept, { ...today, [field]: today[field] + 1 }];
}

function isRecent(day: number, nowMs: number): boolean {
  const today = toUtcDay(nowMs);
  // A clock that was set back leaves days in the future, which must not count for ever.
  return day > today - DAYS && day <= today;
}

/** What the vantages of an installation said, as of a time. */
export interface VantageSources {
  readonly known: VantagesState;
  readonly nowMs: number;
}

/** What one vantage says of one endpoint. */
export interface VantageView {
  readonly vantage: Vantage;
  readonly result: HeardResult;
  /** Its failure would mean something. */
  readonly isCalibrated: boolean;
  /** It was asked after the endpoint had failed for the runner, so that its answer is about this failure. */
  readonly isAboutFailure: boolean;
  /** The runner's own address was tried and answered, or the runner had none. */
  readonly isSameServer: boolean;
  /** The vantage's own connection is fine. */
  readonly isConnected: boolean;
}

/**
 * What each vantage says of an endpoint, in the order of their file. A vantage says nothing if its last answer is to an older ask, if
 * it is offline, or if its network lets only listed sites through.
 */
export function viewEndpoint(
  { url, refuses = [] }: Pick<Endpoint, "url" | "refuses">,
  { known, nowMs }: VantageSources,
): readonly VantageView[] {
  return known.vantages.flatMap((vantage): readonly VantageView[] => {
    const heard = known.heard.get(vantage.id);
    const ask = known.asks.find(({ id }) => id === heard?.askId);
    const result = heard?.results.get(url);
    if (heard === undefined || ask === undefined || result === undefined) return [];
    if (heard.connectivity === "offline" || heard.isWhiteList === true) return [];
    const days = known.tallies.get(vantage.id)?.get(url) ?? [];
    return [
      {
        vantage,
        result,
        // A place in Russia is not abroad, so the owner lets it in.
        isCalibrated:
          !(refuses.includes("abroad") && vantage.kind === "control") && isCalibrated(days, nowMs),
        isAboutFailure: ask.failing.has(url),
        isSameServer: result.sameAddress === "works" || ask.failing.get(url) === null,
        isConnected: heard.connectivity === "fine",
      },
    ];
  });
}

/** Whether the endpoint fails at each place that sees what a subscriber in Moscow sees, and was asked about this failure. */
export function failuresOnAccessLines(views: readonly VantageView[]): readonly boolean[] {
  return views
    .filter(({ vantage, isAboutFailure, isConnected }) => {
      const isAccess = vantage.line !== undefined && vantage.line !== "hosting";
      return vantage.kind === "moscow" && isAccess && isAboutFailure && isConnected;
    })
    .flatMap(({ result }) => isFailingAt(result) ?? []);
}

/** Whether a result is a failure of the endpoint; undefined: it says nothing. */
export function isFailingAt({ code }: HeardResult): boolean | undefined {
  if (code === "skipped" || code === "denied") return undefined;
  return code !== "ok";
}
