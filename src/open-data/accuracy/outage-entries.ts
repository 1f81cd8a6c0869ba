import type {
  AccuracyLedger,
  OutageEntry,
  ToldOutage,
  TruthEntry,
} from "../../model/service/accuracy.ts";
import { groupBy } from "../../model/lists.ts";
import { outageIdOf } from "../../model/service/outage-ids.ts";
import { MINUTE_MS } from "../../model/time.ts";
import { judgeOutage, truthAbout } from "./report.ts";

/** Outages that were told within this time began together. Source: docs/open-data.md, "Outages". */
const TOGETHER_MS = 10 * MINUTE_MS;

/** The outages of the record that have an address, the newest first. Pure. */
export function listOutages(
  { outages }: Pick<AccuracyLedger, "outages">,
  truth: readonly TruthEntry[],
): readonly OutageEntry[] {
  const index = groupBy(truth, ({ slug }) => slug);
  const told = outages.flatMap(({ about, ...outage }) =>
    about === null ? [] : [{ ...outage, about, id: outageIdOf(outage) }],
  );
  return told
    .map((outage, place): OutageEntry => {
      return {
        ...outage,
        judgement: judgeOutage(outage, index) ?? null,
        corrections: truthAbout(outage, index),
        together: neighboursOf(told, place).map(({ id }) => id),
      };
    })
    .toReversed();
}

/** The others that began with one, in a list in the order of their times. */
function neighboursOf<Told extends Pick<ToldOutage, "toldAtMs">>(
  told: readonly Told[],
  place: number,
): readonly Told[] {
  const atMs = told[place]?.toldAtMs ?? 0;
  const isNear = (at: number): boolean =>
    Math.abs((told[at]?.toldAtMs ?? -Infinity) - atMs) <= TOGETHER_MS;
  let [first, end] = [place, place + 1];
  while (isNear(first - 1)) first -= 1;
  while (isNear(end)) end += 1;
  return [...told.slice(first, place), ...told.slice(place + 1, end)];
}
