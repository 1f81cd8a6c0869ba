import { exactObject, refTo, type SchemaObject } from "./schemas.ts";

const TEXT: SchemaObject = { type: "string" };
const BOOLEAN: SchemaObject = { type: "boolean" };
const NULL: SchemaObject = { type: "null" };
const TIMESTAMP: SchemaObject = { type: "string", format: "date-time" };
const ID: SchemaObject = { type: "string", pattern: "^[a-z2-7]{12}$" };
const COMPONENT_STATUS: SchemaObject = {
  type: "string",
  enum: ["operational", "degraded_performance", "partial_outage", "major_outage"],
};
const INCIDENT_STATUS: SchemaObject = {
  type: "string",
  enum: ["investigating", "monitoring", "resolved"],
};

function orNull(schema: SchemaObject): SchemaObject {
  return { anyOf: [schema, NULL] };
}

function listOf(name: string): SchemaObject {
  return { type: "array", items: refTo(name) };
}

const PAGE: SchemaObject = { page: refTo("StatuspagePage") };
const STATUS: SchemaObject = {
  status: exactObject("All services together.", {
    indicator: { type: "string", enum: ["none", "minor", "major", "critical"] },
    description: TEXT,
  }),
};
const NO_MAINTENANCES: SchemaObject = {
  scheduled_maintenances: { type: "array", maxItems: 0, description: "There are none." },
};

/** The schemas of the documents in the format of Statuspage. */
export const STATUSPAGE_SCHEMAS: SchemaObject = {
  StatuspagePage: exactObject("The page.", {
    id: ID,
    name: TEXT,
    url: { ...TEXT, description: "Empty if there is no website." },
    time_zone: { const: "Etc/UTC" },
    updated_at: { ...TIMESTAMP, description: "When a verdict changed last." },
  }),
  StatuspageComponent: exactObject("A service.", {
    id: ID,
    name: TEXT,
    status: COMPONENT_STATUS,
    created_at: TIMESTAMP,
    updated_at: TIMESTAMP,
    position: { type: "integer", minimum: 1 },
    description: orNull(TEXT),
    showcase: BOOLEAN,
    start_date: NULL,
    group_id: NULL,
    page_id: ID,
    group: { const: false },
    only_show_if_degraded: { const: false },
  }),
  StatuspageIncident: exactObject("The time in which a verdict was live.", {
    id: ID,
    name: TEXT,
    status: INCIDENT_STATUS,
    created_at: TIMESTAMP,
    updated_at: TIMESTAMP,
    monitoring_at: orNull(TIMESTAMP),
    resolved_at: orNull(TIMESTAMP),
    impact: { type: "string", enum: ["none", "minor", "major", "critical"] },
    shortlink: TEXT,
    started_at: TIMESTAMP,
    page_id: ID,
    incident_updates: listOf("StatuspageUpdate"),
    components: listOf("StatuspageComponent"),
  }),
  StatuspageUpdate: exactObject("A step of an incident.", {
    id: ID,
    status: INCIDENT_STATUS,
    body: TEXT,
    incident_id: ID,
    created_at: TIMESTAMP,
    updated_at: TIMESTAMP,
    display_at: TIMESTAMP,
    affected_components: {
      type: "array",
      items: exactObject("The service.", {
        code: ID,
        name: TEXT,
        old_status: COMPONENT_STATUS,
        new_status: COMPONENT_STATUS,
      }),
    },
    deliver_notifications: { const: false },
    custom_tweet: NULL,
    tweet_id: NULL,
  }),
  StatuspageSummary: exactObject("All of it.", {
    ...PAGE,
    components: listOf("StatuspageComponent"),
    incidents: listOf("StatuspageIncident"),
    ...NO_MAINTENANCES,
    ...STATUS,
  }),
  StatuspageStatus: exactObject("All services together.", { ...PAGE, ...STATUS }),
  StatuspageComponents: exactObject("The services.", {
    ...PAGE,
    components: listOf("StatuspageComponent"),
  }),
  StatuspageIncidents: exactObject("Incidents, the newest first.", {
    ...PAGE,
    incidents: listOf("StatuspageIncident"),
  }),
  StatuspageMaintenances: exactObject("Planned works.", { ...PAGE, ...NO_MAINTENANCES }),
};
