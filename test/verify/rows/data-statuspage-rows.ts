import { firstOf, listOf, toFields, type Fields } from "./corrupt.ts";
import { SUMMARY, UNRESOLVED, edit, editFirst, replace } from "./data-edits.ts";
import type { Corrupt } from "../good-deployment.ts";
import type { Row } from "../rows.ts";

/** The same fault in both documents that have the components. */
const editComponents = (change: (components: Fields[]) => unknown): Corrupt => {
  const both = [SUMMARY, "/api/v2/components.json"].map((target) =>
    edit(target, (document) => {
      const components = [...listOf(document, "components")];
      change(components);
      document["components"] = components;
    }),
  );
  return (answer) => both.forEach((corrupt) => corrupt(answer));
};
/** Each row has one fault of the documents in the format of Statuspage. */
export const STATUSPAGE_ROWS: readonly Row[] = [
  [
    "an indicator that is too mild",
    replace(SUMMARY, '"critical","description"', '"minor","description"'),
    "data.statuspage",
    ["data.agrees"],
  ],
  [
    "an unknown indicator",
    replace("/api/v2/status.json", '"critical"', '"yellow"'),
    "data.statuspage",
    ["data.agrees"],
  ],
  [
    "a page without a time zone",
    edit(SUMMARY, (one) => delete toFields(one["page"])["time_zone"]),
    "data.statuspage",
  ],
  [
    "a page that is a text",
    edit("/api/v2/incidents.json", (one) => (one["page"] = "x")),
    "data.statuspage",
  ],
  [
    "a summary without components",
    edit(SUMMARY, (one) => delete one["components"]),
    "data.statuspage",
    ["data.agrees"],
  ],
  [
    "a component twice",
    editComponents((all) => all.push({ ...all[0], position: 4 })),
    "data.statuspage",
  ],
  [
    "components in two positions",
    editComponents((all) => Object.assign(all[1] ?? {}, { position: 3 })),
    "data.statuspage",
  ],
  [
    "a component without showcase",
    editComponents((all) => delete all[0]?.["showcase"]),
    "data.statuspage",
  ],
  [
    "a component with an unknown status",
    editComponents((all) => Object.assign(all[0] ?? {}, { status: "up" })),
    "data.statuspage",
    ["data.agrees"],
  ],
  [
    "planned works",
    edit("/api/v2/scheduled-maintenances.json", (one) => (one["scheduled_maintenances"] = [{}])),
    "data.statuspage",
  ],
  [
    "an open incident that is resolved",
    edit(UNRESOLVED, (one) => (firstOf(one, "incidents")["status"] = "resolved")),
    "data.statuspage",
    ["data.agrees"],
  ],
  [
    "an incident without updates",
    edit("/api/v2/incidents.json", (one) => (firstOf(one, "incidents")["incident_updates"] = [])),
    "data.statuspage",
  ],
  [
    "an update of another incident",
    edit(
      "/api/v2/incidents.json",
      (one) =>
        (firstOf(firstOf(one, "incidents"), "incident_updates")["incident_id"] = "a".repeat(12)),
    ),
    "data.statuspage",
  ],
  ["a service that is not a component", editComponents((all) => all.pop()), "data.agrees"],
  [
    "a component of another service",
    editComponents((all) => Object.assign(all[0] ?? {}, { id: "a".repeat(12) })),
    "data.agrees",
  ],
  [
    "a component with another name",
    editComponents((all) => Object.assign(all[0] ?? {}, { name: "Сбер" })),
    "data.agrees",
  ],
  [
    "a component in Russian that has an English name",
    editComponents((all) => Object.assign(all[2] ?? {}, { name: "Телеграм" })),
    "data.agrees",
  ],
  [
    "a component that does not fit its code",
    editComponents((all) => Object.assign(all[0] ?? {}, { status: "major_outage" })),
    "data.agrees",
  ],
  [
    "another component in the summary",
    editFirst(SUMMARY, "components", (one) => (one["description"] = "x")),
    "data.agrees",
  ],
  [
    "another description of the status",
    replace("/api/v2/status.json", "In words", "x"),
    "data.agrees",
  ],
  [
    "an open incident missing in the history",
    edit("/api/v2/incidents.json", (one) => (one["incidents"] = [])),
    "data.agrees",
  ],
  ["an incident of a service that works", editIncidents(addService), "data.agrees"],
  [
    "a live service without an incident",
    (answer) => {
      editIncidents((one) => (one["incidents"] = []))(answer);
      if (answer.target !== UNRESOLVED) answer.body = answer.body.replace('"critical"', '"none"');
    },
    "data.agrees",
  ],
];

/** Edits the documents that have the open incidents. */
function editIncidents(change: (document: Fields) => unknown): Corrupt {
  const both = [SUMMARY, UNRESOLVED].map((target) => edit(target, change));
  return (answer) => both.forEach((corrupt) => corrupt(answer));
}

/** Adds the component of Sberbank to the open incident. */
function addService(document: Fields): void {
  const incident = firstOf(document, "incidents");
  const component = { ...firstOf(incident, "components"), id: "ksiavi6k6nfa" };
  incident["components"] = [...listOf(incident, "components"), component];
}
