import type * as z from "zod";
import { checkShape } from "./check-shape.ts";
import { type Finding, type Problem, toProblems } from "./problem.ts";
import { type Located, readStrictYaml } from "./strict-yaml.ts";

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
) {
  const yaml = readStrictYaml(source, maxBytes);
  const problemsOf = (findings: readonly Finding[]): readonly Problem[] =>
    toProblems(yaml.text, findings);
  const refuse = (findings: readonly Finding[]) =>
    ({ kind: "invalid", problems: problemsOf(findings) }) as const;
  if (yaml.kind === "unreadable") return refuse(yaml.findings);
  const { root } = yaml;
  const shaped = checkShape(root, schema);
  const value = shaped.kind === "ok" ? shaped.value : undefined;
  const findings = [...yaml.findings, ...shaped.findings, ...findMore(root, value)];
  return shaped.kind === "ok" && findings.length === 0
    ? { kind: "ok" as const, value: shaped.value, problemsOf, root }
    : refuse(findings);
}
