import { SYMPTOMS } from "../model/reports.ts";
import { COLOR_OF } from "../model/verdict.ts";
import { COLOR_WORDS, VERDICT_EXPLANATIONS, VERDICT_LABELS } from "./words/verdict.ts";

/** Whatever JSON can hold. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = Readonly<Record<string, Json>>;

/** As the catalogue allows them. */
const SLUG_PATTERN = "^[a-z0-9]+(-[a-z0-9]+)*$";
/** As the registry of monitors allows them. */
export const ID_PATTERN = "^[A-Za-z0-9_-]{1,64}$";

export function refTo(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object of exactly these fields, all of them required: the documents never have another one. */
function exactly(description: string, properties: JsonObject): JsonObject {
  return {
    type: "object",
    description,
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const COUNT: JsonObject = { type: "integer", minimum: 0 };
/** Whole Unix seconds, which 32 bits hold until 2038 only. */
const TIME: JsonObject = { type: "integer", format: "int64", minimum: 0 };

const COLORS: Readonly<Record<string, string>> = COLOR_OF;
const LABELS: Readonly<Record<string, string>> = VERDICT_LABELS.en;

/** The only pairs of code and colour there are, in the order of the States table. */
function pairs(): readonly JsonObject[] {
  return Object.entries(COLORS).map(([code, color]) => ({
    title: LABELS[code] ?? code,
    properties: { code: { const: code }, color: { const: color } },
  }));
}

function listed(words: Readonly<Record<string, string>>): string {
  return Object.entries(words)
    .map(([code, word]) => `- \`${code}\`: ${word}`)
    .join("\n");
}

function verdictSchemas(): JsonObject {
  return {
    Slug: {
      type: "string",
      description: "Short name of the service; it never changes.",
      pattern: SLUG_PATTERN,
      maxLength: 64,
    },
    Code: {
      type: "string",
      description: `The exact verdict.\n\n${listed(VERDICT_EXPLANATIONS.en)}`,
      enum: Object.keys(COLORS),
    },
    Color: {
      type: "string",
      description: `The status light.\n\n${listed(COLOR_WORDS.en)}`,
      enum: [...new Set(Object.values(COLORS))],
    },
    Verdict: {
      description: "A code and a colour always pair like this.",
      oneOf: pairs(),
    },
  };
}

const SUMMARY_FIELDS: JsonObject = {
  slug: refTo("Slug"),
  name: { type: "string", description: "Name of the service, in Russian.", minLength: 1 },
  color: refTo("Color"),
  code: refTo("Code"),
  live: {
    type: "boolean",
    description:
      "Whether a failure in recent checks, or a spike of reports, is happening right now. False: the state is persistent.",
  },
};

function documentSchemas(): JsonObject {
  return {
    StatusSummary: {
      ...exactly("One service in brief.", SUMMARY_FIELDS),
      allOf: [refTo("Verdict")],
    },
    StatusList: exactly("All services of the catalogue.", {
      updated: {
        ...TIME,
        description: "Time of the last run of checks, Unix seconds. Reports do not move it.",
      },
      services: {
        type: "array",
        description: "One entry for each service, in the order of the catalogue.",
        items: refTo("StatusSummary"),
      },
    }),
    StatusDetail: {
      ...exactly("One service, with the counts of reports.", {
        ...SUMMARY_FIELDS,
        since: {
          description:
            "When the current state of the checks began, Unix seconds; null: there was no check yet.",
          anyOf: [TIME, { type: "null" }],
        },
        reportsHour: { ...COUNT, description: "Reports of users in the last hour." },
        reportsDay: { ...COUNT, description: "Reports of users in the last 24 hours." },
      }),
      allOf: [refTo("Verdict")],
    },
  };
}

function otherSchemas(): JsonObject {
  return {
    ShieldsEndpoint: exactly("What the endpoint badge of shields.io reads.", {
      schemaVersion: { const: 1 },
      label: { type: "string" },
      message: { type: "string", examples: ["99.98%"] },
      color: { type: "string", pattern: "^[0-9a-f]{6}$", examples: ["1a7f37"] },
    }),
    ReportCounts: exactly("The counts of the service with this report in them.", {
      slug: refTo("Slug"),
      reportsHour: COUNT,
      reportsDay: COUNT,
    }),
    Symptom: {
      type: "string",
      description: "What is wrong.",
      enum: SYMPTOMS,
    },
    Report: {
      type: "object",
      description: "Fields of other names are ignored.",
      properties: { symptom: { anyOf: [refTo("Symptom"), { type: "null" }] } },
    },
    ReportForm: {
      type: "object",
      description: "Fields of other names are ignored; an empty symptom is none.",
      properties: { symptom: { anyOf: [refTo("Symptom"), { const: "" }] } },
    },
    Error: exactly("Why there is nothing else.", { error: { type: "string", minLength: 1 } }),
  };
}

/** The schemas of everything that is sent or answered, by their names. They are of JSON Schema 2020-12, as OpenAPI 3.1 wants. */
export function buildSchemas(): JsonObject {
  return { ...verdictSchemas(), ...documentSchemas(), ...otherSchemas() };
}
