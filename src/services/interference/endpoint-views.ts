import { sumOf } from "../../model/lists.ts";
import { FRESH_MS, toUtcDay } from "../../model/time.ts";
import type {
  DayTally,
  HeardResult,
  Said,
  Vantage,
  VantagesState,
} from "../../model/service/vantage.ts";
import { mayDependOnClient } from "../../model/failures.ts";
import { concludeExperiment } from "./decide-scope.ts";
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
  const { healthy, slots } = countSlots(days, nowMs);
  return slots >= MIN_SLOTS && healthy >= MIN_HEALTHY_RATIO * slots;
}

function countSlots(days: readonly DayTally[], nowMs: number) {
  const recent = days.filter(({ day }) => isRecent(day, nowMs));
  const healthy = sumOf(recent.map((one) => one.healthy));
  return { healthy, slots: healthy + sumOf(recent.map((one) => one.failed)) };
}

/**
 * The tally with one more slot, in which the endpoint answered the runner. A result that says nothing about the endpoint changes nothing.
 */
export function tally(days: readonly DayTally[], says: Said, nowMs: number): readonly DayTally[] {
  if (says === "nothing") return days;
  const day = toUtcDay(nowMs);
  const kept = days.filter((one) => isRecent(one.day, nowMs) && one.day !== day);
  const today = days.find((one) => one.day === day) ?? { day, healthy: 0, failed: 0 };
  const field = says === "works" ? "healthy" : "failed";
  return [...kept, { ...today, [field]: today[field] + 1 }];
}

function isRecent(day: number, nowMs: number): boolean {
  const today = toUtcDay(nowMs);
  // A clock that was set back leaves days in the future, which must not count for ever.
  return day > today - DAYS && day <= today;
}

/**
 * Whether a place has proven itself at all: for most of the endpoints that it was asked about often enough, it usually finds what the
 * runner finds. One that never did moves nothing.
 */
function isProven(tallies: ReadonlyMap<string, readonly DayTally[]>, nowMs: number): boolean {
  const known = [...tallies.values()].filter((days) => countSlots(days, nowMs).slots >= MIN_SLOTS);
  return known.filter((days) => isCalibrated(days, nowMs)).length * 2 > known.length;
}

/** What the vantages of an installation said, as of a time. */
export interface VantageSources {
  readonly known: VantagesState;
  readonly nowMs: number;
}

/** What one vantage says of one endpoint. */
export type VantageView = ReturnType<typeof viewEndpoint>[number];

/**
 * What each vantage says of an endpoint, in the order of their file. A vantage says nothing if its last answer is to an older ask, or
 * to one of before a gap in the runs, if it is offline, or if its network lets only listed sites through.
 */
export function viewEndpoint(
  { url, refuses = [] }: Pick<Endpoint, "url" | "refuses">,
  { known, nowMs }: VantageSources,
) {
  return known.vantages.flatMap((vantage) => {
    const heard = known.heard.get(vantage.id);
    const ask = known.asks.find(({ id, atMs }) => id === heard?.askId && nowMs - atMs <= FRESH_MS);
    const result = heard?.results.get(url);
    if (heard === undefined || ask === undefined || result === undefined) return [];
    if (heard.connectivity === "offline" || heard.isWhiteList === true) return [];
    const tallies = known.tallies.get(vantage.id) ?? new Map<string, readonly DayTally[]>();
    const isProof = vantage.kind === "moscow" && isProven(tallies, nowMs);
    return [
      {
        vantage,
        result,
        says: readResult(result, known.usual.get(url)),
        /**
         * The endpoint usually works there, so that a failure means something, and in Moscow an answer too. A place in Russia is not
         * abroad, so the owner lets it in.
         */
        isCalibrated:
          !(refuses.includes("abroad") && vantage.kind === "control") &&
          isCalibrated(tallies.get(url) ?? [], nowMs),
        /** Of a place in Moscow: it fails there by its own experiment, and the place has proven itself. */
        isCutByName: isProof && concludeExperiment(result.seen?.steps ?? []) === "name",
        /** Of a place in Moscow that has proven itself: it answers the probe there, and a browser gets nothing. */
        isShutToBrowsers: isProof && isShut(result),
        /** It was asked after the endpoint had failed for the runner, so that its answer is about this failure. */
        isAboutFailure: ask.failing.has(url),
        /** The runner's own address was tried and answered, or the runner had none. */
        isSameServer: result.sameAddress === "works" || ask.failing.get(url) === null,
        /** The vantage's own connection is fine. */
        isConnected: heard.connectivity === "fine",
      },
    ];
  });
}

/** Whether a place sees what a subscriber in Moscow sees. */
export function isOnAccessLine({ kind, line = "hosting" }: Vantage): boolean {
  return kind === "moscow" && line !== "hosting";
}

/** Whether the endpoint fails at each place that sees what a subscriber in Moscow sees, and was asked about this failure. */
export function failuresOnAccessLines(views: readonly VantageView[]): readonly boolean[] {
  return views.flatMap(({ vantage, says, isAboutFailure, isConnected }) => {
    const isMeant = isOnAccessLine(vantage) && isAboutFailure && isConnected;
    return isMeant && says !== "nothing" ? says === "fails" : [];
  });
}

/**
 * An answer works if it is the one that the endpoint gives when it is healthy: a wall, or a 403 of a server that else gives a page, says
 * nothing of what is behind it.
 *
 * @param usual the status with which the endpoint answered the runner when it was last healthy.
 */
export function readResult(result: HeardResult, usual: number | undefined): Said {
  const { code, seen } = result;
  if (code === "skipped" || code === "denied") return "nothing";
  if (code !== "ok")
    return seen?.browser === "opens" && mayDependOnClient(code) ? "works" : "fails";
  if (isShut(result)) return "fails";
  if (seen?.wall === true) return "nothing";
  const status = seen?.status;
  if (status === undefined || status === usual) return "works";
  return status < NO_PAGE && (usual ?? 0) < NO_PAGE ? "works" : "nothing";
}

/** From this status on an answer is neither a page nor a redirect to one. */
const NO_PAGE = 400;

/** Whether a browser got nothing where the probe was answered. What breaks in HTTP may be a fault of the client that stands for the browser. */
function isShut({ code, seen }: HeardResult): boolean {
  const end = seen?.browser;
  return code === "ok" && (end === "tls" || end === "body");
}
