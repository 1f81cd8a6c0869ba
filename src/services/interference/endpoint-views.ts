import type { Endpoint } from "../../model/service/catalogue.ts";
import type { Vantage, HeardResult, VantagesState } from "../../model/service/vantage.ts";
import { isCalibrated } from "./calibration.ts";

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
