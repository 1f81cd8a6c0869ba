import * as z from "zod";
import { CONNECTIVITY_STATES } from "../../model/service/connectivity.ts";
import {
  HELD_FAILURE,
  type History,
  type RunMark,
  SERVICE_HISTORY,
} from "../../model/service/history.ts";
import { SAMPLES_PATTERN, STRIP_PATTERN } from "../../services/history/sample-codes.ts";
import { mapOf } from "../../model/stored-maps.ts";
import { codecOf, count, instant, listOf } from "../../model/stored-parts.ts";

const runs = codecOf(
  z.strictObject({
    /** Each run by the time since the previous one, the first by the time since the epoch. */
    stepsMs: listOf(count),
    congested: listOf(count),
    /** Places in `stepsMs` of runs whose connectivity was not fine, and what it was. */
    troubled: listOf(z.tuple([count, z.enum(CONNECTIVITY_STATES)]).readonly()),
  }),
  ({ stepsMs, ...places }): readonly RunMark[] => {
    const congested = new Set(places.congested);
    const troubled = new Map(places.troubled);
    let atMs = 0;
    return stepsMs.map((step, place) => {
      atMs += step;
      const connectivity = troubled.get(place) ?? "fine";
      return { atMs, isCongested: congested.has(place), connectivity };
    });
  },
  (marks) => ({
    stepsMs: marks.map(({ atMs }, place) => atMs - (marks[place - 1]?.atMs ?? 0)),
    congested: marks.flatMap(({ isCongested }, place) => (isCongested ? [place] : [])),
    troubled: marks.flatMap(({ connectivity }, place) =>
      connectivity === "fine" ? [] : [[place, connectivity] as const],
    ),
  }),
  ({ stepsMs, congested, troubled }) => {
    if (stepsMs.slice(1).some((step) => step === 0)) return "two runs have the same time";
    const fits = [congested, troubled.map(([place]) => place)].every(
      (places) => isAscending(places) && (places.at(-1) ?? -1) < stepsMs.length,
    );
    return fits ? undefined : "the list of congested or troubled runs does not fit the runs";
  },
);

const service = SERVICE_HISTORY.extend({ strip: z.string().regex(STRIP_PATTERN) });

export const RUN_HISTORY = codecOf(
  z.strictObject({
    updatedAtMs: instant.nullable(),
    runs,
    endpoints: mapOf(z.string().regex(SAMPLES_PATTERN)),
    proven: codecOf(
      listOf(z.string()),
      (urls): ReadonlySet<string> => new Set(urls),
      (urls) => [...urls].toSorted(),
    ),
    services: mapOf(service),
    held: mapOf(HELD_FAILURE),
  }),
  (history): History => history,
  (history) => history,
  misfitOfHistory,
);

/** What the schema cannot check: a character for each run, days in order. */
function misfitOfHistory({ runs, endpoints, services }: History): string | undefined {
  const strips = [...services].map(([slug, { strip }]) => [slug, strip] as const);
  const odd = [...endpoints, ...strips].find(([, track]) => track.length !== runs.length);
  if (odd !== undefined)
    return `the track of ${odd[0]} has ${odd[1].length} runs instead of ${runs.length}`;
  const disordered = [...services].find(([, { days }]) => !isAscending(days.map(({ day }) => day)));
  return disordered && `the days of ${disordered[0]} are not in order`;
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, place) => place === 0 || number > (numbers[place - 1] ?? 0));
}
