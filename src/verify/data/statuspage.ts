import type * as z from "zod";
import { type DocumentRule, ruleOf } from "./reading.ts";
import { statuspagePath } from "../api/addresses.ts";
import { findInEach, findRepeated, show } from "../api/json-document.ts";
import { indicatorOf, STATUSPAGE_SCHEMAS } from "../../contract/statuspage.ts";
import { typedEntries } from "../checks.ts";
import { unless } from "../finding.ts";

type Summary = z.infer<typeof STATUSPAGE_SCHEMAS.StatuspageSummary>;

/** The documents in the format of Statuspage. Each but the first has a part of it. Source: docs/open-data.md, "Statuspage". */
const SCHEMAS = {
  summary: STATUSPAGE_SCHEMAS.StatuspageSummary,
  status: STATUSPAGE_SCHEMAS.StatuspageStatus,
  components: STATUSPAGE_SCHEMAS.StatuspageComponents,
  incidents: STATUSPAGE_SCHEMAS.StatuspageIncidents,
  "incidents/unresolved": STATUSPAGE_SCHEMAS.StatuspageIncidents,
  "scheduled-maintenances": STATUSPAGE_SCHEMAS.StatuspageMaintenances,
  "scheduled-maintenances/active": STATUSPAGE_SCHEMAS.StatuspageMaintenances,
  "scheduled-maintenances/upcoming": STATUSPAGE_SCHEMAS.StatuspageMaintenances,
} as const satisfies Readonly<Record<string, z.ZodType<Partial<Summary>>>>;

/** Each document has its fields; components are numbered, incidents have updates, and the indicator fits the open incidents. */
export const STATUSPAGE_RULES: readonly DocumentRule[] = typedEntries(SCHEMAS).map(
  ([name, schema]) =>
    ruleOf<Partial<Summary>>(statuspagePath(name), schema, (document) => {
      const { components = [], incidents = [], status } = document;
      const wrong = components.findIndex(({ position }, index) => position !== index + 1);
      const expected = indicatorOf(incidents.length, components.length);
      const counts = `${incidents.length} open incidents of ${components.length} services`;
      return [
        ...findRepeated("the component ", components, ({ id }) => id),
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
