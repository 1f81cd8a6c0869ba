import { refTo, type SchemaObject } from "../../contract/components.ts";
import { PUSH_SCHEMAS } from "../../contract/intake.ts";
import { OWNER_SCHEMAS } from "../../contract/owners.ts";
import { errorResponse, inPath, jsonOf, RETRY_AFTER } from "./reads.ts";
import { KEY_SOURCE, MONITOR_ID, TOKEN_SOURCE } from "../../model/ids.ts";

/** Reports of users. Source: docs/reports/intake.md, "Requests". */
export const REPORT_PATHS: SchemaObject = {
  "/report/{slug}": {
    post: {
      operationId: "report",
      tags: ["reports"],
      summary: "Report that a service does not work",
      description:
        "An empty body is a report without a symptom. A network counts once per service and hour, and a block of addresses no more than its share. Pages of other sites may not send reports.",
      parameters: [inPath("slug", refTo("Slug"), "A slug of the list.")],
      requestBody: {
        required: false,
        content: {
          ...jsonOf("Report"),
          "application/x-www-form-urlencoded": { schema: refTo("ReportForm") },
          "multipart/form-data": { schema: refTo("ReportForm") },
        },
      },
      responses: {
        "202": { description: "Accepted and stored.", content: jsonOf("ReportCounts") },
        "303": {
          description: "Accepted, from an HTML form.",
          headers: {
            Location: { description: "Page of the service.", schema: { type: "string" } },
          },
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
      },
    },
  },
};

type Operation = readonly [
  operationId: string,
  summary: string,
  status: "200" | "201" | "202" | "204",
  /** Schemas, where there are bodies. */
  answer?: string,
  body?: string | SchemaObject,
];

/** What makes the operations of a tag, with its bearer token and its refusals. */
function operationsOf(tag: string, key: string, problem: string) {
  return (...[operationId, summary, status, answer, body]: Operation): SchemaObject => {
    const content = typeof body === "string" ? jsonOf(body) : body;
    return {
      operationId,
      tags: [tag],
      summary,
      security: [{ [key]: [] }],
      ...(content === undefined ? {} : { requestBody: { required: true, content } }),
      responses: {
        [status]: {
          description: summary,
          ...(answer === undefined ? {} : { content: jsonOf(answer) }),
        },
        default: {
          description: "Refused.",
          content: { "application/problem+json": { schema: refTo(problem) } },
        },
      },
    };
  };
}

/** Everyone may ask. */
const OPEN: SchemaObject = { security: [] };

/** The key that an answer has given, by its name. */
function keyOf(name: string, description: string): SchemaObject {
  return { [name]: { type: "http", scheme: "bearer", description } };
}

const owner = operationsOf("owners", "ownerKey", "OwnerProblem");

function idPart(name: string, pattern: string, description: string): SchemaObject {
  return inPath(name, { type: "string", pattern }, description);
}

const OF_MONITOR = { parameters: [idPart("id", MONITOR_ID.source, "Id of the monitor.")] };
const CHANNEL_ID = idPart("channel", `^${TOKEN_SOURCE}$`, "Id of the channel.");

/** The operations of owners, which only some deployments have. Source: docs/monitors/owners.md, "Operations". */
export const OWNER_API = {
  tag: {
    name: "owners",
    description: "Monitors that owners add. Proof of control of the site is the account.",
  },
  paths: {
    "/monitors": {
      post: {
        ...owner("registerMonitor", "Add a site", "201", "OwnerRegistration", "NewMonitor"),
        ...OPEN,
      },
    },
    "/monitors/{id}": {
      ...OF_MONITOR,
      get: owner("getMonitor", "The record", "200", "OwnedMonitor"),
      patch: owner("changeMonitor", "Change settings", "200", "OwnedMonitor", {
        "application/merge-patch+json": { schema: { type: "object" } },
      }),
      delete: owner("removeMonitor", "Remove it", "202", "OwnerRemoval"),
    },
    "/monitors/{id}/verify": {
      ...OF_MONITOR,
      post: owner("verifyMonitor", "Look for the proof", "202", "OwnerVerification"),
    },
    "/monitors/{id}/restore": {
      ...OF_MONITOR,
      post: owner("restoreMonitor", "Take a removal back", "200", "OwnedMonitor"),
    },
    "/monitors/{id}/channels": {
      ...OF_MONITOR,
      post: owner(
        "addChannel",
        "Be told of failures, by a webhook or in a browser",
        "201",
        "AddedChannel",
        "NewChannel",
      ),
    },
    "/monitors/{id}/channels/{channel}": {
      parameters: [...OF_MONITOR.parameters, CHANNEL_ID],
      delete: owner("removeChannel", "Be told there no more", "200", "OwnedMonitor"),
    },
    "/monitors/{id}/token": {
      ...OF_MONITOR,
      post: { ...owner("requestKey", "Ask for a new key", "201", "OwnerRegistration"), ...OPEN },
    },
  },
  schemas: OWNER_SCHEMAS,
  security: keyOf("ownerKey", "The `token` that the registration has answered."),
};

/** Messages to owners. Source: docs/monitors/owners.md, "Alerts". */
export const OWNER_WEBHOOKS: SchemaObject = {
  monitorChanged: {
    post: {
      operationId: "monitorChanged",
      tags: ["owners"],
      summary: "Sent to the webhooks of a monitor, signed as Standard Webhooks says",
      requestBody: { required: true, content: jsonOf("WebhookMessage") },
      responses: {
        "2XX": { description: "Taken." },
        "410": { description: "Nothing more is sent." },
      },
    },
  },
};

const visitor = operationsOf("push", "pushToken", "PushProblem");

/** The operations of visitors, which only some deployments have. Source: docs/reports/intake.md, "Subscriptions of visitors". */
export const VISITOR_API = {
  tag: {
    name: "push",
    description: "Browsers that are told of services, by Web Push (RFC 8030).",
  },
  paths: {
    "/push": {
      post: {
        ...visitor(
          "subscribe",
          "Tell a browser of services",
          "201",
          "Subscription",
          "NewSubscription",
        ),
        ...OPEN,
      },
    },
    "/push/{id}": {
      parameters: [idPart("id", `^${KEY_SOURCE}$`, "Id of the subscription.")],
      put: visitor(
        "changeServices",
        "Replace the services",
        "200",
        "Subscription",
        "FollowedServices",
      ),
      delete: visitor("unsubscribe", "Tell it nothing more", "204"),
    },
  },
  schemas: PUSH_SCHEMAS,
  security: keyOf("pushToken", "The `token` that the subscription has answered."),
};
