import { onceFor } from "../model/lists.ts";
import * as z from "zod";

/** Any JSON value. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type SchemaObject = Readonly<Record<string, Json>>;

function pathOf(name: string): string {
  return `#/components/schemas/${name}`;
}

/** A reference to the component of this name. */
export function refTo(name: string): SchemaObject {
  return { $ref: pathOf(name) };
}

type Schemas = Readonly<Record<string, z.ZodType>>;

/** The components of a table, made once: that takes tens of milliseconds, and generations may follow within seconds. */
export const toComponents: (schemas: Schemas) => SchemaObject = onceFor(makeComponents);

/**
 * The schemas as components of OpenAPI 3.1, in JSON Schema 2020-12: where one contains another, it refers to it by its name. The keywords
 * that say nothing to readers are left out: bounds of safe integers, the patterns of formats, and that nothing changes a document.
 */
function makeComponents(schemas: Schemas): SchemaObject {
  const registry = z.registry<{ readonly id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const { schemas: components } = z.toJSONSchema(registry, {
    io: "input",
    uri: pathOf,
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
      if (isAny(jsonSchema.additionalProperties)) delete jsonSchema.additionalProperties;
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  const entries = Object.entries(components).map(([name, component]) => {
    const { $schema: _, $id: __, ...schema } = component;
    return [name, schema] as const;
  });
  // What zod makes is plain JSON, which its type does not say.
  return Object.fromEntries(entries) as SchemaObject;
}

/** Whether a schema allows every value. */
function isAny(schema: object | boolean | undefined): boolean {
  return typeof schema === "object" && Object.keys(schema).length === 0;
}
