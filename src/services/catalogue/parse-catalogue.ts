import type { Catalogue } from "../../model/service/catalogue.ts";
import { checkShape } from "../../yaml/check-shape.ts";
import { type Finding, formatPath, type Problem, toProblems } from "../../yaml/problem.ts";
import { readStrictYaml } from "../../yaml/strict-yaml.ts";
import { crossCheck, type CataloguePart } from "./validate-references.ts";
import { type CatalogueFile, mergeOverlay, type Merged, type OverlayChange } from "./overlay.ts";
import { catalogueSchema } from "./catalogue-schema.ts";

/** A problem in a catalogue or in its overlay. */
export interface CatalogueProblem extends Problem {
  readonly file: CatalogueFile;
}

export type ParseResult =
  | {
      readonly kind: "ok";
      readonly catalogue: Catalogue;
      /** What the overlay does. */
      readonly changes: readonly OverlayChange[];
      /** Entries of the overlay without effect, because the catalogue does not have their id. Sorted by position. */
      readonly warnings: readonly CatalogueProblem[];
    }
  | { readonly kind: "invalid"; readonly problems: readonly CatalogueProblem[] };

/** For each of the two files. Source: docs/services/catalogue.md, "Limits". */
const MAX_BYTES = 4 * 1024 * 1024;

/** An empty overlay changes nothing, so it is the default. */
const NO_OVERLAY = "";

/**
 * Parses `catalogue.yaml` and an optional overlay. Either gives the catalogue, with defaults filled in and names and URLs in their
 * normal form, or every problem at once: those of the catalogue first, sorted by position; for text that is not YAML only the
 * syntax errors. Takes well under a second and 200 MB for any input of one file. Never throws. See docs/services/catalogue.md.
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
  const crossed = crossCheck(merged.root, nameIn(merged));
  // If both report the same path, the cross-check's message is the more helpful one.
  const told = new Set(crossed.map(({ path }) => formatPath(path)));
  const found = [
    ...crossed,
    ...(shaped.kind === "ok" ? [] : shaped.findings).filter(
      ({ path }) => !told.has(formatPath(path)),
    ),
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

/** Names a part in a message; with an overlay it says whether the part is in the catalogue below. */
function nameIn({ changes, toFile }: Merged): (part: CataloguePart) => string {
  return ({ path, node }) => {
    const written = toFile({ offset: node.offset, path });
    const isBelow = changes.length > 0 && written.file === "catalogue";
    return `${formatPath(written.path)}${isBelow ? " of the catalogue" : ""}`;
  };
}
