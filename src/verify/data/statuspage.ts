import type * as z from "zod";
import { type DocumentRule, ruleOf } from "./reading.ts";
import { statuspagePath } from "../api/addresses.ts";
import { findInEach, repeatedOf, show } from "../api/json-document.ts";
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
type StatuspageName = keyof typeof SCHEMAS;

// The object literal above has exactly these keys.
export const STATUSPAGE_NAMES = Object.keys(SCHEMAS) as readonly StatuspageName[];

/** Each document has its fields; components are numbered, incidents have updates, and the indicator fits the open incidents. */
export const STATUSPAGE_RULES: readonly DocumentRule[] = STATUSPAGE_NAMES.map((name) =>
  ruleOf<Partial<Summary>>(statuspagePath(name), SCHEMAS[name], (document) => {
    const { components = [], incidents = [], status } = document;
    const repeated = repeatedOf(components.map(({ id }) => id));
    const wrong = components.findIndex(({ position }, index) => position !== index + 1);
    const expected = indicatorOf(incidents.length, components.length);
    const counts = `${incidents.length} open incidents of ${components.length} services`;
    return [
      ...repeated.map((id) => `the component ${show(id)} occurs more than once`),
      ...unless(
        wrong === -1,
        `the position of component ${wrong + 1} is ${components[wrong]?.position}`,
      ),
      ...findInEach("incidents", incidents, findUpdateProblems),
      ...unless(
        name !== "summary" || status?.indicator === expected,
        `the indicator is ${show(status?.indicator)}, not ${expected}, with ${counts}`,
      ),
      ...incidents.flatMap((incident) =>
        unless(
          name !== "incidents/unresolved" || incident.status !== "resolved",
          `the incident ${show(incident.id)} is resolved`,
        ),
      ),
    ];
  }),
);

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
