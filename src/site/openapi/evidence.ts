import { REFUSALS } from "../../model/service/catalogue.ts";
import { UNKNOWN_REASONS } from "../../model/service/history.ts";
import { SCOPES } from "../../model/service/interference.ts";
import { CONNECTIVITY_STATES } from "../../model/service/connectivity.ts";
import { FAILURES } from "../../model/probe-outcome.ts";
import { SAME_ADDRESS, VANTAGE_KINDS } from "../../model/service/vantage.ts";
import { COLOR_OF } from "../../contract/codes/verdict.ts";
import { exactObject, refTo, type SchemaObject, TIME } from "./schemas.ts";

const TEXT: SchemaObject = { type: "string" };
const BOOLEAN: SchemaObject = { type: "boolean" };

function orNull(schema: SchemaObject): SchemaObject {
  return { anyOf: [schema, { type: "null" }] };
}

function oneOf(values: readonly string[]): SchemaObject {
  return { type: "string", enum: values };
}

const FAILURE_CODES = Object.keys(FAILURES);
const STAGES = [...new Set<string>(Object.values(FAILURES))];

const VANTAGE_FIELDS: SchemaObject = {
  id: TEXT,
  kind: {
    ...oneOf(VANTAGE_KINDS),
    description:
      "`control`: abroad, turns a failure into a claim of blocking, or withholds one. `moscow`: votes. `region`, `mobile`: shown only.",
  },
  country: { type: "string", pattern: "^[A-Z]{2}$" },
  asn: { type: "integer", minimum: 1 },
  network: TEXT,
};

const BLOCKED_BY: SchemaObject = orNull({
  ...oneOf(["page", "experiment"]),
  description:
    "`page`: a block page, a stub address or a plain 451. `experiment`: cut by name here, works abroad at the same address.",
});

const UNKNOWN: SchemaObject = {
  ...orNull(oneOf(UNKNOWN_REASONS)),
  description:
    "Why nothing is known of it. `refused`: it does not answer data centres. `wall-only`: a wall against robots answers in its place. `never-reached`: it has never answered.",
};

const MOSCOW = exactObject("What the runner in Moscow found.", {
  result: oneOf(["ok", "denied", "failed", "refused", "outvoted", "unknown"]),
  stage: orNull(oneOf(STAGES)),
  code: orNull(oneOf(FAILURE_CODES)),
  status: orNull({ type: "integer" }),
  wall: {
    ...orNull(TEXT),
    description:
      "What answered in place of the service, to keep robots out: `cloudflare`, `qrator` …",
  },
  ms: orNull({ type: "integer", minimum: 0 }),
  address: orNull(TEXT),
  network: orNull(TEXT),
});

const EXPERIMENT = exactObject("Further connections after a failure, on the same path.", {
  cutBy: oneOf(["name", "address", "network", "none", "unknown"]),
  steps: {
    type: "array",
    items: {
      type: "object",
      properties: {
        kind: oneOf(["neutral-name", "seen-address", "neighbour"]),
        address: TEXT,
        answer: oneOf(["answered", "cut", "unreachable", "unclear"]),
      },
      required: ["kind", "answer"],
      additionalProperties: false,
    },
  },
});

const VANTAGE_RESULT = exactObject("What another place found.", {
  ...VANTAGE_FIELDS,
  result: oneOf(["ok", "denied", "skipped", ...FAILURE_CODES]),
  calibrated: { ...BOOLEAN, description: "It usually works there, so that a failure counts." },
  sameAddress: orNull(oneOf(SAME_ADDRESS)),
});

const ENDPOINT = exactObject("One endpoint.", {
  url: TEXT,
  what: TEXT,
  critical: BOOLEAN,
  fence: { ...BOOLEAN, description: "It answers Russia only: a failure abroad says nothing." },
  refuses: {
    type: "array",
    items: oneOf(REFUSALS),
    description: "Whom its owner does not let in, so that silence towards them says nothing.",
  },
  scope: refTo("Scope"),
  row: orNull({ type: "integer", minimum: 1, maximum: 12 }),
  blockedBy: BLOCKED_BY,
  moscow: MOSCOW,
  experiment: orNull(EXPERIMENT),
  vantages: { type: "array", items: VANTAGE_RESULT },
});

/** The schemas of the documents of evidence. */
export function evidenceSchemas(): SchemaObject {
  return {
    Scope: {
      ...oneOf(SCOPES),
      description:
        "Where it fails. `none`: it does not. `russia`: here and not abroad. `everywhere`: abroad too. `network`: only for the runner's network. `path`: the runner's way abroad is cut. `mixed`: abroad for some. `unknown`: no other place can tell.",
    },
    Evidence: exactObject(
      "What the verdict of a service follows from. Written when something in it changes, so times and addresses are those of the last change.",
      {
        slug: refTo("Slug"),
        checkedAt: orNull(TIME),
        verdict: oneOf(Object.keys(COLOR_OF)),
        unknown: UNKNOWN,
        scope: refTo("Scope"),
        blockedBy: BLOCKED_BY,
        endpoints: { type: "array", items: ENDPOINT },
      },
    ),
    Vantages: exactObject("The places beside the runner.", {
      vantages: {
        type: "array",
        items: exactObject("One place.", {
          ...VANTAGE_FIELDS,
          publicKey: { ...TEXT, description: "Ed25519, base64url: verifies its answers." },
          answers: { ...BOOLEAN, description: "It answered one of the last two asks." },
          heardAt: orNull({ ...TIME, description: "By the hour while it answers." }),
          connectivity: orNull(oneOf(CONNECTIVITY_STATES)),
          whiteList: orNull({
            ...BOOLEAN,
            description: "Its network lets only listed sites through; null: it cannot tell.",
          }),
        }),
      },
    }),
    RawEvidence: exactObject("An answer as it was signed, and what it is about.", {
      ask: { type: "string", format: "uuid" },
      heardAt: TIME,
      urls: { type: "array", items: TEXT },
      jws: exactObject("Flattened JWS (RFC 7515). Its payload is JSON under gzip.", {
        payload: TEXT,
        protected: TEXT,
        signature: TEXT,
      }),
    }),
  };
}
