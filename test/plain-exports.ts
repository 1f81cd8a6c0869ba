import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";

/** The texts in a source, without the code inside of them. */
function textsIn(source: string): readonly string[] | undefined {
  return source.match(/`[^`]*`|"[^"]*"/gu)?.map((text) => text.replaceAll(/\$\{[^}]*\}/gu, "…"));
}

/** Schemas are their JSON Schema, functions in tables the texts in their source. */
function toPlain(value: unknown): unknown {
  if (value instanceof z.ZodType)
    return z.toJSONSchema(value, { io: "input", unrepresentable: "any" });
  if (value instanceof Map || value instanceof Set) return [...value].map(toPlain);
  if (value instanceof RegExp) return String(value);
  if (typeof value === "function") return textsIn(String(value));
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toPlain(one)]));
}

async function readExports(folder: URL, file: string): Promise<readonly string[]> {
  const values: Readonly<Record<string, unknown>> = await import(
    fileURLToPath(new URL(file, folder))
  );
  return Object.entries(values).flatMap(([name, value]) => {
    const plain = typeof value === "function" ? undefined : toPlain(value);
    return plain === undefined ? [] : [`${file} ${name} ${JSON.stringify(plain, undefined, 1)}`];
  });
}

/** What the files of a folder export beside functions, as text: a change is seen in review, wherever it is used. */
export async function readPlainExports(
  folder: URL,
  isWanted: (file: string) => boolean,
): Promise<string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const lines: string[] = [];
  for (const file of files.filter((one) => one.endsWith(".ts") && isWanted(one)).toSorted())
    lines.push(...(await readExports(folder, file)));
  return `${lines.join("\n")}\n`;
}
