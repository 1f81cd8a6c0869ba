import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";

/*
 * Every bound, list and schema that the model exports, as a file: a change of one is seen in review, wherever it is used.
 */

const FOLDER = new URL("../../src/model/", import.meta.url);

/** Functions are undefined, schemas are their JSON Schema. */
function toPlain(value: unknown): unknown {
  if (value instanceof z.ZodType)
    return z.toJSONSchema(value, { io: "input", unrepresentable: "any" });
  if (value instanceof Map || value instanceof Set) return [...value].map(toPlain);
  if (value instanceof RegExp) return String(value);
  if (typeof value === "function") return undefined;
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toPlain(one)]));
}

async function readExports(file: string): Promise<readonly string[]> {
  const values: Readonly<Record<string, unknown>> = await import(
    fileURLToPath(new URL(file, FOLDER))
  );
  return Object.entries(values).flatMap(([name, value]) => {
    const plain = toPlain(value);
    return plain === undefined ? [] : [`${file} ${name} ${JSON.stringify(plain, undefined, 1)}`];
  });
}

test("every bound, list and schema is what it was", async () => {
  // The events have a test and a reference page of their own.
  const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.startsWith("events/"),
  );
  const lines: string[] = [];
  for (const file of files.toSorted()) lines.push(...(await readExports(file)));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/model.txt");
});
