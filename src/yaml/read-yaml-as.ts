import type * as z from "zod";
import { checkShape } from "./check-shape.ts";
import { type Finding, type Problem, toProblems } from "./problem.ts";
import { type Located, readStrictYaml } from "./strict-yaml.ts";

export type YamlOf<T> =
  | {
      readonly kind: "ok";
      readonly value: T;
      readonly problemsOf: (findings: readonly Finding[]) => readonly Problem[];
      readonly root: Located;
    }
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] };

/**
 * Reads a whole file of one shape: its value, or every problem at once, sorted by position. Never throws, unless the schema does.
 *
 * @param findMore what the schema cannot say. The value is undefined if the file has another shape.
 */
export function readYamlAs<T>(
  source: Uint8Array | string,
  maxBytes: number,
  schema: z.ZodType<T>,
  findMore: (root: Located, value: T | undefined) => readonly Finding[] = () => [],
): YamlOf<T> {
  const yaml = readStrictYaml(source, maxBytes);
  const problemsOf = (findings: readonly Finding[]): readonly Problem[] =>
    toProblems(yaml.text, findings);
  if (yaml.kind === "unreadable") return { kind: "invalid", problems: problemsOf(yaml.findings) };
  const { root } = yaml;
  const shaped = checkShape(root, schema);
  const value = shaped.kind === "ok" ? shaped.value : undefined;
  const findings = [...yaml.findings, ...shaped.findings, ...findMore(root, value)];
  return shaped.kind === "ok" && findings.length === 0
    ? { kind: "ok", value: shaped.value, problemsOf, root }
    : { kind: "invalid", problems: problemsOf(findings) };
}
