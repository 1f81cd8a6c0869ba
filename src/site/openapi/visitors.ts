import { refTo, type SchemaObject } from "../../contract/components.ts";
import { contentOf, objectOf, TEXT, TIME } from "./channels.ts";

/** 256 bits as base64url. */
const HASH: SchemaObject = { type: "string", pattern: "^[A-Za-z0-9_-]{43}$" };
const SERVICES: SchemaObject = {
  type: "array",
  items: TEXT,
  minItems: 1,
  description: "Slugs. Those that are not in the catalogue are left out.",
};

/** Tag of these operations. */
export const VISITORS_TAG: SchemaObject = {
  name: "push",
  description: "Browsers that are told of services, by Web Push (RFC 8030).",
};

/** How a browser shows that a subscription is its own. */
export const VISITOR_SECURITY: SchemaObject = {
  pushToken: {
    type: "http",
    scheme: "bearer",
    description: "The `token` that the subscription has answered.",
  },
};

/** The schemas of these operations, by name. */
export const VISITOR_SCHEMAS: SchemaObject = {
  NewSubscription: {
    ...objectOf(["subscription", "services"], {
      subscription: {
        ...objectOf(["endpoint", "keys"], {
          endpoint: { ...TEXT, description: "URL, with https." },
          keys: objectOf(["p256dh", "auth"], { p256dh: TEXT, auth: TEXT }),
          expirationTime: { type: ["number", "null"] },
        }),
        description: "What `PushSubscription.toJSON()` gives.",
      },
      services: SERVICES,
      language: { enum: ["ru", "en"], default: "ru" },
    }),
    additionalProperties: false,
  },
  FollowedServices: {
    ...objectOf(["services"], { services: SERVICES }),
    additionalProperties: false,
  },
  Subscription: objectOf(["id", "services", "until"], {
    id: { ...HASH, description: "SHA-256 of the endpoint." },
    services: SERVICES,
    until: {
      ...TIME,
      description: "When it ends unless it is renewed by any of these operations.",
    },
    token: { ...HASH, description: "Changes and ends it. Given once, by the subscription." },
  }),
};

const REFUSED: SchemaObject = {
  description: "Refused.",
  content: { "application/problem+json": { schema: refTo("PushProblem") } },
};

function toOperation(
  operationId: string,
  summary: string,
  status: "200" | "201" | "204",
  body?: string,
): SchemaObject {
  const answer = status === "204" ? {} : { content: contentOf("Subscription") };
  return {
    operationId,
    tags: ["push"],
    summary,
    ...(status === "201" ? {} : { security: [{ pushToken: [] }] }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: contentOf(body) } }),
    responses: { [status]: { description: summary, ...answer }, default: REFUSED },
  };
}

/** The paths of the operations. Source: docs/reports/intake.md, "Subscriptions of visitors". */
export const VISITOR_PATHS: SchemaObject = {
  "/push": {
    post: toOperation("subscribe", "Tell a browser of services", "201", "NewSubscription"),
  },
  "/push/{id}": {
    parameters: [
      {
        name: "id",
        in: "path",
        required: true,
        description: "Id of the subscription.",
        schema: HASH,
      },
    ],
    put: toOperation("changeServices", "Replace the services", "200", "FollowedServices"),
    delete: toOperation("unsubscribe", "Tell it nothing more", "204"),
  },
};
