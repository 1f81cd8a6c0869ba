import { readFile } from "node:fs/promises";
import * as z from "zod";
import { checkShape, strictMapping } from "../../yaml/check-shape.ts";
import { type Finding, toProblems } from "../../yaml/problem.ts";
import { type Located, readStrictYaml } from "../../yaml/strict-yaml.ts";
import { describeProblems, describeReadError } from "../files/named-files.ts";
import type { Parsed } from "../parse-options.ts";
import { PEOPLE } from "../site-settings.ts";
import { ENV_PREFIX, type Given, keyOf, nameOf, type OptionRow } from "./option-row.ts";
import { ALL_ROWS } from "./options.ts";
import { type FileValues, type Found, splitValues } from "./sources.ts";

/* The file that describes an installation: a mapping of the keys of options to their values, and the people behind the website. */

const MAX_BYTES = 64 * 1024;

/**
 * The values of a settings file, which describes the whole installation, so it may have the options of every command. Which texts are
 * good is decided by the options, as for every other source.
 */
export async function readSettingsFile(file: string): Promise<Parsed<FileValues>> {
  const source = await readFile(file).catch(describeReadError);
  if ("problem" in source) return { problem: `--settings ${file}: ${source.problem}` };
  return parseSettings(file, source);
}

/** The values of the text of a settings file, or its problems, a line each. Never throws. */
export function parseSettings(file: string, source: Uint8Array | string): Parsed<FileValues> {
  const yaml = readStrictYaml(source, MAX_BYTES);
  const describe = (findings: readonly Finding[]): string =>
    describeProblems(file, toProblems(yaml.text, findings)).join("\n");
  if (yaml.kind === "unreadable") return { problem: describe(yaml.findings) };
  const { root } = yaml;
  const isEmpty = (root.value ?? null) === null;
  const misshapen = isEmpty ? [] : checkShape(root, createShape()).findings;
  const secrets = findSecrets(root);
  const others = misshapen.filter(({ path }) => !secrets.some((one) => one.path[0] === path[0]));
  const findings = [...yaml.findings, ...secrets, ...others];
  if (findings.length > 0) return { problem: describe(findings) };
  const placeOf = (offset: number): string => {
    const [problem] = toProblems(yaml.text, [{ offset, path: [], message: "" }]);
    return `${file}:${problem?.line ?? 1}:${problem?.column ?? 1}`;
  };
  const values = ALL_ROWS.flatMap((row): readonly (readonly [string, Found])[] => {
    const key = keyOf(row);
    const part = key === undefined ? undefined : root.parts.get(key);
    if (key === undefined || part === undefined) return [];
    return [[key, { given: toGiven(row, part.node.value), from: placeOf(part.offset) }]];
  });
  return { value: new Map(values) };
}

const SCALAR = z.union([z.string(), z.number(), z.boolean()], {
  error: "write one value here: text, a number, true or false.",
});
const LIST = z.union([SCALAR, z.array(SCALAR)], { error: "write one value here, or a list." });

function createShape(): z.ZodType {
  const keys = ALL_ROWS.flatMap((row) => {
    const key = keyOf(row);
    const shape = row.kind === "people" ? PEOPLE : row.isRepeatable ? LIST : SCALAR;
    return key === undefined ? [] : [[key, z.exactOptional(shape)]];
  });
  return strictMapping(Object.fromEntries(keys) as z.core.$ZodLooseShape);
}

/** Secrets in the file, under the names that they would have. */
function findSecrets(root: Located): readonly Finding[] {
  return ALL_ROWS.flatMap((row) => {
    const part = row.isSecret ? root.parts.get(nameOf(row)) : undefined;
    if (part === undefined) return [];
    const message = `this is a secret: remove it here, and set the variable ${ENV_PREFIX}${row.variable ?? ""}.`;
    return [{ offset: part.offset, path: [nameOf(row)], message }];
  });
}

/** The texts that the options read. Of a switch, `true` is `on`. */
function toGiven(row: OptionRow, value: unknown): Given {
  // The shape has checked the people.
  if (row.kind === "people") return value as Given;
  const texts = (Array.isArray(value) ? value : [value]).map((one) =>
    typeof one === "boolean" ? (one ? "on" : "off") : String(one),
  );
  if (!row.isRepeatable) return texts[0];
  return Array.isArray(value) ? texts : texts.flatMap(splitValues);
}
