import * as z from "zod";
import { MONITOR } from "../../model/monitor/monitor-schema.ts";
import { PROOF_METHODS } from "../../model/monitor/owned-monitor.ts";
import { refTo, type SchemaObject } from "../../contract/components.ts";
import { CHANNEL_SCHEMAS, contentOf, ID, objectOf, TEXT, TIME, TOKEN } from "./channels.ts";

const KEY: SchemaObject = { type: "string", pattern: "^[A-Za-z0-9_-]{43}$" };

/** Tag of these operations. */
export const OWNERS_TAG: SchemaObject = {
  name: "owners",
  description: "Monitors that owners add. Proof of control of the site is the account.",
};

/** How owners show that a monitor is theirs. */
export const OWNER_SECURITY: SchemaObject = {
  ownerKey: {
    type: "http",
    scheme: "bearer",
    description: "The `token` that the registration has answered.",
  },
};

/** As owners write and read them: `isPublic` is `public` there, and `url` stands where it is required. */
const { id: _, url: __, isPublic = {}, ...others } = z.toJSONSchema(MONITOR).properties ?? {};
// The types of zod allow what JSON has not.
const SETTINGS = { public: isPublic, ...others } as SchemaObject;

const PLACE: SchemaObject = objectOf(["method", "found"], {
  method: { enum: PROOF_METHODS },
  place: TEXT,
  found: { enum: ["found", "other", "absent", "elsewhere", "failed"] },
  excerpt: TEXT,
  httpStatus: { type: "integer" },
  host: TEXT,
  code: TEXT,
});

/** The schemas of these operations, by name. */
export const OWNER_SCHEMAS: SchemaObject = {
  OwnerChallenge: {
    ...objectOf(["for", "until", "token", "file", "meta"], {
      for: { enum: ["first", "url", "key"] },
      url: TEXT,
      until: TIME,
      token: TOKEN,
      file: objectOf(["url", "content"], { url: TEXT, content: TEXT }),
      dns: objectOf(["name", "type", "value"], {
        name: TEXT,
        type: { const: "TXT" },
        value: TEXT,
      }),
      meta: objectOf(["tag"], { url: TEXT, tag: TEXT }),
    }),
    description:
      "What an owner shows on the site, in one of three places. An address has no `dns`. Asked for a new key of a private monitor, it does not name the site: the URL of the file is its path, the name of the record lacks the host.",
  },
  OwnerRegistration: objectOf(["id", "token", "until", "challenge"], {
    id: ID,
    token: { ...KEY, description: "The key, given once." },
    until: TIME,
    challenge: refTo("OwnerChallenge"),
  }),
  OwnerLook: objectOf(["at", "denied", "places"], {
    at: TIME,
    denied: { type: "boolean" },
    places: { type: "array", items: PLACE },
  }),
  OwnedMonitor: objectOf(["id", "status", "challenges"], {
    id: ID,
    url: TEXT,
    ...SETTINGS,
    status: {
      enum: ["pending", "proved", "lost", "dormant", "refused", "removed", "expired", "candidate"],
    },
    createdAt: TIME,
    proof: { type: "object" },
    refusal: objectOf(["kind", "at"], { kind: { enum: ["denied", "blocked"] }, at: TIME }),
    restorableUntil: TIME,
    challenges: { type: "array", items: refTo("OwnerChallenge") },
    lastLook: refTo("OwnerLook"),
    lastCheck: { type: "object" },
    pushKey: { ...TEXT, description: "Key for subscriptions of browsers, where alerts are sent." },
    channels: { type: "array", items: refTo("OwnerChannel") },
  }),
  ...CHANNEL_SCHEMAS,
  NewMonitor: {
    ...objectOf(["url"], { url: TEXT, ...SETTINGS }),
    additionalProperties: false,
  },
};

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly status: string;
  readonly answer: SchemaObject;
  readonly body?: SchemaObject;
  /** @default true */
  readonly needsKey?: boolean;
}

function toOperation({
  operationId,
  summary,
  status,
  answer,
  body,
  needsKey,
}: Operation): SchemaObject {
  return {
    operationId,
    tags: ["owners"],
    summary,
    ...(needsKey === false ? {} : { security: [{ ownerKey: [] }] }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: body } }),
    responses: {
      [status]: { description: summary, content: answer },
      default: {
        description: "Refused.",
        content: { "application/problem+json": { schema: refTo("OwnerProblem") } },
      },
    },
  };
}

const PARAMETERS: readonly SchemaObject[] = [
  { name: "id", in: "path", required: true, description: "Id of the monitor.", schema: ID },
];

const REGISTRATION = contentOf("OwnerRegistration");
const RECORD = contentOf("OwnedMonitor");
const LOOK = objectOf(["id", "status", "look"], {
  id: ID,
  status: TEXT,
  look: refTo("OwnerLook"),
});
const REMOVAL = objectOf(["id", "status", "restorableUntil"], {
  id: ID,
  status: TEXT,
  restorableUntil: TIME,
});
function post(operation: Operation): SchemaObject {
  return { parameters: PARAMETERS, post: toOperation(operation) };
}

const CHANNEL_PARAMETER: SchemaObject = {
  name: "channel",
  in: "path",
  required: true,
  description: "Id of the channel.",
  schema: TOKEN,
};

/** The paths of the operations. Source: docs/monitors/owners.md, "Operations". */
export const OWNER_PATHS: SchemaObject = {
  "/monitors": {
    post: toOperation({
      operationId: "registerMonitor",
      summary: "Add a site",
      status: "201",
      answer: REGISTRATION,
      body: contentOf("NewMonitor"),
      needsKey: false,
    }),
  },
  "/monitors/{id}": {
    parameters: PARAMETERS,
    get: toOperation({
      operationId: "getMonitor",
      summary: "The record",
      status: "200",
      answer: RECORD,
    }),
    patch: toOperation({
      operationId: "changeMonitor",
      summary: "Change settings",
      status: "200",
      answer: RECORD,
      body: { "application/merge-patch+json": { schema: { type: "object" } } },
    }),
    delete: toOperation({
      operationId: "removeMonitor",
      summary: "Remove it",
      status: "202",
      answer: { "application/json": { schema: REMOVAL } },
    }),
  },
  "/monitors/{id}/verify": post({
    operationId: "verifyMonitor",
    summary: "Look for the proof",
    status: "202",
    answer: { "application/json": { schema: LOOK } },
  }),
  "/monitors/{id}/restore": post({
    operationId: "restoreMonitor",
    summary: "Take a removal back",
    status: "200",
    answer: RECORD,
  }),
  "/monitors/{id}/channels": post({
    operationId: "addChannel",
    summary: "Be told of failures, by a webhook or in a browser",
    status: "201",
    answer: contentOf("AddedChannel"),
    body: contentOf("NewChannel"),
  }),
  "/monitors/{id}/channels/{channel}": {
    parameters: [...PARAMETERS, CHANNEL_PARAMETER],
    delete: toOperation({
      operationId: "removeChannel",
      summary: "Be told there no more",
      status: "200",
      answer: RECORD,
    }),
  },
  "/monitors/{id}/token": post({
    operationId: "requestKey",
    summary: "Ask for a new key",
    status: "201",
    answer: REGISTRATION,
    needsKey: false,
  }),
};
