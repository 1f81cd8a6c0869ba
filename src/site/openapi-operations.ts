import { BADGE_WINDOW, UPTIME_WINDOWS } from "../model/monitor.ts";
import { ID_PATTERN, type JsonObject, refTo } from "./openapi-schemas.ts";

const JSON_TYPE = "application/json";
const SVG_TYPE = "image/svg+xml";

function jsonOf(schema: string): JsonObject {
  return { [JSON_TYPE]: { schema: refTo(schema) } };
}

function refuse(description: string, headers?: JsonObject): JsonObject {
  return { description, content: jsonOf("Error"), ...(headers === undefined ? {} : { headers }) };
}

const RETRY_AFTER: JsonObject = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } },
};

const OPEN: JsonObject = {
  description: "Any website may call.",
  schema: { const: "*" },
};

const READ_HEADERS: JsonObject = {
  "Cache-Control": { description: "A minute.", schema: { const: "max-age=60" } },
  ETag: { description: "For `If-None-Match`.", schema: { type: "string" } },
  "Access-Control-Allow-Origin": OPEN,
  "Access-Control-Expose-Headers": {
    description: "What scripts may read: the clock of the server, the tag, how long to wait.",
    schema: { const: "Age, Date, ETag, Retry-After" },
  },
};

/** What each read may answer beside its success. Source: docs/api.md, "Headers". */
const READ_REFUSALS: JsonObject = {
  "304": { description: "The copy that `If-None-Match` names is still good." },
  "429": refuse("Too many requests from one address, where the front limits them.", RETRY_AFTER),
  "503": refuse("The front has no copy, and its store does not answer.", RETRY_AFTER),
};

interface Read {
  readonly operationId: string;
  readonly tag: "status" | "badges";
  readonly summary: string;
  readonly content: JsonObject;
  readonly success: string;
  readonly parameters?: readonly JsonObject[];
  /** Why there may be none; absent: it is always there. */
  readonly missing?: string;
}

function toOperation(read: Read): JsonObject {
  const { operationId, tag, summary, parameters, missing } = read;
  return {
    get: {
      operationId,
      tags: [tag],
      summary,
      ...(parameters === undefined ? {} : { parameters }),
      responses: {
        "200": { description: read.success, headers: READ_HEADERS, content: read.content },
        ...(missing === undefined ? {} : { "404": refuse(missing) }),
        ...READ_REFUSALS,
      },
    },
  };
}

const SLUG: JsonObject = {
  name: "slug",
  in: "path",
  required: true,
  description: "A slug of the list.",
  schema: refTo("Slug"),
};

const ID: JsonObject = {
  name: "id",
  in: "path",
  required: true,
  description: "Id of a monitor whose page is public, in its own case.",
  schema: { type: "string", pattern: ID_PATTERN },
};

function statusPaths(): JsonObject {
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
      missing: "No service of the catalogue has this slug.",
    }),
  };
}

const NO_MONITOR = "No monitor with a public page has this id.";
const PICTURE: JsonObject = { schema: { type: "string" } };
/** Of `badge.svg` the window has no second name. */
const WINDOWS = UPTIME_WINDOWS.filter((window) => window !== BADGE_WINDOW);

function badgeOperation(
  operationId: string,
  summary: string,
  content: JsonObject,
  parameters: readonly JsonObject[] = [ID],
): JsonObject {
  const success = "Uptime in per cent, rounded down; before the first check, that there is none.";
  return toOperation({
    operationId,
    tag: "badges",
    summary,
    success,
    content,
    parameters,
    missing: NO_MONITOR,
  });
}

function badgePaths(): JsonObject {
  const window: JsonObject = {
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

/** Source: docs/intake.md, "Requests". */
function reportResponses(): JsonObject {
  const location = { description: "Page of the service.", schema: { type: "string" } };
  return {
    "202": { description: "Accepted, and kept.", content: jsonOf("ReportCounts") },
    "303": {
      description: "Accepted, from a plain form that asks for a page.",
      headers: { Location: location },
    },
    "400": refuse("Malformed request, unknown symptom, or an address that is not known."),
    "403": refuse("Sent by a page of another site."),
    "404": refuse("No service of the catalogue has this slug."),
    "408": refuse("The request did not come in time."),
    "413": refuse("The body has more than 1 KiB."),
    "415": refuse("Another media type, or a packed body."),
    "429": refuse("This network has sent too much.", RETRY_AFTER),
    "431": refuse("The head has more than 16 KiB."),
    "503": refuse("Reports cannot be kept right now.", RETRY_AFTER),
  };
}

function reportPath(): JsonObject {
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

/** All operations there are, by their paths. Source: docs/api.md, docs/badges.md, docs/intake.md. */
export function buildPaths(): JsonObject {
  return { ...statusPaths(), ...badgePaths(), "/report/{slug}": reportPath() };
}
