import { ANNOTATION_KINDS, isRemark } from "../../model/service/catalogue.ts";
import { suggestWord } from "../../yaml/suggest.ts";
import { formatPath, type Finding } from "../../yaml/problem.ts";
import type { Located } from "../../yaml/strict-yaml.ts";
import { normaliseName } from "../../yaml/validators.ts";
import { normalUrl } from "./endpoint.ts";

/**
 * Three failing domestic anchors mean that the runner is offline, so a fourth is needed to contradict them.
 * Source: docs/services/catalogue.md, "Anchors".
 */
const FEWEST_ANCHORS = { domestic: 4, foreign: 3 } as const;

/** A part of a located value, and its path. */
export interface CataloguePart {
  readonly path: readonly PropertyKey[];
  readonly node: Located;
}

/** Every part that a path leads to, such as `services.*.slug`; `*` is any index. Missing or misshapen parts are skipped. */
function select(part: CataloguePart, path: string): readonly CataloguePart[] {
  let found = [part];
  for (const step of path.split("."))
    found = found.flatMap(({ path, node }) =>
      [...node.parts]
        .filter(([key]) => (step === "*" ? typeof key === "number" : key === step))
        .map(([key, { node }]) => ({ path: [...path, key], node })),
    );
  return found;
}

function finding(part: CataloguePart, message: string): Finding {
  return { offset: part.node.offset, path: part.path, message };
}

type NameOf = (part: CataloguePart) => string;

/** What has to be unique: where it is, its name in a message, and its normal form. */
type Unique = readonly [path: string, what: string, normalise: (text: string) => string];

const asWritten = (text: string): string => text;

const IDS: readonly Unique[] = [
  ["categories.*.id", "id", asWritten],
  ["services.*.slug", "slug", asWritten],
];

const UNIQUE: readonly Unique[] = [
  ...IDS,
  ["categories.*.name", "name", normaliseName],
  ["anchors.*.url", "URL", normalUrl],
  ["services.*.name", "name", normaliseName],
  ["services.*.endpoints.*.url", "URL", normalUrl],
];

/** Texts that occur twice: the later one is reported, with the place of the first. */
function findDuplicates(
  root: CataloguePart,
  [path, what, normalise]: Unique,
  nameOf: NameOf,
): readonly Finding[] {
  const first = new Map<string, CataloguePart>();
  const inOrder = select(root, path).toSorted((a, b) => a.node.offset - b.node.offset);
  return inOrder.flatMap((part) => {
    if (typeof part.node.value !== "string") return [];
    const text = normalise(part.node.value);
    const earlier = first.get(text) ?? part;
    first.set(text, earlier);
    if (earlier === part) return [];
    const message = `the same ${what} as ${nameOf(earlier)}; change or remove one of the two.`;
    return finding(part, message);
  });
}

function checkAnchors(root: CataloguePart): readonly Finding[] {
  return select(root, "anchors").flatMap((anchors) => {
    if (!Array.isArray(anchors.node.value)) return [];
    const scopes = select(anchors, "*.scope").map((part) => part.node.value);
    return (["domestic", "foreign"] as const).flatMap((scope) => {
      // A misspelt scope is reported by the schema; here it counts as both.
      const other = scope === "domestic" ? "foreign" : "domestic";
      const count = scopes.filter((one) => one !== other).length;
      const fewest = FEWEST_ANCHORS[scope];
      const message = `has ${count} ${scope} anchors; give at least ${fewest}.`;
      return count >= fewest ? [] : finding(anchors, message);
    });
  });
}

function checkCategories(root: CataloguePart): readonly Finding[] {
  const known = select(root, "categories.*.id")
    .map((part) => part.node.value)
    .filter((id) => typeof id === "string");
  if (known.length === 0) return [];
  const ids = new Set(known);
  return select(root, "services.*.category").flatMap((part) => {
    const written = part.node.value;
    if (typeof written !== "string" || ids.has(written)) return [];
    const word = suggestWord(written, known);
    const advice = word === undefined ? "; use" : `; did you mean "${word}"? Use`;
    const message = `no category has this id${advice} one of those listed under categories.`;
    return finding(part, message);
  });
}

