import * as z from "zod";
import type { RecentReports } from "../../model/service/recent-reports.ts";
import type { ReportsState, ServiceReports } from "../../model/service/reports.ts";
import {
  lengthOfColumn,
  packColumn,
  packTriples,
  toWords,
  unpackDoubles,
  unpackTriples,
  unpackWords,
} from "./typed-array-base64.ts";
import { FOLDED_SCHEMA, fromFoldedWire, misfitOfFolded, toFoldedWire } from "./folded-ids.ts";
import { sortPairs } from "./sort-pairs.ts";

const count = z.int().min(0);
const instant = z.int().min(0);
/** A column of typed-array-base64.ts. `misfitOfReports` checks it: a pattern would cost more than decoding. */
const column = z.string();
/** Rows of three numbers, by columns. */
const triples = z.tuple([column, column, column]).readonly();

const serviceReports = z.strictObject({
  firstAtMs: instant,
  minutes: triples,
  symptoms: z.array(z.tuple([count, z.array(count).readonly()]).readonly()).readonly(),
  recent: z.strictObject({
    /** The time of the first. */
    fromMs: instant,
    /** Milliseconds since `fromMs`. */
    times: column,
    networks: column,
    blocks: column,
  }),
  hours: triples,
  surge: z.strictObject({
    phase: z.enum(["off", "on", "held"]),
    startedAtMs: instant,
    quiet: count,
    loudSlot: z.int().min(-1),
  }),
});

/** The layout of reports in the state. */
export const REPORTS_SCHEMA = z.strictObject({
  services: z.array(z.tuple([z.string(), serviceReports]).readonly()).readonly(),
  evaluatedSlot: z.int().min(-1),
  folded: FOLDED_SCHEMA,
});

export type ReportsWire = z.infer<typeof REPORTS_SCHEMA>;
type ServiceWire = ReportsWire["services"][number][1];

/** The reports of the state, as they are stored. */
export function toReportsWire({ ledger, folded }: ReportsState): ReportsWire {
  return {
    services: sortPairs(ledger.services).map(([slug, service]) => [slug, packService(service)]),
    evaluatedSlot: ledger.evaluatedSlot,
    folded: toFoldedWire(folded),
  };
}

/** The inverse of `toReportsWire`, for a wire in which `misfitOfReports` finds nothing. */
export function fromReportsWire({ services, evaluatedSlot, folded }: ReportsWire): ReportsState {
  return {
    ledger: {
      services: new Map(services.map(([slug, wire]) => [slug, unpackService(wire)])),
      evaluatedSlot,
    },
    folded: fromFoldedWire(folded),
  };
}

/** What the schema cannot check: columns of equal length, ranges with both ends. */
export function misfitOfReports({ services, folded }: ReportsWire): string | undefined {
  for (const [slug, { minutes, recent, hours }] of services) {
    const lengths = [
      minutes.map((text) => lengthOfColumn(text, 4)),
      hours.map((text) => lengthOfColumn(text, 4)),
      [
        lengthOfColumn(recent.times, 4),
        lengthOfColumn(recent.networks, 8),
        lengthOfColumn(recent.blocks, 4),
      ],
    ];
    const isOdd = lengths.some(([first, ...others]) => {
      return first === undefined || others.some((other) => other !== first);
    });
    if (isOdd) return `the columns of the reports about ${slug} differ in length`;
  }
  return misfitOfFolded(folded);
}

function packService({ minutes, recent, hours, ...others }: ServiceReports): ServiceWire {
  return {
    ...others,
    minutes: packTriples(minutes),
    recent: packRecent(recent),
    hours: packTriples(hours),
  };
}

function packRecent({ times, networks, blocks }: RecentReports): ServiceWire["recent"] {
  const fromMs = times[0] ?? 0;
  return {
    fromMs,
    times: packColumn(toWords(times.length, (place) => (times[place] ?? 0) - fromMs)),
    networks: packColumn(networks),
    blocks: packColumn(blocks),
  };
}

function unpackService({ minutes, recent, hours, ...others }: ServiceWire): ServiceReports {
  return {
    ...others,
    minutes: unpackTriples(minutes),
    recent: {
      times: Float64Array.from(unpackWords(recent.times), (step) => recent.fromMs + step),
      networks: unpackDoubles(recent.networks),
      blocks: unpackWords(recent.blocks),
    },
    hours: unpackTriples(hours),
  };
}
