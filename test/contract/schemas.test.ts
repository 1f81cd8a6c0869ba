import { readdirSync } from "node:fs";
import * as z from "zod";
import { expect, test } from "vitest";
import { ARCHIVE_SCHEMAS } from "../../src/contract/archive.ts";
import { refTo, toComponents } from "../../src/contract/components.ts";
import { HASH } from "../../src/model/monitor/owner-channel.ts";
import { HISTORY_SCHEMAS } from "../../src/contract/history.ts";
import { COUNT, DATE, MONTH, NAME, TEXT, TIME } from "../../src/contract/parts.ts";
import { SHIELDS_SCHEMAS } from "../../src/contract/shields.ts";
import { SLUG } from "../../src/contract/status.ts";
import { STATUSPAGE_SCHEMAS } from "../../src/contract/statuspage.ts";

const FOLDER = new URL("../../src/contract/", import.meta.url);

/** The schemas of every file of the contract, by name. */
async function findSchemas(): Promise<Readonly<Record<string, z.ZodType>>> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".ts"));
  const modules = await Promise.all(
    files.toSorted().map((file) => import(new URL(file, FOLDER).href) as Promise<object>),
  );
  const tables = modules
    .flatMap((one) => Object.entries(one))
    .filter(([name]) => name.endsWith("_SCHEMAS"));
  return Object.assign({}, ...tables.map(([, table]) => table));
}

/** A line for each place of a schema: its rules, or what it says of itself. */
function linesOf(path: string, schema: unknown, what: "rules" | "words"): readonly string[] {
  if (typeof schema !== "object" || schema === null)
    return what === "rules" ? [`${path} = ${JSON.stringify(schema)}`] : [];
  const own: string[] = [];
  const below: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties")
      for (const [field, inner] of Object.entries(Object(value)))
        below.push(...linesOf(`${path}.${field}`, inner, what));
    else if (key === "items" && typeof value === "object")
      below.push(...linesOf(`${path}[]`, value, what));
    else if (["anyOf", "oneOf", "allOf"].includes(key))
      for (const [at, one] of Object.entries(Object(value)))
        below.push(...linesOf(`${path} ${key} ${at}`, one, what));
    else if (key === "description") {
      if (what === "words") own.push(String(value));
    } else if (what === "rules") own.push(`${key} ${JSON.stringify(value)}`);
  }
  const isShown = what === "rules" || own.length > 0;
  return [...(isShown ? [[path, ...own].join(" | ")] : []), ...below];
}

test.each(["rules", "words"] as const)(
  "every field of the public documents has the %s of the contract",
  async (what) => {
    const lines = Object.entries(toComponents(await findSchemas())).flatMap(([name, schema]) =>
      linesOf(name, schema, what),
    );
    const file = what === "rules" ? "schemas" : "descriptions";
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`golden/${file}.txt`);
  },
);

const HEX = "0123456789abcdef".repeat(4);

test.each<readonly [string, string, z.ZodType, unknown, boolean]>([
  ["a text", "may be empty", TEXT, "", true],
  ["a name", "of one letter", NAME, "x", true],
  ["a name", "that is empty", NAME, "", false],
  ["a name", "of blanks", NAME, " \n", false],
  ["a count", "of nothing", COUNT, 0, true],
  ["a count", "below zero", COUNT, -1, false],
  ["a count", "with a fraction", COUNT, 1.5, false],
  ["a time", "of the epoch", TIME, 0, true],
  ["a time", "before the epoch", TIME, -1, false],
  ["a time", "in the year 5138", TIME, 1e11 - 1, true],
  ["a time", "in milliseconds", TIME, 1e11, false],
  ["a time", "with a fraction", TIME, 1.5, false],
  ["a day", "of the calendar", DATE, "2026-11-21", true],
  ["a day", "that does not exist", DATE, "2026-02-30", false],
  ["a month", "with its year", MONTH, "2026-11", true],
  ["a month", "with a day", MONTH, "2026-11-21", false],
  ["a hash", "of 256 bits", HASH, "a".repeat(43), true],
  ["a hash", "that is shorter", HASH, "a".repeat(42), false],
  ["a hash", "that is longer", HASH, "a".repeat(44), false],
  [
    "a SHA-256",
    "in hexadecimal digits",
    ARCHIVE_SCHEMAS.DataPackage,
    packageWith(`sha256:${HEX}`),
    true,
  ],
  ["a SHA-256", "without its name", ARCHIVE_SCHEMAS.DataPackage, packageWith(HEX), false],
  [
    "a SHA-256",
    "that is longer",
    ARCHIVE_SCHEMAS.DataPackage,
    packageWith(`sha256:${HEX}0`),
    false,
  ],
])("%s %s", (_what, _how, schema, value, isGood) => {
  expect(schema.safeParse(value).success).toBe(isGood);
});

test.each<readonly [string, z.ZodType, unknown]>([
  ["a text that is not empty", NAME, ""],
  ["a text that is not empty", NAME, 5],
  ["a whole number from 0", COUNT, -1],
  ["a whole number from 0", COUNT, "x"],
  ["whole Unix seconds", TIME, -1],
  ["whole Unix seconds", TIME, 1e11],
  ["whole Unix seconds", TIME, 1.5],
  ["YYYY-MM-DD", DATE, "x"],
  ["YYYY-MM", MONTH, "x"],
  ["lowercase letters, digits and hyphens", SLUG, "A"],
  [
    "a code other than none",
    HISTORY_SCHEMAS.Changes.shape.changes.unwrap().element.shape.code,
    "none",
  ],
  [
    "a SHA-256 in hexadecimal digits",
    ARCHIVE_SCHEMAS.ArchiveIndex.shape.days.unwrap().element.shape.files.unwrap().element.shape
      .sha256,
    "x",
  ],
  ["six hexadecimal digits", SHIELDS_SCHEMAS.ShieldsEndpoint.shape.color, "red"],
  ["12 of a–z and 2–7", STATUSPAGE_SCHEMAS.StatuspagePage.shape.id, "1"],
  ["a time in UTC with milliseconds", STATUSPAGE_SCHEMAS.StatuspagePage.shape.updated_at, "x"],
])("a value that is not %s is told so", (words, schema, value) => {
  expect(schema.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([words]);
});

function packageWith(hash: string) {
  const resource = { name: "x", path: "x.csv", bytes: 1, hash, schema: { fields: [] } };
  return { name: "x", version: "2026-11-21", licenses: [{}], resources: [resource] };
}

test("a schema that another one contains is a reference to its name", () => {
  const inner = z.object({ a: z.string() });
  const components = toComponents({ Inner: inner, Outer: z.object({ inner }) });
  expect(components["Outer"]).toMatchObject({ properties: { inner: refTo("Inner") } });
  expect(refTo("Inner")).toEqual({ $ref: "#/components/schemas/Inner" });
});

test("keywords that say nothing to readers are left out", () => {
  const schemas = {
    Loose: z.looseObject({ n: z.int() }),
    Map: z.record(z.string(), z.number()),
    Day: z.iso.date(),
    Bound: z.int().min(2).max(5),
    Pattern: z.string().regex(/^a$/u),
  };
  expect(toComponents(schemas)).toEqual({
    Loose: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    Map: {
      type: "object",
      propertyNames: { type: "string" },
      additionalProperties: { type: "number" },
    },
    Day: { type: "string", format: "date" },
    Bound: { type: "integer", minimum: 2, maximum: 5 },
    Pattern: { type: "string", pattern: "^a$" },
  });
  expect(toComponents(schemas)).toBe(toComponents(schemas));
});
