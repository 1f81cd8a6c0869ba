import { suggestWord } from "../../yaml/suggest.ts";
import { formatPath, type Finding } from "../../yaml/problem.ts";
import type { Located } from "../../yaml/strict-yaml.ts";
import { normaliseName, readUrl } from "../../yaml/validators.ts";

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

/** Every part that a path leads to; `*` is any index. Missing or misshapen parts are skipped. */
function select(part: CataloguePart, steps: readonly string[]): readonly CataloguePart[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [part];
  const found: CataloguePart[] = [];
  for (const [key, { node }] of part.node.parts) {
    const isTaken = step === "*" ? typeof key === "number" : key === step;
    if (isTaken) found.push(...select({ path: [...part.path, key], node }, rest));
  }
  return found;
}

function finding(part: CataloguePart, message: string): Finding {
  return { offset: part.node.offset, path: part.path, message };
}

/** Names a part in a message. */
type NameOf = (part: CataloguePart) => string;

/** Texts that occur twice: the later one is reported, with the place of the first. */
function findDuplicates(
  parts: readonly CataloguePart[],
  what: string,
  normalise: (text: string) => string,
  nameOf: NameOf,
): Finding[] {
  const first = new Map<string, CataloguePart>();
  const findings: Finding[] = [];
  for (const part of parts.toSorted((a, b) => a.node.offset - b.node.offset)) {
    if (typeof part.node.value !== "string") continue;
    const text = normalise(part.node.value);
    const earlier = first.get(text);
    if (earlier === undefined) first.set(text, part);
    else
      findings.push(
        finding(part, `the same ${what} as ${nameOf(earlier)}; change or remove one of the two.`),
      );
  }
  return findings;
}

function asWritten(text: string): string {
  return text;
}

function normalUrl(text: string): string {
  const read = readUrl(text);
  return "href" in read ? read.href : text;
}

/** Ids must be unique. */
function checkIds(root: CataloguePart, nameOf: NameOf): Finding[] {
  return [
    ...findDuplicates(select(root, ["categories", "*", "id"]), "id", asWritten, nameOf),
    ...findDuplicates(select(root, ["services", "*", "slug"]), "slug", asWritten, nameOf),
  ];
}

function checkDuplicates(root: CataloguePart, nameOf: NameOf): Finding[] {
  const find = (steps: readonly string[], what: string, normalise: (text: string) => string) =>
    findDuplicates(select(root, steps), what, normalise, nameOf);
  return [
    ...checkIds(root, nameOf),
    ...find(["categories", "*", "name"], "name", normaliseName),
    ...find(["anchors", "*", "url"], "URL", normalUrl),
    ...find(["services", "*", "name"], "name", normaliseName),
    ...find(["services", "*", "endpoints", "*", "url"], "URL", normalUrl),
  ];
}

function checkAnchors(root: CataloguePart): Finding[] {
  return select(root, ["anchors"]).flatMap((anchors) => {
    if (!Array.isArray(anchors.node.value)) return [];
    const scopes = select(anchors, ["*", "scope"]).map((part) => part.node.value);
    const count = { domestic: 0, foreign: 0 };
    for (const scope of scopes) {
      // A misspelt scope is reported by the schema; here it counts as both.
      if (scope !== "foreign") count.domestic += 1;
      if (scope !== "domestic") count.foreign += 1;
    }
    return (["domestic", "foreign"] as const)
      .filter((scope) => count[scope] < FEWEST_ANCHORS[scope])
      .map((scope) =>
        finding(
          anchors,
          `has ${count[scope]} ${scope} anchors; give at least ${FEWEST_ANCHORS[scope]}.`,
        ),
      );
  });
}

