import * as z from "zod";
import type { ReportsState, ServiceReports } from "../model/reports.ts";

const count = z.int().min(0);
const instant = z.int().min(0);
/** Hashes apart by blanks: a list of strings would be half quotation marks. */
const hashes = z.string().regex(/^(?:[A-Za-z0-9_-]{1,16}(?: [A-Za-z0-9_-]{1,16})*)?$/u);

const serviceReports = z.strictObject({
  firstAtMs: instant,
  minutes: z.array(z.tuple([count, count, count]).readonly()).readonly(),
  symptoms: z.array(z.tuple([count, z.array(count).readonly()]).readonly()).readonly(),
  /** In columns; times by their distance from the one before. */
  recent: z.strictObject({
    stepsMs: z.array(count).readonly(),
    networks: hashes,
    blocks: hashes,
  }),
  hours: z.array(z.tuple([count, count, count]).readonly()).readonly(),
  surge: z.strictObject({
    phase: z.enum(["off", "on", "held"]),
    startedAtMs: instant,
    quiet: count,
    loudSlot: z.int().min(-1),
  }),
});

/** The layout of what is remembered of reports. */
export const REPORTS_SCHEMA = z.strictObject({
  services: z.array(z.tuple([z.string(), serviceReports]).readonly()).readonly(),
  evaluatedSlot: z.int().min(-1),
  folded: z.array(z.tuple([z.string(), instant]).readonly()).readonly(),
});

export type ReportsWire = z.infer<typeof REPORTS_SCHEMA>;
type ServiceWire = ReportsWire["services"][number][1];

/** What the state holds of reports, as it is stored. */
export function toReportsWire({ ledger, folded }: ReportsState): ReportsWire {
  const bySlug = [...ledger.services].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    services: bySlug.map(([slug, service]) => [slug, packService(service)] as const),
    evaluatedSlot: ledger.evaluatedSlot,
    folded: [...folded].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/** The inverse of `toReportsWire`; a sentence when the columns do not fit one another. */
export function fromReportsWire({ services, evaluatedSlot, folded }: ReportsWire): ReportsState {
  return {
    ledger: {
      services: new Map(services.map(([slug, wire]) => [slug, unpackService(wire)])),
      evaluatedSlot,
    },
    folded: new Map(folded),
  };
}

/** What the shape alone cannot say. */
export function misfitOfReports({ services }: ReportsWire): string | undefined {
  const odd = services.find(([, { recent }]) => {
    const { length } = recent.stepsMs;
    return split(recent.networks).length !== length || split(recent.blocks).length !== length;
  });
  return odd && `the columns of the reports about ${odd[0]} differ in length`;
}

function packService({ recent, ...others }: ServiceReports): ServiceWire {
  return {
    ...others,
    recent: {
      stepsMs: recent.map(([atMs], index) => atMs - (recent[index - 1]?.[0] ?? 0)),
      networks: recent.map(([, network]) => network).join(" "),
      blocks: recent.map(([, , block]) => block).join(" "),
    },
  };
}

function unpackService({ recent, ...others }: ServiceWire): ServiceReports {
  const networks = split(recent.networks);
  const blocks = split(recent.blocks);
  let atMs = 0;
  const rows = recent.stepsMs.map((step, index) => {
    atMs += step;
    return [atMs, networks[index] ?? "", blocks[index] ?? ""] as const;
  });
  return { ...others, recent: rows };
}

function split(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}
