import { refTo, type SchemaObject } from "../../contract/components.ts";
import { BADGE_WINDOW, UPTIME_WINDOWS } from "../../model/monitor/monitor.ts";
import { MONITOR_ID } from "../../model/ids.ts";
import { CACHE_CONTROL } from "../../model/public-paths.ts";

/** A body of JSON. */
export function jsonOf(schema: string): SchemaObject {
  return { "application/json": { schema: refTo(schema) } };
}

export const RETRY_AFTER: SchemaObject = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } },
};

export function errorResponse(description: string, headers?: SchemaObject): SchemaObject {
  return { description, content: jsonOf("Error"), ...(headers === undefined ? {} : { headers }) };
}

interface PathPart {
  readonly schema: SchemaObject;
  readonly description?: string;
  /** What a 404 means where this part comes first. */
  readonly notFound?: string;
}

const PARTS: Readonly<Record<string, PathPart>> = {
  slug: {
    description: "A slug of the list.",
    schema: refTo("Slug"),
    notFound: "No service of the catalogue has this slug.",
  },
  id: {
    description: "Id of a monitor whose page is public, in its own case.",
    schema: { type: "string", pattern: MONITOR_ID.source },
    notFound: "No monitor with a public page has this id.",
  },
  vantage: {
    description: "Id of a vantage.",
    schema: refTo("Slug"),
    notFound: "No such place has answered.",
  },
  minute: {
    description: "The minute in which the outage was told, in UTC.",
    schema: { type: "string", pattern: String.raw`^\d{12}$` },
  },
  date: {
    description: "A day in Moscow.",
    schema: { type: "string", pattern: String.raw`^\d{4}-\d{2}-\d{2}$` },
    notFound: "No outage was told on this day, or it is not over.",
  },
  month: {
    description: "A month in UTC.",
    schema: { type: "string", pattern: String.raw`^\d{4}-\d{2}$` },
    notFound: "No outage was told in this month.",
  },
  window: {
    // The window of `badge.svg` has no path of its own.
    schema: { type: "string", enum: UPTIME_WINDOWS.filter((window) => window !== BADGE_WINDOW) },
  },
};

/** A part of a path. */
export function inPath(name: string, schema: SchemaObject, description?: string): SchemaObject {
  const words = description === undefined ? {} : { description };
  return { name, in: "path", required: true, ...words, schema };
}

const READ_HEADERS: SchemaObject = {
  "Cache-Control": { description: "A minute.", schema: { const: CACHE_CONTROL.minute } },
  ETag: { description: "For `If-None-Match`.", schema: { type: "string" } },
  "Access-Control-Allow-Origin": { description: "Any website may call.", schema: { const: "*" } },
  "Access-Control-Expose-Headers": {
    description: "What scripts may read: the time of the server, the tag, how long to wait.",
    schema: { const: "Age, Date, ETag, Retry-After" },
  },
};

/** Responses of each read other than success. Source: docs/api.md, "Headers". */
const READ_ERRORS: SchemaObject = {
  "304": { description: "The copy that `If-None-Match` names is still current." },
  "429": errorResponse(
    "Too many requests from one address, if the front limits them.",
    RETRY_AFTER,
  ),
  "503": errorResponse("The front has no copy, and its store does not answer.", RETRY_AFTER),
};

type Read = readonly [
  path: string,
  operationId: string,
  /** Of JSON by its name, or of another type. */
  content: string | SchemaObject,
  summary: string,
];

const UPTIME = "Uptime in per cent, rounded down; before the first check, that there is none.";

/** What a read gives, where there is more to say than that it is the document. */
const SUCCESS: Readonly<Record<string, string>> = {
  "/api/v1/status": "The list.",
  "/api/v1/status/{slug}": "The service.",
  "/evidence/v1/{slug}.json": "The evidence.",
  "/evidence/v1/vantages.json": "The places.",
  "/evidence/v1/raw/{vantage}.json": "The answer that counted when a scope changed last.",
  "/accuracy/v1.json": "The numbers of each month.",
};

/** What a 404 means, where no part of the path says it; null: there is none. */
const NOT_FOUND: Readonly<Record<string, string | null>> = {
  "/api/v1/status": null,
  "/evidence/v1/vantages.json": "There are no other places.",
  "/accuracy/v1.json": null,
  "/outages/v1/{slug}/{minute}.json": "No outage of this service was told in this minute.",
  "/archive/v1/index.json": "No day is over yet.",
  "/archive/v1/datapackage.json": "No day is over yet.",
};

function toOperation(tag: string, [path, operationId, content, summary]: Read): SchemaObject {
  const parts = Object.entries(PARTS).filter(([name]) => path.includes(`{${name}}`));
  const parameters = parts.map(([name, { schema, description }]) =>
    inPath(name, schema, description),
  );
  const success = SUCCESS[path] ?? (tag === "badges" ? UPTIME : "The document.");
  const { [path]: missing = parts[0]?.[1].notFound ?? "Nothing was published yet." } = NOT_FOUND;
  return {
    get: {
      operationId,
      tags: [tag],
      summary,
      ...(parameters.length === 0 ? {} : { parameters }),
      responses: {
        "200": {
          description: success,
          headers: READ_HEADERS,
          content: typeof content === "string" ? jsonOf(content) : content,
        },
        ...(missing === null ? {} : { "404": errorResponse(missing) }),
        ...READ_ERRORS,
      },
    },
  };
}

