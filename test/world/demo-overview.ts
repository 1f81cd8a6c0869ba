import Table from "cli-table3";
import { accessOf, type Catalogue, type Service } from "../../src/model/catalogue.ts";
import type { ServiceSnapshot, Snapshot } from "../../src/model/snapshot.ts";
import { COLOR_OF, type VerdictCode } from "../../src/model/verdict.ts";
import { NO_BORDERS, trimLines } from "../../src/render/plain-table.ts";
import { CAST } from "./demo-cast.ts";

// The keys of a `satisfies`-checked constant: exactly the codes.
const CODES = Object.keys(COLOR_OF) as VerdictCode[];
const STORY_COLUMNS = 56;

/** Why the demo did not show what it promises, one sentence each; none when it did. */
export function findShortfalls(snapshot: Snapshot): readonly string[] {
  const seen = new Map(snapshot.services.map(({ slug, verdict }) => [slug, verdict.code]));
  const missing = CODES.filter((code) => ![...seen.values()].includes(code));
  const miscast = CAST.filter(({ slug, code }) => seen.get(slug) !== code);
  return [
    ...missing.map((code) => `No service has the verdict ${code}.`),
    ...miscast.map(({ slug, code }) => `${slug} should be ${code}, but is ${seen.get(slug)}.`),
  ];
}

/** The verdicts by code, each with what the simulated internet did to cause it. */
export function renderOverview(snapshot: Snapshot, catalogue: Catalogue): string {
  const table = new Table({
    ...NO_BORDERS,
    head: ["code", "colour", "live", "service", "what happens to it"],
    colWidths: [null, null, null, null, STORY_COLUMNS],
    wordWrap: true,
  });
  for (const code of CODES) {
    const having = snapshot.services.filter(({ verdict }) => verdict.code === code);
    table.push(...toRows(having, catalogue));
  }
  const codes = new Set(snapshot.services.map(({ verdict }) => verdict.code));
  return trimLines(
    `${table.toString()}\n\n${snapshot.services.length} services, ${codes.size} of ${CODES.length} verdict codes.`,
  );
}

/** A row for each service with a part to play, and one for all the others. */
function toRows(having: readonly ServiceSnapshot[], catalogue: Catalogue): string[][] {
  const rows = having.flatMap(({ slug, verdict }) => {
    const role = CAST.find((one) => one.slug === slug);
    const { code, color, live } = verdict;
    return role === undefined ? [] : [[code, color, live ? "yes" : "no", slug, role.story]];
  });
  const others = having.filter(({ slug }) => CAST.every((one) => one.slug !== slug));
  return others.length === 0 ? rows : [...rows, toSharedRow(others, rows.length > 0, catalogue)];
}

function toSharedRow(
  others: readonly ServiceSnapshot[],
  isRest: boolean,
  catalogue: Catalogue,
): string[] {
  const [first] = others;
  if (first === undefined) throw new RangeError("a row for nobody");
  const { code, color, live } = first.verdict;
  const story = code === "ok" ? "answer" : `answer; ${explainAnnotation(first, catalogue)}`;
  const names = others.map(({ slug }) => slug).join(", ");
  const count = isRest ? `${others.length} more` : `${others.length} services`;
  const columns = [code, color, live ? "yes" : "no"];
  return others.length === 1 && !isRest
    ? [...columns, names, story.replace("answer", "answers")]
    : [...columns, count, `${story}: ${names}`];
}

function explainAnnotation({ slug }: ServiceSnapshot, catalogue: Catalogue): string {
  const service = catalogue.services.find((one) => one.slug === slug);
  return `annotated as ${service === undefined ? "" : annotationOf(service)} in the catalogue`;
}

function annotationOf(service: Service): string {
  const access = accessOf(service);
  return access === "none" ? "provider" : access;
}

/** What to do with a demo that is being served. */
export function renderHints(url: string, stateUrl: string): string {
  return [
    `The website is at ${url}/. In another terminal, in this folder, try`,
    "",
    `  curl ${url}/api/v1/status`,
    `  curl -i ${url}/api/v1/status/mts`,
    ...["dropbox", "rosreestr", "wildberries"].map(
      (slug) => `  node dist/cli.js explain ${slug} --state ${stateUrl}`,
    ),
    "",
    "Ctrl-C ends it and removes what it published.",
  ].join("\n");
}
