import type { Catalogue } from "../model/catalogue.ts";
import { checkShape } from "../strict-yaml/check-shape.ts";
import { type Finding, formatPath, type Problem, toProblems } from "../strict-yaml/problem.ts";
import { readStrictYaml } from "../strict-yaml/strict-yaml.ts";
import { crossCheck, type Part } from "./cross-checks.ts";
import { type CatalogueFile, mergeOverlay, type Merged, type OverlayChange } from "./overlay.ts";
import { catalogueSchema } from "./schema.ts";

/** A problem with a catalogue, or with the overlay over it. */
export interface CatalogueProblem extends Problem {
  readonly file: CatalogueFile;
}

export type ParseResult =
  | {
      readonly kind: "ok";
      readonly catalogue: Catalogue;
      /** What the overlay does. */
      readonly changes: readonly OverlayChange[];
      /** Entries of the overlay that do nothing: the catalogue does not have what they are about. Sorted by position. */
      readonly warnings: readonly CatalogueProblem[];
    }
  | { readonly kind: "invalid"; readonly problems: readonly CatalogueProblem[] };

/** Of each of the two files. Source: docs/catalogue.md, "Limits". */
const MAX_BYTES = 4 * 1024 * 1024;

/** An overlay with nothing in it changes nothing, so it stands for none. */
const NO_OVERLAY = "";

/**
 * Reads `catalogue.yaml`, with an overlay over it if there is one. Defaults are filled in, names and URLs are in their normal form; or
 * every problem is given at once, those of the catalogue first, sorted by position (of texts that are no YAML only those of the
 * syntax). Takes well under a second and 200 MB for any input of one file. Never throws. See docs/catalogue.md.
 */
export function parseCatalogue(
  source: Uint8Array | string,
  overlaySource: Uint8Array | string = NO_OVERLAY,
): ParseResult {
  const yaml = readStrictYaml(source, MAX_BYTES);
  const overlay = readStrictYaml(overlaySource, MAX_BYTES);
  const describe = (file: CatalogueFile, findings: readonly Finding[]): CatalogueProblem[] => {
    const { text } = file === "catalogue" ? yaml : overlay;
    return toProblems(text, findings).map((problem) => ({ ...problem, file }));
  };
  if (yaml.kind === "unreadable" || overlay.kind === "unreadable") {
    const unreadable = [yaml, overlay].map((one) =>
      one.kind === "unreadable" ? one.findings : [],
    );
    const [ofCatalogue = [], ofOverlay = []] = unreadable;
    const problems = [...describe("catalogue", ofCatalogue), ...describe("overlay", ofOverlay)];
    return { kind: "invalid", problems };
  }
  const merged = mergeOverlay(yaml.root, overlay.root, yaml.text.length);
  const shaped = checkShape(merged.root, catalogueSchema());
  const found = [
    ...crossCheck(merged.root, nameIn(merged)),
    ...(shaped.kind === "ok" ? [] : shaped.findings),
  ].map(merged.toFile);
  const findingsIn = (file: CatalogueFile): readonly Finding[] =>
    found.filter((one) => one.file === file);
  const problems = [
    ...describe("catalogue", [...yaml.findings, ...findingsIn("catalogue")]),
    ...describe("overlay", [...overlay.findings, ...merged.findings, ...findingsIn("overlay")]),
  ];
  if (shaped.kind !== "ok" || problems.length > 0) return { kind: "invalid", problems };
  const warnings = describe("overlay", merged.warnings);
  return { kind: "ok", catalogue: shaped.value, changes: merged.changes, warnings };
}

/** What a message calls a part: of an overlay it says so when the part stands in the catalogue below. */
function nameIn({ changes, toFile }: Merged): (part: Part) => string {
  return ({ path, node }) => {
    const written = toFile({ offset: node.offset, path });
    const isBelow = changes.length > 0 && written.file === "catalogue";
    return `${formatPath(written.path)}${isBelow ? " of the catalogue" : ""}`;
  };
}
