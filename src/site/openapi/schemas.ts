import { SYMPTOMS } from "../../model/service/reports.ts";
import { COLOR_OF } from "../../contract/codes/verdict.ts";
import {
  COLOR_WORDS,
  VERDICT_EXPLANATIONS,
  VERDICT_LABELS,
} from "../../contract/codes/verdict-words.ts";

/** Any JSON value. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type SchemaObject = Readonly<Record<string, Json>>;

/** As in the catalogue. */
const SLUG_PATTERN = "^[a-z0-9]+(-[a-z0-9]+)*$";
/** As in the registry of monitors. */
export const ID_PATTERN = "^[A-Za-z0-9_-]{1,64}$";

export function refTo(name: string): SchemaObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with exactly these fields, all required. */
export function exactObject(description: string, properties: SchemaObject): SchemaObject {
  return {
    type: "object",
    description,
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const COUNT: SchemaObject = { type: "integer", minimum: 0 };
/** Whole Unix seconds; 32 bits would only last until 2038. */
export const TIME: SchemaObject = { type: "integer", format: "int64", minimum: 0 };

const COLORS: Readonly<Record<string, string>> = COLOR_OF;
const LABELS: Readonly<Record<string, string>> = VERDICT_LABELS.en;

/** The only pairs of code and colour, in the order of the States table. */
function pairs(): readonly SchemaObject[] {
  return Object.entries(COLORS).map(([code, color]) => ({
    title: LABELS[code] ?? code,
    properties: { code: { const: code }, color: { const: color } },
  }));
}

function toList(words: Readonly<Record<string, string>>): string {
  return Object.entries(words)
    .map(([code, word]) => `- \`${code}\`: ${word}`)
    .join("\n");
}

function verdictSchemas(): SchemaObject {
  return {
    Slug: {
      type: "string",
      description: "Short name of the service; it never changes.",
      pattern: SLUG_PATTERN,
      maxLength: 64,
    },
    Code: {
      type: "string",
      description: `The exact verdict.\n\n${toList(VERDICT_EXPLANATIONS.en)}`,
      enum: Object.keys(COLORS),
    },
    Color: {
      type: "string",
      description: `The status light.\n\n${toList(COLOR_WORDS.en)}`,
      enum: [...new Set(Object.values(COLORS))],
    },
    Verdict: {
      description: "The colour of each code.",
      oneOf: pairs(),
    },
  };
}

const SUMMARY_FIELDS: SchemaObject = {
  slug: refTo("Slug"),
  name: { type: "string", description: "Name of the service, in Russian.", minLength: 1 },
  color: refTo("Color"),
  code: refTo("Code"),
  live: {
    type: "boolean",
    description:
      "Whether a failure in recent checks, or a spike in reports, is happening right now. False: the state is persistent.",
  },
};

function documentSchemas(): SchemaObject {
  return {
    StatusSummary: {
      ...exactObject("One service in brief.", SUMMARY_FIELDS),
      allOf: [refTo("Verdict")],
    },
    StatusList: exactObject("All services of the catalogue.", {
      updated: {
        ...TIME,
        description: "Time of the last run of checks, Unix seconds. Reports do not change it.",
      },
      services: {
        type: "array",
        description: "One entry per service, in catalogue order.",
        items: refTo("StatusSummary"),
      },
    }),
    StatusDetail: {
      ...exactObject("One service, with the counts of reports.", {
        ...SUMMARY_FIELDS,
        since: {
          description:
            "When the current state of the checks began, Unix seconds; null: never checked.",
          anyOf: [TIME, { type: "null" }],
        },
        reportsHour: { ...COUNT, description: "User reports in the last hour." },
        reportsDay: { ...COUNT, description: "User reports in the last 24 hours." },
      }),
      allOf: [refTo("Verdict")],
    },
  };
}

function otherSchemas(): SchemaObject {
  return {
    ShieldsEndpoint: exactObject("What the endpoint badge of shields.io reads.", {
      schemaVersion: { const: 1 },
      label: { type: "string" },
      message: { type: "string", examples: ["99.98%"] },
      color: { type: "string", pattern: "^[0-9a-f]{6}$", examples: ["1a7f37"] },
    }),
    ReportCounts: exactObject("The counts of the service, including this report.", {
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
      description: "Other fields are ignored.",
      properties: { symptom: { anyOf: [refTo("Symptom"), { type: "null" }] } },
    },
    ReportForm: {
      type: "object",
      description: "Other fields are ignored; an empty symptom means none.",
      properties: { symptom: { anyOf: [refTo("Symptom"), { const: "" }] } },
    },
    Error: exactObject("Why the request failed.", { error: { type: "string", minLength: 1 } }),
  };
}

/** The schemas of all requests and responses, by name, in JSON Schema 2020-12 as OpenAPI 3.1 requires. */
export function buildSchemas(): SchemaObject {
  return {
    ...verdictSchemas(),
    ...documentSchemas(),
    ...otherSchemas(),
  };
}