/** `expect` and `redirects` both say which statuses are healthy; a reader could not know which one wins. */
function checkRedirects(root: CataloguePart): readonly Finding[] {
  return select(root, "services.*.endpoints.*").flatMap((endpoint) => {
    const [redirects] = select(endpoint, "redirects");
    if (redirects === undefined || select(endpoint, "expect").length === 0) return [];
    return finding(redirects, "stands beside expect; keep one of the two.");
  });
}

/** Each annotation has either a source that a visitor can open, or `certainty: reported`. */
function checkSources(root: CataloguePart): readonly Finding[] {
  return select(root, "services.*.annotations.*").flatMap((annotation) => {
    const [source] = select(annotation, "source");
    const [certainty] = select(annotation, "certainty");
    if (source === undefined)
      return certainty ? [] : finding(annotation, `has no source; ${SOURCE_HINT}.`);
    if (certainty !== undefined)
      return finding(certainty, "stands beside source; keep one of the two.");
    return typeof source.node.value === "string"
      ? finding(source, `a text cannot be followed; ${SOURCE_HINT}.`)
      : [];
  });
}

const SOURCE_HINT =
  "write source: { url: https://…, title: … }, or certainty: reported where no public page is known";

/** Kinds that may stand beside any other. */
const SEPARATE_KINDS = ANNOTATION_KINDS.filter((kind) => kind === "provider" || isRemark(kind));

/** Of each kind one annotation, and one of those about access. */
function checkKinds(service: CataloguePart): readonly Finding[] {
  const met = new Set<string>();
  return select(service, "annotations.*.kind").flatMap((kind) => {
    // A misspelt kind counts as one about access.
    const group = SEPARATE_KINDS.find((one) => one === kind.node.value) ?? "access";
    const isFirst = !met.has(group);
    met.add(group);
    if (isFirst) return [];
    const message =
      group === "access"
        ? "only one of restricted, slowed_ru and partial_ru may stand; keep the one that holds now."
        : `a second ${group} annotation; keep one.`;
    return finding(kind, message);
  });
}

function checkCritical(service: CataloguePart): readonly Finding[] {
  const all = select(service, "endpoints.*");
  const isNoneCritical = all.every(({ node }, index) => {
    const critical = node.parts.get("critical")?.node.value;
    return critical === undefined ? index > 0 : critical === false;
  });
  if (all.length === 0 || !isNoneCritical) return [];
  return select(service, "endpoints").map((endpoints) =>
    finding(endpoints, "no endpoint is critical; set critical: true on one of them."),
  );
}

/**
 * The rules between parts of a catalogue: uniqueness, references, counts. They run on the located value, not on the parsed
 * catalogue, so that one misspelt key does not hide other faults. Never throws.
 *
 * @param nameOf names the other of two equal parts in a message, where a path alone does not say which file it is in.
 */
export function crossCheck(root: Located, nameOf: NameOf): readonly Finding[] {
  const whole: CataloguePart = { path: [], node: root };
  return [
    ...UNIQUE.flatMap((unique) => findDuplicates(whole, unique, nameOf)),
    ...checkAnchors(whole),
    ...checkCategories(whole),
    ...checkRedirects(whole),
    ...checkSources(whole),
    ...select(whole, "services.*").flatMap((one) => [...checkKinds(one), ...checkCritical(one)]),
  ];
}

/** The one rule between entries of an overlay: their ids are unique. Never throws. */
export function checkOverlayIds(root: Located): readonly Finding[] {
  const whole: CataloguePart = { path: [], node: root };
  return IDS.flatMap((unique) => findDuplicates(whole, unique, ({ path }) => formatPath(path)));
}
