import type * as z from "zod";
import { findInEach, readAs, repeatedOf, show } from "../api/json-document.ts";
import { STATUSPAGE_SCHEMAS } from "../../contract/statuspage.ts";
import { indicatorOf } from "../../contract/statuspage-rules.ts";
import { unless } from "../finding.ts";

const {
  StatuspageSummary,
  StatuspageStatus,
  StatuspageComponents,
  StatuspageIncidents,
  StatuspageMaintenances,
} = STATUSPAGE_SCHEMAS;
type Summary = z.infer<typeof StatuspageSummary>;

/** The documents in the format of Statuspage. Each but the first has a part of it. Source: docs/open-data.md, "Statuspage". */
const SCHEMAS = {
  summary: StatuspageSummary,
  status: StatuspageStatus,
  components: StatuspageComponents,
  incidents: StatuspageIncidents,
  "incidents/unresolved": StatuspageIncidents,
  "scheduled-maintenances": StatuspageMaintenances,
  "scheduled-maintenances/active": StatuspageMaintenances,
  "scheduled-maintenances/upcoming": StatuspageMaintenances,
} as const satisfies Readonly<Record<string, z.ZodType<Partial<Summary>>>>;
export type StatuspageName = keyof typeof SCHEMAS;

// The object literal above has exactly these keys.
export const STATUSPAGE_NAMES = Object.keys(SCHEMAS) as readonly StatuspageName[];

/** The problems of one document in the format of Statuspage. */
export function findStatuspageProblems(name: StatuspageName, value: unknown): readonly string[] {
  const { data, problems } = readAs<Partial<Summary>>(SCHEMAS[name], value);
  if (data === undefined) return problems;
  const { components = [], incidents = [], status } = data;
  return [
    ...findComponentProblems(components),
    ...findInEach("incidents", incidents, findUpdateProblems),
    ...(name === "summary"
      ? findIndicatorProblems(status, components.length, incidents.length)
      : []),
    ...(name === "incidents/unresolved" ? incidents : []).flatMap((incident) =>
      unless(incident.status !== "resolved", `the incident ${show(incident.id)} is resolved`),
    ),
  ];
}

function findComponentProblems(components: Summary["components"]): readonly string[] {
  const wrong = components.findIndex(({ position }, index) => position !== index + 1);
  return [
    ...repeatedOf(components.map(({ id }) => id)).map(
      (id) => `the component ${show(id)} occurs more than once`,
    ),
    ...unless(
      wrong === -1,
      `the position of component ${wrong + 1} is ${components[wrong]?.position}`,
    ),
  ];
}

function findUpdateProblems({
  id,
  incident_updates: updates,
}: Summary["incidents"][number]): readonly string[] {
  return [
    ...findInEach("incident_updates", updates, ({ incident_id: of }) =>
      unless(of === id, `incident_id is ${show(of)}, not ${show(id)}`),
    ),
    ...unless(updates.length > 0, "it has no update"),
  ];
}

function findIndicatorProblems(
  status: Summary["status"] | undefined,
  services: number,
  open: number,
): readonly string[] {
  const expected = indicatorOf(open, services);
  return unless(
    status?.indicator === expected,
    `the indicator is ${show(status?.indicator)}, not ${expected}, with ${open} open incidents of ${services} services`,
  );
}
