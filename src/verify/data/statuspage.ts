import { createHash } from "node:crypto";
import * as z from "zod";
import { show } from "../api/parse-json.ts";
import {
  COUNT,
  findInEach,
  findProblems,
  FLAG,
  listOf,
  matching,
  NAME,
  NULL,
  objectOf,
  oneOf,
  orNull,
  repeatedOf,
  TEXT,
  TIMESTAMP,
} from "../api/schema.ts";
import { COMPONENT_STATUS_BY_CODE, INDICATORS, type StatuspageName } from "../api/specification.ts";

const ID = matching(/^[a-z2-7]{12}$/u, "12 of a–z and 2–7");
const COMPONENT_STATUS = oneOf([...new Set(COMPONENT_STATUS_BY_CODE.values())]);
const INCIDENT_STATUS = oneOf(["investigating", "monitoring", "resolved"]);

const PAGE = objectOf({
  id: ID,
  name: NAME,
  url: TEXT,
  time_zone: oneOf(["Etc/UTC"]),
  updated_at: TIMESTAMP,
});

const COMPONENT = objectOf({
  id: ID,
  name: NAME,
  status: COMPONENT_STATUS,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  position: COUNT,
  description: orNull(NAME),
  showcase: FLAG,
  start_date: NULL,
  group_id: NULL,
  page_id: ID,
  group: FLAG,
  only_show_if_degraded: FLAG,
});

const UPDATE = objectOf({
  id: ID,
  status: INCIDENT_STATUS,
  body: NAME,
  incident_id: ID,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  display_at: TIMESTAMP,
  affected_components: listOf(z.unknown()),
  deliver_notifications: FLAG,
  custom_tweet: NULL,
  tweet_id: NULL,
});

const INCIDENT = objectOf({
  id: ID,
  name: NAME,
  status: INCIDENT_STATUS,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  monitoring_at: orNull(TIMESTAMP),
  resolved_at: orNull(TIMESTAMP),
  impact: oneOf(["none", "minor", "major", "critical"]),
  shortlink: TEXT,
  started_at: TIMESTAMP,
  page_id: ID,
  incident_updates: listOf(UPDATE),
  components: listOf(z.unknown()),
});

const NO_MAINTENANCE = z.array(z.unknown(), "an empty list").max(0, "an empty list");

const SUMMARY = objectOf({
  page: PAGE,
  components: listOf(COMPONENT),
  incidents: listOf(INCIDENT),
  scheduled_maintenances: NO_MAINTENANCE,
  status: objectOf({
    indicator: oneOf(["none", ...INDICATORS.map(([name]) => name)]),
    description: NAME,
  }),
});
type Summary = z.infer<typeof SUMMARY>;

const INCIDENTS = SUMMARY.pick({ page: true, incidents: true });
const MAINTENANCES = SUMMARY.pick({ page: true, scheduled_maintenances: true });

/** Every other document has the page and a part of the summary. */
const SCHEMAS: Readonly<Record<StatuspageName, z.ZodType<Partial<Summary>>>> = {
  summary: SUMMARY,
  status: SUMMARY.pick({ page: true, status: true }),
  components: SUMMARY.pick({ page: true, components: true }),
  incidents: INCIDENTS,
  "incidents/unresolved": INCIDENTS,
  "scheduled-maintenances": MAINTENANCES,
  "scheduled-maintenances/active": MAINTENANCES,
  "scheduled-maintenances/upcoming": MAINTENANCES,
};

/** The id of a component: the first 12 letters of base32 (RFC 4648, lower case) of SHA-256 of the slug. */
export function componentIdOf(slug: string): string {
  const bits = BigInt(`0x${createHash("sha256").update(slug).digest("hex").slice(0, 15)}`);
  const letters = Array.from({ length: 12 }, (_, place) => (bits >> BigInt(55 - 5 * place)) & 31n);
  return letters.map((letter) => "abcdefghijklmnopqrstuvwxyz234567"[Number(letter)]).join("");
}

/** The problems of one document in the format of Statuspage. Source: docs/open-data.md, "Statuspage". */
export function findStatuspageProblems(name: StatuspageName, value: unknown): readonly string[] {
  return findProblems(SCHEMAS[name], value, ({ components = [], incidents = [], status }) => [
    ...findComponentProblems(components),
    ...findInEach("incidents", incidents, findUpdateProblems),
    ...(name === "summary"
      ? findIndicatorProblems(status, components.length, incidents.length)
      : []),
    ...(name === "incidents/unresolved" ? findResolved(incidents) : []),
  ]);
}

function findComponentProblems(components: Summary["components"]): readonly string[] {
  const misplaced = components.findIndex(({ position }, index) => position !== index + 1);
  return [
    ...repeatedOf(components.map(({ id }) => id)).map(
      (id) => `the component ${show(id)} occurs more than once`,
    ),
    ...(misplaced === -1
      ? []
      : [`the position of component ${misplaced + 1} is ${components[misplaced]?.position}`]),
  ];
}

function findUpdateProblems({
  id,
  incident_updates: updates,
}: z.infer<typeof INCIDENT>): readonly string[] {
  return [
    ...findInEach("incident_updates", updates, ({ incident_id: of }) =>
      of === id ? [] : [`incident_id is ${show(of)}, not ${show(id)}`],
    ),
    ...(updates.length === 0 ? ["it has no update"] : []),
  ];
}

function findIndicatorProblems(
  status: Summary["status"] | undefined,
  services: number,
  open: number,
): readonly string[] {
  const [expected = "none"] =
    open === 0 ? [] : (INDICATORS.find(([, percent]) => open * 100 >= percent * services) ?? []);
  return status?.indicator === expected
    ? []
    : [
        `the indicator is ${show(status?.indicator)}, not ${expected}, with ${open} open incidents of ${services} services`,
      ];
}

function findResolved(incidents: Summary["incidents"]): readonly string[] {
  return incidents
    .filter(({ status }) => status === "resolved")
    .map(({ id }) => `the incident ${show(id)} is resolved`);
}
