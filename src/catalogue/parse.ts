import type { Catalogue } from "../model/catalogue.ts";
import { checkShape } from "../strict-yaml/check-shape.ts";
import { crossCheck } from "./cross-checks.ts";
import { toProblems, type Problem } from "../strict-yaml/problem.ts";
import { catalogueSchema } from "./schema.ts";
import { readStrictYaml } from "../strict-yaml/strict-yaml.ts";

export type ParseResult =
  | { readonly kind: "ok"; readonly catalogue: Catalogue }
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] };

/** Source: docs/catalogue.md, "Limits". */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads `catalogue.yaml`. Defaults are filled in, names and URLs are in their normal form; or every problem is given
 * at once, sorted by position (a text that is no YAML has only those of its syntax). Takes well
 * under a second and 200 MB for any input. Never throws. See docs/catalogue.md.
 */
export function parseCatalogue(source: Uint8Array | string): ParseResult {
  const yaml = readStrictYaml(source, MAX_BYTES);
  if (yaml.kind === "unreadable") {
    return { kind: "invalid", problems: toProblems(yaml.text, yaml.findings) };
  }
  const shaped = checkShape(yaml.root, catalogueSchema());
  const findings = [...yaml.findings, ...crossCheck(yaml.root)];
  if (shaped.kind === "ok" && findings.length === 0) {
    return { kind: "ok", catalogue: shaped.value };
  }
  if (shaped.kind === "misshapen") findings.push(...shaped.findings);
  return { kind: "invalid", problems: toProblems(yaml.text, findings) };
}
