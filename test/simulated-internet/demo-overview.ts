import type { DemoPlaces } from "./demo-days.ts";
import { accessOf, type Catalogue, type Service } from "../../src/model/service/catalogue.ts";
import type { ServiceSnapshot, Snapshot } from "../../src/model/service/snapshot.ts";
import { COLOR_OF, type VerdictCode } from "../../src/contract/codes/verdict.ts";
import { renderTable } from "../../src/cli/output/table.ts";
import { SCENARIOS } from "./demo-scenarios.ts";

// COLOR_OF has exactly these keys.
const CODES = Object.keys(COLOR_OF) as VerdictCode[];
const DESCRIPTION_COLUMNS = 56;

/** The expected verdicts that the demo did not show, one sentence each. */
export function findShortfalls(snapshot: Snapshot): readonly string[] {
  const seen = new Map(snapshot.services.map(({ slug, verdict }) => [slug, verdict.code]));
  const missing = CODES.filter((code) => ![...seen.values()].includes(code));
  const wrong = SCENARIOS.filter(({ slug, code }) => seen.get(slug) !== code);
  return [
    ...missing.map((code) => `No service has the verdict ${code}.`),
    ...wrong.map(({ slug, code }) => `${slug} should be ${code}, but is ${seen.get(slug)}.`),
  ];
}

/** The verdicts by code, each with its cause in the simulated internet. */
export function renderOverview(snapshot: Snapshot, catalogue: Catalogue): string {
  const rows = CODES.flatMap((code) =>
    toRows(
      snapshot.services.filter(({ verdict }) => verdict.code === code),
      catalogue,
    ),
  );
  const table = renderTable(rows, {
    head: ["code", "colour", "live", "service", "what happens to it"],
    colWidths: [null, null, null, null, DESCRIPTION_COLUMNS],
    wordWrap: true,
  });
  const codes = new Set(snapshot.services.map(({ verdict }) => verdict.code));
  return `${table}\n\n${snapshot.services.length} services, ${codes.size} of ${CODES.length} verdict codes.`;
}

/** A row for each service with a scenario, and one for all others. */
function toRows(services: readonly ServiceSnapshot[], catalogue: Catalogue): string[][] {
  const rows = services.flatMap(({ slug, verdict }) => {
    const scenario = SCENARIOS.find((one) => one.slug === slug);
    const { code, color, live } = verdict;
    return scenario === undefined
      ? []
      : [[code, color, live ? "yes" : "no", slug, scenario.description]];
  });
  const others = services.filter(({ slug }) => SCENARIOS.every((one) => one.slug !== slug));
  return others.length === 0 ? rows : [...rows, toSharedRow(others, rows.length > 0, catalogue)];
}

function toSharedRow(
  others: readonly ServiceSnapshot[],
  isRest: boolean,
  catalogue: Catalogue,
): string[] {
  const [first] = others;
  if (first === undefined) throw new RangeError("a row without services");
  const { code, color, live } = first.verdict;
  const description = code === "ok" ? "answer" : `answer; ${explainAnnotation(first, catalogue)}`;
  const names = others.map(({ slug }) => slug).join(", ");
  const count = isRest ? `${others.length} more` : `${others.length} services`;
  const columns = [code, color, live ? "yes" : "no"];
  return others.length === 1 && !isRest
    ? [...columns, names, description.replace("answer", "answers")]
    : [...columns, count, `${description}: ${names}`];
}

function explainAnnotation({ slug }: ServiceSnapshot, catalogue: Catalogue): string {
  const service = catalogue.services.find((one) => one.slug === slug);
  return `annotated as ${service === undefined ? "" : annotationOf(service)} in the catalogue`;
}

function annotationOf(service: Service): string {
  const access = accessOf(service);
  return access === "none" ? "provider" : access;
}

/** Commands to try while the demo is served. */
export function renderHints({
  baseUrl: url,
  state: stateUrl,
  owners,
}: Pick<DemoPlaces, "baseUrl" | "state" | "owners">): string {
  return [
    `The website is at ${url}/. In another terminal, in this folder, try`,
    "",
    `  curl ${url}/api/v1/status`,
    `  curl -i ${url}/api/v1/status/rutube`,
    ...["icloud", "aliexpress", "pubg"].map(
      (slug) => `  node dist/cli.js explain ${slug} --state ${stateUrl}`,
    ),
    "",
    ...(owners === undefined
      ? []
      : [
          `Be an owner: add ${owners.site.url} at ${url}/monitor/new, and prove it in ${owners.site.folder}/.`,
          "Notices in a browser go through the push service of its maker, so they need the Internet and `notify`.",
          "",
        ]),
    "Ctrl-C ends it and removes what it published.",
  ].join("\n");
}

/** How to look at what a demo has published that serves nothing. */
export function renderOnceHints(stateUrl: string): string {
  return [
    "Published into public/. Look at it at http://127.0.0.1:8080:",
    "",
    `  node dist/cli.js serve --state ${stateUrl}`,
    `  node dist/cli.js explain icloud --state ${stateUrl}`,
    "",
    "Remove public/ and .demo/ before a real run: nothing in them is real.",
  ].join("\n");
}
