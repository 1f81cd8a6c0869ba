import * as z from "zod";
import { addFolded, type FoldedIds } from "../model/folded-ids.ts";
import { addRecent, blockKeyOf, keyOf, NOBODY_RECENT } from "../model/recent.ts";
import type { ServiceReports } from "../model/reports.ts";
import { type ReportsWire, toReportsWire } from "./codec-reports.ts";

const count = z.int().min(0);
const instant = z.int().min(0);
const triples = z.array(z.tuple([count, count, count]).readonly()).readonly();
/** Hashes apart by blanks. */
const hashes = z.string().regex(/^(?:[A-Za-z0-9_-]{1,16}(?: [A-Za-z0-9_-]{1,16})*)?$/u);

const serviceReports = z.strictObject({
  firstAtMs: instant,
  minutes: triples,
  symptoms: z.array(z.tuple([count, z.array(count).readonly()]).readonly()).readonly(),
  /** In columns; times by their distance from the one before. */
  recent: z.strictObject({
    stepsMs: z.array(count).readonly(),
    networks: hashes,
    blocks: hashes,
  }),
  hours: triples,
  surge: z.strictObject({
    phase: z.enum(["off", "on", "held"]),
    startedAtMs: instant,
    quiet: count,
    loudSlot: z.int().min(-1),
  }),
});

/** What version 4 of the state remembered of reports: a text for each hash, and each id of the inbox by itself. */
export const REPORTS_V4 = z.strictObject({
  services: z.array(z.tuple([z.string(), serviceReports]).readonly()).readonly(),
  evaluatedSlot: z.int().min(-1),
  folded: z.array(z.tuple([z.string(), instant]).readonly()).readonly(),
});

type ReportsV4 = z.infer<typeof REPORTS_V4>;
type ServiceV4 = ReportsV4["services"][number][1];

/** The same in the layout of version 5. Columns that differ in length are read as far as all of them go. */
export function migrateReports({ services, evaluatedSlot, folded }: ReportsV4): ReportsWire {
  const bySlug = services.map(([slug, service]) => [slug, readService(service)] as const);
  return toReportsWire({
    ledger: { services: new Map(bySlug), evaluatedSlot },
    folded: folded.reduce<FoldedIds>(
      (known, [id, atMs]) => addFolded(known, [id], atMs),
      new Map(),
    ),
  });
}

function readService({ recent, ...others }: ServiceV4): ServiceReports {
  const networks = split(recent.networks);
  const blocks = split(recent.blocks);
  let atMs = 0;
  const rows = recent.stepsMs.flatMap((step, index) => {
    atMs += step;
    const [network, block] = [networks[index], blocks[index]];
    return network === undefined || block === undefined
      ? []
      : [[atMs, keyOf(network), blockKeyOf(block)] as const];
  });
  return { ...others, recent: addRecent(NOBODY_RECENT, rows) };
}

function split(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}
