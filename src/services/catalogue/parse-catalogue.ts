import { MAX_SLUG_LENGTH } from "../../model/ids.ts";
import * as z from "zod";
import {
  ANNOTATION_KINDS,
  type Catalogue,
  type Endpoint,
  MAX_CATALOGUE_BYTES,
  MAX_CATALOGUE_ENDPOINTS,
} from "../../model/service/catalogue.ts";
import { registrableDomainOf } from "../../model/registrable-domain.ts";
import { checkedText, strictMapping, checkShape } from "../../yaml/check-shape.ts";
import { faultInName, faultInSlug, faultInText, normaliseName } from "../../yaml/validators.ts";
import { type Finding, formatPath, type Problem, toProblems } from "../../yaml/problem.ts";
import { readStrictYaml } from "../../yaml/strict-yaml.ts";
import { ADDRESS, ENDPOINT, LINE, shortList } from "./endpoint.ts";
import { crossCheck, type CataloguePart } from "./validate-references.ts";
import { type CatalogueFile, mergeOverlay, type Merged } from "./overlay.ts";
import { isCalendarDate } from "../../model/time.ts";

const MAX_ENDPOINTS = 8;
const MAX_NETWORK_LENGTH = 100;
const MAX_ALIASES = 32;

const NETWORK = checkedText((written) => faultInText(written, MAX_NETWORK_LENGTH));
const NAME = checkedText(faultInName).transform(normaliseName);

/** `evidence/v1/vantages.json`, `history/v1/index.json`, `card/all-services.….png` and `feed/all-outages.atom` are of no service. */
const TAKEN_SLUGS = new Set(["vantages", "index", "all-services", "all-outages"]);

const SLUG = checkedText((written) =>
  TAKEN_SLUGS.has(written)
    ? "this slug is taken; use another one."
    : faultInSlug(written, "a slug", MAX_SLUG_LENGTH),
);

/** If no endpoint is marked as critical, the first one is. */
function toEndpoints(list: readonly z.output<typeof ENDPOINT>[]): readonly Endpoint[] {
  const isOneMarked = list.some(({ critical }) => critical === true);
  return list.map(({ critical, trust, leadsTo = [], ...rest }, index) => ({
    ...rest,
    sites: [registrableDomainOf(new URL(rest.url).hostname), ...leadsTo],
    isCritical: critical ?? (!isOneMarked && index === 0),
    trust: trust ?? "public",
  }));
}

const ANNOTATION = strictMapping({
  kind: z.enum(ANNOTATION_KINDS),
  since: checkedText((written) =>
    isCalendarDate(written) ? undefined : "not a day of the calendar; write it as YYYY-MM-DD.",
  ),
  reason: LINE,
  reasonRu: z.exactOptional(LINE),
  source: z.exactOptional(strictMapping({ url: ADDRESS, title: LINE })),
  // Exactly one of the two has to be there: see validate-references.ts.
  certainty: z.exactOptional(z.literal("reported")),
});

const SERVICE = strictMapping({
  slug: SLUG,
  name: NAME,
  nameEn: z.exactOptional(NAME),
  note: z.exactOptional(LINE),
  noteEn: z.exactOptional(LINE),
  aliases: z.exactOptional(shortList(NAME, "name", MAX_ALIASES)),
  category: z.string(),
  endpoints: z
    .array(ENDPOINT)
    .min(1, `has no endpoint; give 1 to ${MAX_ENDPOINTS}.`)
    .max(MAX_ENDPOINTS, `has too many endpoints; give 1 to ${MAX_ENDPOINTS}.`)
    .transform(toEndpoints),
  abroad: z.exactOptional(z.boolean()),
  annotations: z.exactOptional(z.array(ANNOTATION)),
}).transform(({ annotations = [], abroad: isAbroad = false, aliases = [], ...service }) => {
  return { ...service, aliases, annotations, isAbroad };
});

