import { refTo, type SchemaObject } from "../../contract/components.ts";
import { MONITOR_ID_PATTERN } from "../../contract/parts.ts";

export const TEXT: SchemaObject = { type: "string" };
export const ID: SchemaObject = { type: "string", pattern: MONITOR_ID_PATTERN.source };
/** Whole Unix seconds. */
export const TIME: SchemaObject = { type: "integer", format: "int64", minimum: 0 };
/** 128 bits as base64url. */
export const TOKEN: SchemaObject = { type: "string", pattern: "^[A-Za-z0-9_-]{22}$" };

export function objectOf(required: readonly string[], properties: SchemaObject): SchemaObject {
  return { type: "object", required, properties };
}

/** A body of JSON. */
export function contentOf(schema: string): SchemaObject {
  return { "application/json": { schema: refTo(schema) } };
}

const CHANNEL_KIND: SchemaObject = { enum: ["webhook", "push"] };

/** Where owners are told of failures, and with what. Source: docs/monitors/owners.md, "Alerts". */
export const CHANNEL_SCHEMAS: SchemaObject = {
  OwnerChannel: objectOf(["id", "kind", "to", "addedAt"], {
    id: TOKEN,
    kind: CHANNEL_KIND,
    to: { ...TEXT, description: "URL of the webhook, or host of the browser's service." },
    addedAt: TIME,
    stoppedAt: { ...TIME, description: "Since when nothing is sent: the receiver is gone." },
  }),
  NewChannel: {
    ...objectOf([], {
      webhook: { ...TEXT, description: "URL, with https." },
      push: objectOf(["endpoint", "keys"], {
        endpoint: TEXT,
        keys: objectOf(["p256dh", "auth"], { p256dh: TEXT, auth: TEXT }),
        expirationTime: { type: ["number", "null"] },
      }),
      language: { enum: ["ru", "en"] },
    }),
    additionalProperties: false,
  },
  AddedChannel: objectOf(["id", "kind"], {
    id: TOKEN,
    kind: CHANNEL_KIND,
    secret: { ...TEXT, description: "Of a webhook: signs each message. Given once." },
  }),
  WebhookMessage: objectOf(["type", "timestamp", "data"], {
    type: { enum: ["channel.added", "monitor.failing", "monitor.healthy", "monitor.flapping"] },
    timestamp: { type: "string", format: "date-time" },
    data: objectOf(["id", "url", "name"], {
      id: ID,
      url: TEXT,
      name: TEXT,
      page: TEXT,
      before: TEXT,
      state: { enum: ["failing", "healthy"] },
      at: TIME,
      beforeSeconds: { type: "integer", description: "Length of the state before." },
      code: TEXT,
      changes: { type: "integer", description: "Since the last message; above 1: no rest." },
    }),
  }),
};

/** Messages to owners. Source: docs/monitors/owners.md, "Alerts". */
export const OWNER_WEBHOOKS: SchemaObject = {
  monitorChanged: {
    post: {
      operationId: "monitorChanged",
      tags: ["owners"],
      summary: "Sent to the webhooks of a monitor, signed as Standard Webhooks says",
      requestBody: { required: true, content: contentOf("WebhookMessage") },
      responses: {
        "2XX": { description: "Taken." },
        "410": { description: "Nothing more is sent." },
      },
    },
  },
};