function checkCategories(root: CataloguePart): Finding[] {
  const known = select(root, ["categories", "*", "id"])
    .map((part) => part.node.value)
    .filter((id) => typeof id === "string");
  if (known.length === 0) return [];
  const ids = new Set(known);
  return select(root, ["services", "*", "category"]).flatMap((part) => {
    const written = part.node.value;
    if (typeof written !== "string" || ids.has(written)) return [];
    const word = suggestWord(written, known);
    const hint = word === undefined ? "" : `; did you mean "${word}"`;
    const message = `no category has this id${hint}${hint === "" ? ";" : "?"} ${hint === "" ? "use" : "Use"} one of those listed under categories.`;
    return [finding(part, message)];
  });
}

/** `expect` and `redirects` both say which statuses are healthy; a reader could not know which one wins. */
function checkRedirects(root: CataloguePart): Finding[] {
  return select(root, ["services", "*", "endpoints", "*"]).flatMap((endpoint) => {
    const [redirects] = select(endpoint, ["redirects"]);
    if (redirects === undefined || select(endpoint, ["expect"]).length === 0) return [];
    return [finding(redirects, "stands beside expect; keep one of the two.")];
  });
}

/** Each annotation has either a source that a visitor can open, or `certainty: reported`. */
function checkSources(root: CataloguePart): Finding[] {
  return select(root, ["services", "*", "annotations", "*"]).flatMap((annotation) => {
    const [source] = select(annotation, ["source"]);
    const [certainty] = select(annotation, ["certainty"]);
    if (source === undefined && certainty === undefined)
      return [finding(annotation, `has no source; ${SOURCE_HINT}.`)];
    if (source !== undefined && certainty !== undefined)
      return [finding(certainty, "stands beside source; keep one of the two.")];
    return typeof source?.node.value === "string"
      ? [finding(source, `a text cannot be followed; ${SOURCE_HINT}.`)]
      : [];
  });
}

const SOURCE_HINT =
  "write source: { url: https://…, title: … }, or certainty: reported where no public page is known";

function checkService(service: CataloguePart): Finding[] {
  const findings: Finding[] = [];
  const kinds = new Map<string, CataloguePart>();
  for (const kind of select(service, ["annotations", "*", "kind"])) {
    const { value } = kind.node;
    const group = value === "provider" || value === "remark" ? value : "access";
    const earlier = kinds.get(group);
    if (earlier === undefined) kinds.set(group, kind);
    else if (group !== "access")
      findings.push(finding(kind, `a second ${group} annotation; keep one.`));
    else {
      findings.push(
        finding(
          kind,
          "only one of restricted, slowed_ru and partial_ru may stand; keep the one that holds now.",
        ),
      );
    }
  }
  const [endpoints] = select(service, ["endpoints"]);
  const first = select(service, ["endpoints", "*"]);
  const isNoneCritical =
    first.length > 0 &&
    first.every(({ node }, index) => {
      const critical = node.parts.get("critical")?.node.value;
      return critical === undefined ? index > 0 : critical === false;
    });
  if (endpoints !== undefined && isNoneCritical) {
    findings.push(
      finding(endpoints, "no endpoint is critical; set critical: true on one of them."),
    );
  }
  return findings;
}

function nameByPath({ path }: CataloguePart): string {
  return formatPath(path);
}

/**
 * The rules between parts of a catalogue: uniqueness, references, counts. They run on the located value, not on the parsed
 * catalogue, so that one misspelt key does not hide other faults. Never throws.
 *
 * @param nameOf names the other of two equal parts in a message, where a path alone does not say which file it is in.
 */
export function crossCheck(root: Located, nameOf: NameOf = nameByPath): readonly Finding[] {
  const whole: CataloguePart = { path: [], node: root };
  return [
    ...checkDuplicates(whole, nameOf),
    ...checkAnchors(whole),
    ...checkCategories(whole),
    ...checkRedirects(whole),
    ...checkSources(whole),
    ...select(whole, ["services", "*"]).flatMap(checkService),
  ];
}

/** The one rule between entries of an overlay: their ids are unique. Never throws. */
export function checkOverlayIds(root: Located): readonly Finding[] {
  return checkIds({ path: [], node: root }, nameByPath);
}