/** The schema of `catalogue.yaml`; its output has the defaults filled in. See docs/services/catalogue.md. */
const CATALOGUE: z.ZodType<Catalogue> = strictMapping({
  categories: z
    .array(strictMapping({ id: SLUG, name: NAME }))
    .min(1, "has no category; give at least one."),
  anchors: z.array(
    strictMapping({ url: ADDRESS, scope: z.enum(["domestic", "foreign"]), network: NETWORK }),
  ),
  services: z
    .array(SERVICE)
    .min(1, "has no service; give at least one.")
    .refine(
      (list) =>
        list.reduce((sum, { endpoints }) => sum + endpoints.length, 0) <= MAX_CATALOGUE_ENDPOINTS,
      `has over ${MAX_CATALOGUE_ENDPOINTS} endpoints in all; remove some.`,
    ),
});

/** A problem in a catalogue or in its overlay. */
export interface CatalogueProblem extends Problem {
  readonly file: CatalogueFile;
}

export type ParseResult = ReturnType<typeof parseCatalogue>;

/**
 * Parses `catalogue.yaml` and an optional overlay. Either gives the catalogue, with defaults filled in and names and URLs in their
 * normal form, or every problem at once: those of the catalogue first, sorted by position; for text that is not YAML only the
 * syntax errors. Takes well under a second and 200 MB for any input of one file. Never throws. See docs/services/catalogue.md.
 */
export function parseCatalogue(
  source: Uint8Array | string,
  overlaySource: Uint8Array | string = "",
) {
  const yaml = readStrictYaml(source, MAX_CATALOGUE_BYTES);
  const overlay = readStrictYaml(overlaySource, MAX_CATALOGUE_BYTES);
  const describe = (file: CatalogueFile, findings: readonly Finding[]): CatalogueProblem[] => {
    const { text } = file === "catalogue" ? yaml : overlay;
    return toProblems(text, findings).map((problem) => ({ ...problem, file }));
  };
  if (yaml.kind === "unreadable" || overlay.kind === "unreadable") {
    const faultsIn = (one: typeof yaml) => (one.kind === "unreadable" ? one.findings : []);
    const problems = [
      ...describe("catalogue", faultsIn(yaml)),
      ...describe("overlay", faultsIn(overlay)),
    ];
    return { kind: "invalid" as const, problems };
  }
  const merged = mergeOverlay(yaml.root, overlay.root, yaml.text.length);
  const shaped = checkShape(merged.root, CATALOGUE);
  const crossed = crossCheck(merged.root, nameIn(merged));
  // If both report the same path, the cross-check's message is the more helpful one.
  const told = new Set(crossed.map(({ path }) => formatPath(path)));
  const misshapen = shaped.kind === "ok" ? [] : shaped.findings;
  const untold = misshapen.filter(({ path }) => !told.has(formatPath(path)));
  const found = [...crossed, ...untold].map(merged.toFile);
  const findingsIn = (file: CatalogueFile) => found.filter((one) => one.file === file);
  const problems = [
    ...describe("catalogue", [...yaml.findings, ...findingsIn("catalogue")]),
    ...describe("overlay", [...overlay.findings, ...merged.findings, ...findingsIn("overlay")]),
  ];
  if (shaped.kind !== "ok" || problems.length > 0) return { kind: "invalid" as const, problems };
  return {
    kind: "ok" as const,
    catalogue: shaped.value,
    changes: merged.changes,
    warnings: describe("overlay", merged.warnings),
  };
}

/** Names a part in a message; with an overlay it says whether the part is in the catalogue below. */
function nameIn({ changes, toFile }: Merged): (part: CataloguePart) => string {
  return ({ path, node }) => {
    const written = toFile({ offset: node.offset, path });
    const isBelow = changes.length > 0 && written.file === "catalogue";
    return `${formatPath(written.path)}${isBelow ? " of the catalogue" : ""}`;
  };
}
