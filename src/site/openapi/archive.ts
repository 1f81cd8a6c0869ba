import { exactObject, type SchemaObject } from "./schemas.ts";

const TEXT: SchemaObject = { type: "string" };
const DATE: SchemaObject = { type: "string", format: "date" };
const COUNT: SchemaObject = { type: "integer", minimum: 0 };
const SHA256: SchemaObject = { type: "string", pattern: "^[0-9a-f]{64}$" };

function partsOf(pattern: string, what: string): SchemaObject {
  return {
    type: "array",
    items: exactObject(what, {
      date: { type: "string", pattern },
      files: {
        type: "array",
        items: exactObject("A file that never changes.", {
          path: { ...TEXT, description: "Relative to `/archive/v1/`." },
          bytes: COUNT,
          rows: COUNT,
          sha256: SHA256,
        }),
      },
    }),
  };
}

/** The schemas of what lists the archive. */
export const ARCHIVE_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  ArchiveIndex: exactObject("All files of the archive, the newest first.", {
    licence: TEXT,
    method: DATE,
    days: partsOf(String.raw`^\d{4}-\d\d-\d\d$`, "A UTC day that is over."),
    months: partsOf(String.raw`^\d{4}-\d\d$`, "A month that is over."),
  }),
  DataPackage: {
    type: "object",
    description: "The same files as a Data Package, version 2: https://datapackage.org/standard/.",
    required: ["name", "version", "licenses", "resources"],
    properties: {
      name: TEXT,
      version: DATE,
      licenses: { type: "array", minItems: 1, items: { type: "object" } },
      resources: {
        type: "array",
        items: {
          type: "object",
          required: ["name", "path", "bytes", "hash", "schema"],
          properties: {
            name: TEXT,
            path: TEXT,
            bytes: COUNT,
            hash: { type: "string", pattern: "^sha256:[0-9a-f]{64}$" },
            schema: {
              type: "object",
              required: ["fields"],
              properties: { fields: { type: "array" } },
            },
          },
        },
      },
    },
  },
};
