import { ID, jsonOf, type Read, SLUG, toOperation } from "./operations.ts";
import type { SchemaObject } from "../../contract/components.ts";

/** An operation that reads a document: in JSON of a named schema, or of another type. */
function read(
  operationId: string,
  schema: string | SchemaObject,
  summary: string,
  further: Partial<Read> = {},
): SchemaObject {
  const notFound = "Nothing was published yet.";
  const content = typeof schema === "string" ? jsonOf(schema) : schema;
  const success = "The document.";
  return toOperation({
    operationId,
    tag: "open data",
    summary,
    success,
    content,
    notFound,
    ...further,
  });
}

const OF_SERVICE: Partial<Read> = {
  parameters: [SLUG],
  notFound: "No service of the catalogue has this slug.",
};
const OF_MONITOR: Partial<Read> = {
  parameters: [ID],
  notFound: "No monitor with a public page has this id.",
};

/** The reads of open data. */
export const OPEN_DATA_PATHS: SchemaObject = {
  "/changes/v1.json": read("getChanges", "Changes", "The changes of verdicts"),
  "/archive/v1/index.json": read("getArchiveIndex", "ArchiveIndex", "The files of the archive", {
    notFound: "No day is over yet.",
  }),
  "/archive/v1/datapackage.json": read(
    "getDataPackage",
    "DataPackage",
    "The files of the archive, with the meaning of each column",
    { notFound: "No day is over yet." },
  ),
  "/history/v1/index.json": read("getUptimes", "HistoryIndex", "The uptimes of all services"),
  "/history/v1/{slug}.json": read(
    "getHistory",
    "ServiceHistory",
    "The history of a service",
    OF_SERVICE,
  ),
  "/history/v1/m/{id}.json": read(
    "getMonitorHistory",
    "MonitorHistory",
    "The history of a monitor",
    OF_MONITOR,
  ),
  "/badge/{slug}.json": read(
    "getServiceBadgeJson",
    "ShieldsEndpoint",
    "The verdict for the endpoint badge of shields.io",
    OF_SERVICE,
  ),
  "/badge.json": read(
    "getOverallBadgeJson",
    "ShieldsEndpoint",
    "All services for the endpoint badge of shields.io",
  ),
  "/metrics": read(
    "getMetrics",
    {
      "application/openmetrics-text; version=1.0.0; charset=utf-8": { schema: { type: "string" } },
    },
    "The verdicts for Prometheus",
  ),
  "/api/v2/summary.json": read("getSummaryV2", "StatuspageSummary", "As Statuspage: all of it"),
  "/api/v2/status.json": read("getStatusV2", "StatuspageStatus", "As Statuspage: the indicator"),
  "/api/v2/components.json": read(
    "getComponentsV2",
    "StatuspageComponents",
    "As Statuspage: the services",
  ),
  "/api/v2/incidents.json": read(
    "getIncidentsV2",
    "StatuspageIncidents",
    "As Statuspage: the last 50 incidents, and all that are open",
  ),
  "/api/v2/incidents/unresolved.json": read(
    "getUnresolvedIncidentsV2",
    "StatuspageIncidents",
    "As Statuspage: open incidents",
  ),
  "/api/v2/scheduled-maintenances.json": read(
    "getMaintenancesV2",
    "StatuspageMaintenances",
    "As Statuspage: planned works",
  ),
  "/api/v2/scheduled-maintenances/active.json": read(
    "getActiveMaintenancesV2",
    "StatuspageMaintenances",
    "As Statuspage: works that go on",
  ),
  "/api/v2/scheduled-maintenances/upcoming.json": read(
    "getUpcomingMaintenancesV2",
    "StatuspageMaintenances",
    "As Statuspage: works to come",
  ),
};