function readsOf(tag: string, ...reads: readonly Read[]): SchemaObject {
  return Object.fromEntries(reads.map((read) => [read[0], toOperation(tag, read)]));
}

const SVG = { "image/svg+xml": { schema: { type: "string" } } };
const PNG = { "image/png": {} };
const METRICS = {
  "application/openmetrics-text; version=1.0.0; charset=utf-8": { schema: { type: "string" } },
};

const TO_SHIELDS = "for the endpoint badge of shields.io";
const OF_VERDICT = "What the verdict of a service follows from";
const SIGNED = "The answer of a place as it was signed";
const BADGES = "/api/m/{id}";

/** The reads of the API. Sources: docs/api.md, docs/monitors/badges.md. */
export const API_READS: SchemaObject = {
  ...readsOf(
    "status",
    ["/api/v1/status", "listStatuses", "StatusList", "List all services"],
    ["/api/v1/status/{slug}", "getStatus", "StatusDetail", "One service"],
  ),
  ...readsOf(
    "evidence",
    ["/evidence/v1/{slug}.json", "getEvidence", "Evidence", OF_VERDICT],
    ["/evidence/v1/vantages.json", "listVantages", "Vantages", "The places beside the runner"],
    ["/evidence/v1/raw/{vantage}.json", "getRawEvidence", "RawEvidence", SIGNED],
  ),
  ...readsOf("open data", [
    "/accuracy/v1.json",
    "getAccuracy",
    "Accuracy",
    "How often the verdicts were wrong",
  ]),
  ...readsOf(
    "badges",
    [`${BADGES}/badge.svg`, "getBadge", SVG, "Badge of a monitor, 30 days"],
    [`${BADGES}/badge.png`, "getBadgePng", PNG, "The same as PNG, twice the size"],
    [`${BADGES}/badge.json`, "getBadgeJson", "ShieldsEndpoint", `The same ${TO_SHIELDS}`],
    [`${BADGES}/badge-{window}.svg`, "getBadgeOfWindow", SVG, "Badge of another window"],
  ),
};

const STATUSPAGE = [
  ["summary", "Summary", "Summary", "all of it"],
  ["status", "Status", "Status", "the indicator"],
  ["components", "Components", "Components", "the services"],
  ["incidents", "Incidents", "Incidents", "the last 50 incidents, and all that are open"],
  ["incidents/unresolved", "UnresolvedIncidents", "Incidents", "open incidents"],
  ["scheduled-maintenances", "Maintenances", "Maintenances", "planned works"],
  ["scheduled-maintenances/active", "ActiveMaintenances", "Maintenances", "works that go on"],
  ["scheduled-maintenances/upcoming", "UpcomingMaintenances", "Maintenances", "works to come"],
] as const;

const WITH_COLUMNS = "The files of the archive, with the meaning of each column";

/** The reads of open data. Source: docs/open-data.md. */
export const OPEN_DATA_READS: SchemaObject = readsOf(
  "open data",
  ["/changes/v1.json", "getChanges", "Changes", "The changes of verdicts"],
  ["/archive/v1/index.json", "getArchiveIndex", "ArchiveIndex", "The files of the archive"],
  ["/archive/v1/datapackage.json", "getDataPackage", "DataPackage", WITH_COLUMNS],
  ["/history/v1/index.json", "getUptimes", "HistoryIndex", "The uptimes of all services"],
  ["/history/v1/{slug}.json", "getHistory", "ServiceHistory", "The history of a service"],
  ["/history/v1/m/{id}.json", "getMonitorHistory", "MonitorHistory", "The history of a monitor"],
  ["/outages/v1/index.json", "listOutages", "OutageIndex", "The newest outages"],
  ["/outages/v1/{month}.json", "listOutagesOfMonth", "OutageMonth", "The outages of a month"],
  ["/outages/v1/{date}.json", "listOutagesOfDay", "OutageDay", "The outages of a day"],
  ["/outages/v1/{slug}/{minute}.json", "getOutage", "Outage", "One outage"],
  ["/operators/v1.json", "getOperators", "OperatorReports", "Reports by operator"],
  ["/badge/{slug}.json", "getServiceBadgeJson", "ShieldsEndpoint", `The verdict ${TO_SHIELDS}`],
  ["/badge.json", "getOverallBadgeJson", "ShieldsEndpoint", `All services ${TO_SHIELDS}`],
  ["/metrics", "getMetrics", METRICS, "The verdicts for Prometheus"],
  ...STATUSPAGE.map(([name, id, schema, what]): Read => [
    `/api/v2/${name}.json`,
    `get${id}V2`,
    `Statuspage${schema}`,
    `As Statuspage: ${what}`,
  ]),
);
