import * as z from "zod";
import type { RecentReports } from "../../model/service/recent-reports.ts";
import type { ReportsState } from "../../model/service/reports.ts";
import { FOLDED_IDS } from "./folded-ids.ts";
import { codecOf, count, instant, mapOf } from "./parts.ts";
import {
  lengthOfColumn,
  packColumn,
  packTriples,
  toWords,
  unpackDoubles,
  unpackTriples,
  unpackWords,
} from "./typed-array-base64.ts";

/** A column of typed-array-base64.ts. `misfitOfColumns` checks it: a pattern would cost more than decoding. */
const column = z.string();

/** Rows of three numbers, by columns. */
const triples = codecOf(
  z.tuple([column, column, column]).readonly(),
  unpackTriples,
  packTriples,
  (columns) => misfitOfColumns(columns.map((text) => lengthOfColumn(text, 4))),
);

const recent = codecOf(
  z.strictObject({
    /** The time of the first. */
    fromMs: instant,
    /** Milliseconds since `fromMs`. */
    times: column,
    networks: column,
    blocks: column,
  }),
  ({ fromMs, times, networks, blocks }): RecentReports => ({
    times: Float64Array.from(unpackWords(times), (step) => fromMs + step),
    networks: unpackDoubles(networks),
    blocks: unpackWords(blocks),
  }),
  ({ times, networks, blocks }) => {
    const fromMs = times[0] ?? 0;
    return {
      fromMs,
      times: packColumn(toWords(times.length, (place) => (times[place] ?? 0) - fromMs)),
      networks: packColumn(networks),
      blocks: packColumn(blocks),
    };
  },
  ({ times, networks, blocks }) =>
    misfitOfColumns([
      lengthOfColumn(times, 4),
      lengthOfColumn(networks, 8),
      lengthOfColumn(blocks, 4),
    ]),
);

const serviceReports = z.strictObject({
  firstAtMs: instant,
  minutes: triples,
  symptoms: z.array(z.tuple([count, z.array(count).readonly()]).readonly()).readonly(),
  recent,
  hours: triples,
  surge: z.strictObject({
    phase: z.enum(["off", "on", "held"]),
    startedAtMs: instant,
    quiet: count,
    loudSlot: z.int().min(-1),
  }),
});

/** The reports of the state. */
export const REPORTS = codecOf(
  z.strictObject({
    services: mapOf(serviceReports),
    evaluatedSlot: z.int().min(-1),
    folded: FOLDED_IDS,
  }),
  ({ services, evaluatedSlot, folded }): ReportsState => {
    return { ledger: { services, evaluatedSlot }, folded };
  },
  ({ ledger: { services, evaluatedSlot }, folded }) => ({ services, evaluatedSlot, folded }),
);

/** Columns of one table have one length; undefined stands for one that cannot be read. */
function misfitOfColumns([first, ...others]: readonly (number | undefined)[]): string | undefined {
  const isOdd = first === undefined || others.some((other) => other !== first);
  return isOdd ? "the columns differ in length" : undefined;
}
