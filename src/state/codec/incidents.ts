import * as z from "zod";
import type { Incident, Incidents } from "../../model/service/incident.ts";
import { VERDICT_CODES } from "../../contract/codes/verdict.ts";

const instant = z.int().min(0);

/** Slug, and the steps: time, verdict. */
const incident = z
  .tuple([
    z.string(),
    z
      .array(z.tuple([instant, z.enum(VERDICT_CODES)]).readonly())
      .min(1)
      .readonly(),
  ])
  .readonly();

/** The incidents in the stored state. */
export const INCIDENTS_SCHEMA = z.strictObject({
  open: z.array(incident).readonly(),
  past: z.array(incident).readonly(),
  changedAtMs: instant.nullable(),
});

export type IncidentsWire = z.infer<typeof INCIDENTS_SCHEMA>;

/** What a state from before there were incidents has. */
export const NO_INCIDENTS_WIRE: IncidentsWire = { open: [], past: [], changedAtMs: null };

export function toIncidentsWire({ open, past, changedAtMs }: Incidents): IncidentsWire {
  return { open: open.map(pack), past: past.map(pack), changedAtMs };
}

/** The inverse of `toIncidentsWire`. */
export function fromIncidentsWire({ open, past, changedAtMs }: IncidentsWire): Incidents {
  return { open: open.map(unpack), past: past.map(unpack), changedAtMs };
}

function pack({ slug, steps }: Incident): IncidentsWire["open"][number] {
  return [slug, steps.map(({ atMs, code }) => [atMs, code] as const)];
}

function unpack([slug, steps]: IncidentsWire["open"][number]): Incident {
  return { slug, steps: steps.map(([atMs, code]) => ({ atMs, code })) };
}
