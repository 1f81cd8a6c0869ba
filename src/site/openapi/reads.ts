import { refTo, type SchemaObject } from "../../contract/components.ts";
import { CACHE_A_MINUTE } from "../../model/cache-policy.ts";
import { BADGE_WINDOW, UPTIME_WINDOWS } from "../../model/monitor/monitor.ts";
import { MONITOR_ID } from "../../model/monitor/monitor-schema.ts";

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

const PARTS: Readonly<Record<"slug" | "id" | "vantage" | "window", PathPart>> = {
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
  "Cache-Control": { description: "A minute.", schema: { const: CACHE_A_MINUTE } },
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

interface Words {
  /** @default "The document." */
  readonly success?: string;
  /** What a 404 means, where no part of the path says it; null: there is none. */
  readonly notFound?: string | null;
}

type Read = readonly [
  path: string,
  operationId: string,
  /** Of JSON by its name, or of another type. */
  content: string | SchemaObject,
  summary: string,
  words?: Words,
];

function toOperation(tag: string, [path, operationId, content, summary, words = {}]: Read) {
  const parts = Object.entries(PARTS).filter(([name]) => path.includes(`{${name}}`));
  const parameters = parts.map(([name, { schema, description }]) =>
    inPath(name, schema, description),
  );
  const { success = "The document.", notFound = "Nothing was published yet." } = words;
  const missing = parts[0]?.[1].notFound ?? notFound;
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

const UPTIME = "Uptime in per cent, rounded down; before the first check, that there is none.";
const SVG = { "image/svg+xml": { schema: { type: "string" } } };

const METRICS = {
  "application/openmetrics-text; version=1.0.0; charset=utf-8": { schema: { type: "string" } },
};

function badge(name: string, id: string, content: string | SchemaObject, summary: string): Read {
  return [`/api/m/{id}/${name}`, id, content, summary, { success: UPTIME }];
}

/** The reads of the API. Sources: docs/api.md, docs/monitors/badges.md. */
export const API_READS: SchemaObject = {
  ...readsOf(
    "status",
    [
      "/api/v1/status",
      "listStatuses",
      "StatusList",
      "List all services",
      { success: "The list.", notFound: null },
    ],
    [
      "/api/v1/status/{slug}",
      "getStatus",
      "StatusDetail",
      "One service",
      { success: "The service." },
    ],
  ),
  ...readsOf(
    "evidence",
    [
      "/evidence/v1/{slug}.json",
      "getEvidence",
      "Evidence",
      "What the verdict of a service follows from",
      { success: "The evidence." },
    ],
    [
      "/evidence/v1/vantages.json",
      "listVantages",
      "Vantages",
      "The places beside the runner",
      { success: "The places.", notFound: "There are no other places." },
    ],
    [
      "/evidence/v1/raw/{vantage}.json",
      "getRawEvidence",
      "RawEvidence",
      "The answer of a place as it was signed",
      { success: "The answer that counted when a scope changed last." },
    ],
  ),
  ...readsOf("open data", [
    "/accuracy/v1.json",
    "getAccuracy",
    "Accuracy",
    "How often the verdicts were wrong",
    { success: "The numbers of each month.", notFound: null },
  ]),
  ...readsOf(
    "badges",
    badge("badge.svg", "getBadge", SVG, "Badge of a monitor, 30 days"),
    badge("badge.png", "getBadgePng", { "image/png": {} }, "The same as PNG, twice the size"),
    badge(
      "badge.json",
      "getBadgeJson",
      "ShieldsEndpoint",
      "The same for the endpoint badge of shields.io",
    ),
    badge("badge-{window}.svg", "getBadgeOfWindow", SVG, "Badge of another window"),
  ),
};

const ARCHIVED = { notFound: "No day is over yet." };

function statuspage(name: string, id: string, schema: string, what: string): Read {
  return [`/api/v2/${name}.json`, `get${id}V2`, `Statuspage${schema}`, `As Statuspage: ${what}`];
}

/** The reads of open data. Source: docs/open-data.md. */
export const OPEN_DATA_READS: SchemaObject = readsOf(
  "open data",
  ["/changes/v1.json", "getChanges", "Changes", "The changes of verdicts"],
  [
    "/archive/v1/index.json",
    "getArchiveIndex",
    "ArchiveIndex",
    "The files of the archive",
    ARCHIVED,
  ],
  [
    "/archive/v1/datapackage.json",
    "getDataPackage",
    "DataPackage",
    "The files of the archive, with the meaning of each column",
    ARCHIVED,
  ],
  ["/history/v1/index.json", "getUptimes", "HistoryIndex", "The uptimes of all services"],
  ["/history/v1/{slug}.json", "getHistory", "ServiceHistory", "The history of a service"],
  ["/history/v1/m/{id}.json", "getMonitorHistory", "MonitorHistory", "The history of a monitor"],
  [
    "/badge/{slug}.json",
    "getServiceBadgeJson",
    "ShieldsEndpoint",
    "The verdict for the endpoint badge of shields.io",
  ],
  [
    "/badge.json",
    "getOverallBadgeJson",
    "ShieldsEndpoint",
    "All services for the endpoint badge of shields.io",
  ],
  ["/metrics", "getMetrics", METRICS, "The verdicts for Prometheus"],
  statuspage("summary", "Summary", "Summary", "all of it"),
  statuspage("status", "Status", "Status", "the indicator"),
  statuspage("components", "Components", "Components", "the services"),
  statuspage("incidents", "Incidents", "Incidents", "the last 50 incidents, and all that are open"),
  statuspage("incidents/unresolved", "UnresolvedIncidents", "Incidents", "open incidents"),
  statuspage("scheduled-maintenances", "Maintenances", "Maintenances", "planned works"),
  statuspage(
    "scheduled-maintenances/active",
    "ActiveMaintenances",
    "Maintenances",
    "works that go on",
  ),
  statuspage(
    "scheduled-maintenances/upcoming",
    "UpcomingMaintenances",
    "Maintenances",
    "works to come",
  ),
);
