import { createHash } from "node:crypto";
import * as z from "zod";
import { BOOLEAN, exact, itemsOf, NAME, TEXT } from "./parts.ts";

const NULL = z.null();
const FALSE = z.literal(false);
const TIMESTAMP = z.iso.datetime({ precision: 3, error: "a time in UTC with milliseconds" });
const ID = z.string().regex(/^[a-z2-7]{12}$/u, "12 of a–z and 2–7");
const COMPONENT_STATUS = z.enum([
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
]);
const INCIDENT_STATUS = z.enum(["investigating", "monitoring", "resolved"]);
const IMPACT = z.enum(["none", "minor", "major", "critical"]);

const PAGE = exact("The page.", {
  id: ID,
  name: NAME,
  url: TEXT.describe("Empty if there is no website."),
  time_zone: z.literal("Etc/UTC"),
  updated_at: TIMESTAMP.describe("When a verdict changed last."),
});

const COMPONENT = exact("A service.", {
  id: ID,
  name: NAME,
  status: COMPONENT_STATUS,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  position: z.int().min(1),
  description: NAME.nullable(),
  showcase: BOOLEAN,
  start_date: NULL,
  group_id: NULL,
  page_id: ID,
  group: FALSE,
  only_show_if_degraded: FALSE,
});

const UPDATE = exact("A step of an incident.", {
  id: ID,
  status: INCIDENT_STATUS,
  body: NAME,
  incident_id: ID,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  display_at: TIMESTAMP,
  affected_components: itemsOf(
    exact("The service.", {
      code: ID,
      name: NAME,
      old_status: COMPONENT_STATUS,
      new_status: COMPONENT_STATUS,
    }),
  ),
  deliver_notifications: FALSE,
  custom_tweet: NULL,
  tweet_id: NULL,
});

const INCIDENT = exact("The time in which a verdict was live.", {
  id: ID,
  name: NAME,
  status: INCIDENT_STATUS,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  monitoring_at: TIMESTAMP.nullable(),
  resolved_at: TIMESTAMP.nullable(),
  impact: IMPACT,
  shortlink: TEXT,
  started_at: TIMESTAMP,
  page_id: ID,
  incident_updates: itemsOf(UPDATE),
  components: itemsOf(COMPONENT),
});

const SUMMARY = exact("All of it.", {
  page: PAGE,
  components: itemsOf(COMPONENT),
  incidents: itemsOf(INCIDENT),
  scheduled_maintenances: z.array(z.never()).max(0).describe("There are none."),
  status: exact("All services together.", { indicator: IMPACT, description: NAME }),
});

export type StatuspagePage = z.infer<typeof PAGE>;
export type StatuspageStatus = z.infer<typeof SUMMARY.shape.status>;
export type StatuspageComponent = z.infer<typeof COMPONENT>;
export type StatuspageIncident = z.infer<typeof INCIDENT>;
export type StatuspageUpdate = z.infer<typeof UPDATE>;

/** The documents in the format of Statuspage, `api/v2/…`. Source: docs/open-data.md, "Statuspage". */
export const STATUSPAGE_SCHEMAS = {
  StatuspagePage: PAGE,
  StatuspageComponent: COMPONENT,
  StatuspageIncident: INCIDENT,
  StatuspageUpdate: UPDATE,
  StatuspageSummary: SUMMARY,
  StatuspageStatus: SUMMARY.pick({ page: true, status: true }).describe("All services together."),
  StatuspageComponents: SUMMARY.pick({ page: true, components: true }).describe("The services."),
  StatuspageIncidents: SUMMARY.pick({ page: true, incidents: true }).describe(
    "Incidents, the newest first.",
  ),
  StatuspageMaintenances: SUMMARY.pick({ page: true, scheduled_maintenances: true }).describe(
    "Planned works.",
  ),
};

/** An id as Statuspage has them: the first 12 letters of base32 (RFC 4648, lower case) of SHA-256. That of a component is of its slug. */
export function statuspageIdOf(text: string): string {
  const bits = BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 15)}`);
  const letters = Array.from({ length: 12 }, (_, place) => (bits >> BigInt(55 - 5 * place)) & 31n);
  return letters.map((letter) => "abcdefghijklmnopqrstuvwxyz234567"[Number(letter)]).join("");
}

/** From how many per cent of the services with an open incident on the page has an indicator. Source: docs/open-data.md, "Statuspage". */
const MAJOR_PERCENT = 5;
const CRITICAL_PERCENT = 30;

/** The indicator of a page with so many open incidents of so many services. */
export function indicatorOf(open: number, services: number): StatuspageStatus["indicator"] {
  if (open === 0) return "none";
  if (open * 100 >= CRITICAL_PERCENT * services) return "critical";
  return open * 100 >= MAJOR_PERCENT * services ? "major" : "minor";
}
