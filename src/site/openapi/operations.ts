import { CACHE_A_MINUTE } from "../../model/service/snapshot.ts";
import { BADGE_WINDOW, UPTIME_WINDOWS } from "../../model/monitor/monitor.ts";
import { refTo, type SchemaObject } from "../../contract/components.ts";
import { MONITOR_ID_PATTERN } from "../../contract/parts.ts";

const JSON_TYPE = "application/json";
const SVG_TYPE = "image/svg+xml";

export function jsonOf(schema: string): SchemaObject {
  return { [JSON_TYPE]: { schema: refTo(schema) } };
}

function errorResponse(description: string, headers?: SchemaObject): SchemaObject {
  return { description, content: jsonOf("Error"), ...(headers === undefined ? {} : { headers }) };
}

const RETRY_AFTER: SchemaObject = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } },
};

const ANY_ORIGIN: SchemaObject = {
  description: "Any website may call.",
  schema: { const: "*" },
};

const READ_HEADERS: SchemaObject = {
  "Cache-Control": { description: "A minute.", schema: { const: CACHE_A_MINUTE } },
  ETag: { description: "For `If-None-Match`.", schema: { type: "string" } },
  "Access-Control-Allow-Origin": ANY_ORIGIN,
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

export interface Read {
  readonly operationId: string;
  readonly tag: "status" | "badges" | "evidence" | "open data";
  readonly summary: string;
  readonly content: SchemaObject;
  readonly success: string;
  readonly parameters?: readonly SchemaObject[];
  /** Description of the 404; absent: there is none. */
  readonly notFound?: string;
}

/** One read of a public object. */
export function toOperation(read: Read): SchemaObject {
  const { operationId, tag, summary, parameters, notFound } = read;
  return {
    get: {
      operationId,
      tags: [tag],
      summary,
      ...(parameters === undefined ? {} : { parameters }),
      responses: {
        "200": { description: read.success, headers: READ_HEADERS, content: read.content },
        ...(notFound === undefined ? {} : { "404": errorResponse(notFound) }),
        ...READ_ERRORS,
      },
    },
  };
}

/** The slug in a path. */
export const SLUG: SchemaObject = {
  name: "slug",
  in: "path",
  required: true,
  description: "A slug of the list.",
  schema: refTo("Slug"),
};

/** The id of a monitor in a path. */
export const ID: SchemaObject = {
  name: "id",
  in: "path",
  required: true,
  description: "Id of a monitor whose page is public, in its own case.",
  schema: { type: "string", pattern: MONITOR_ID_PATTERN.source },
};

function statusPaths(): SchemaObject {
  return {
    "/api/v1/status": toOperation({
      operationId: "listStatuses",
      tag: "status",
      summary: "List all services",
      success: "The list.",
      content: jsonOf("StatusList"),
    }),
    "/api/v1/status/{slug}": toOperation({
      operationId: "getStatus",
      tag: "status",
      summary: "One service",
      success: "The service.",
      content: jsonOf("StatusDetail"),
      parameters: [SLUG],
      notFound: "No service of the catalogue has this slug.",
    }),
  };
}

function evidencePaths(): SchemaObject {
  const vantage: SchemaObject = {
    name: "vantage",
    in: "path",
    required: true,
    description: "Id of a vantage.",
    schema: refTo("Slug"),
  };
  return {
    "/evidence/v1/{slug}.json": toOperation({
      operationId: "getEvidence",
      tag: "evidence",
      summary: "What the verdict of a service follows from",
      success: "The evidence.",
      content: jsonOf("Evidence"),
      parameters: [SLUG],
      notFound: "No service of the catalogue has this slug.",
    }),
    "/evidence/v1/vantages.json": toOperation({
      operationId: "listVantages",
      tag: "evidence",
      summary: "The places beside the runner",
      success: "The places.",
      content: jsonOf("Vantages"),
      notFound: "There are no other places.",
    }),
    "/evidence/v1/raw/{vantage}.json": toOperation({
      operationId: "getRawEvidence",
      tag: "evidence",
      summary: "The answer of a place as it was signed",
      success: "The answer that counted when a scope changed last.",
      content: jsonOf("RawEvidence"),
      parameters: [vantage],
      notFound: "No such place has answered.",
    }),
  };
}

const NO_MONITOR = "No monitor with a public page has this id.";
const PICTURE: SchemaObject = { schema: { type: "string" } };
/** The window of `badge.svg` has no path of its own. */
const WINDOWS = UPTIME_WINDOWS.filter((window) => window !== BADGE_WINDOW);

function badgeOperation(
  operationId: string,
  summary: string,
  content: SchemaObject,
  parameters: readonly SchemaObject[] = [ID],
): SchemaObject {
  const success = "Uptime in per cent, rounded down; before the first check, that there is none.";
  return toOperation({
    operationId,
    tag: "badges",
    summary,
    success,
    content,
    parameters,
    notFound: NO_MONITOR,
  });
}

function badgePaths(): SchemaObject {
  const window: SchemaObject = {
    name: "window",
    in: "path",
    required: true,
    schema: { type: "string", enum: WINDOWS },
  };
  return {
    "/api/m/{id}/badge.svg": badgeOperation("getBadge", "Badge of a monitor, 30 days", {
      [SVG_TYPE]: PICTURE,
    }),
    "/api/m/{id}/badge.png": badgeOperation("getBadgePng", "The same as PNG, twice the size", {
      "image/png": {},
    }),
    "/api/m/{id}/badge.json": badgeOperation(
      "getBadgeJson",
      "The same for the endpoint badge of shields.io",
      jsonOf("ShieldsEndpoint"),
    ),
    "/api/m/{id}/badge-{window}.svg": badgeOperation(
      "getBadgeOfWindow",
      "Badge of another window",
      { [SVG_TYPE]: PICTURE },
      [ID, window],
    ),
  };
}

/** Source: docs/reports/intake.md, "Requests". */
function reportResponses(): SchemaObject {
  const location = { description: "Page of the service.", schema: { type: "string" } };
  return {
    "202": { description: "Accepted and stored.", content: jsonOf("ReportCounts") },
    "303": {
      description: "Accepted, from an HTML form.",
      headers: { Location: location },
    },
    "400": errorResponse("Malformed request, unknown symptom, or unknown client address."),
    "403": errorResponse("Sent by a page of another site."),
    "404": errorResponse("No service of the catalogue has this slug."),
    "408": errorResponse("The request did not arrive in time."),
    "413": errorResponse("The body is larger than 1 KiB."),
    "415": errorResponse("Unsupported media type, or a compressed body."),
    "429": errorResponse("This network has sent too many requests.", RETRY_AFTER),
    "431": errorResponse("The header is larger than 16 KiB."),
    "503": errorResponse("Reports cannot be stored right now.", RETRY_AFTER),
  };
}

function reportPath(): SchemaObject {
  return {
    post: {
      operationId: "report",
      tags: ["reports"],
      summary: "Report that a service does not work",
      description:
        "An empty body is a report without a symptom. A network counts once per service and hour, and a block of addresses no more than its share. Pages of other sites may not send reports.",
      parameters: [SLUG],
      requestBody: {
        required: false,
        content: {
          [JSON_TYPE]: { schema: refTo("Report") },
          "application/x-www-form-urlencoded": { schema: refTo("ReportForm") },
          "multipart/form-data": { schema: refTo("ReportForm") },
        },
      },
      responses: reportResponses(),
    },
  };
}

/** All operations, by path. Sources: docs/api.md, docs/monitors/badges.md, docs/reports/intake.md. */
export function buildPaths(): SchemaObject {
  return {
    ...statusPaths(),
    ...evidencePaths(),
    "/accuracy/v1.json": toOperation({
      operationId: "getAccuracy",
      tag: "open data",
      summary: "How often the verdicts were wrong",
      success: "The numbers of each month.",
      content: jsonOf("Accuracy"),
    }),
    ...badgePaths(),
    "/report/{slug}": reportPath(),
  };
}
