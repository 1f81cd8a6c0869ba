import { isDeepStrictEqual } from "node:util";
import { readMetricsView } from "./metrics.ts";
import { type DataExchanges, objectAt, readData } from "./reading.ts";
import { DATA_PATHS, LIST_PATH, NAMES_PATH, statuspagePath } from "../api/addresses.ts";
import { isUnixSeconds, type JsonObject, objectsOf, show } from "../api/json-document.ts";
import { type Deployment, type ListReading, readList } from "../api/list.ts";
import { isFailingCode, VERDICTS } from "../../contract/codes/verdict.ts";
import { statuspageIdOf } from "../../contract/statuspage.ts";
import { STATUS_SCHEMAS } from "../../contract/status.ts";
import { isObject } from "../../model/errors.ts";
import { about, type CheckFinding, settle, skip, unless } from "../finding.ts";
import { type Exchange, hasStatus } from "../http/client.ts";

/** Documents that say the same as the list, or as one another. */
const AGREEING_PATHS: readonly string[] = [
  DATA_PATHS.metrics,
  ...["summary", "components", "status", "incidents", "incidents/unresolved"].map(statuspagePath),
];

/** Checks that Statuspage and metrics say what the list says. */
export async function checkDataAgreement(
  { client, list, settling }: Deployment,
  first: DataExchanges,
): Promise<CheckFinding> {
  if (list.entries.size === 0) return skip("data.agrees", "the list could not be read");
  const there = AGREEING_PATHS.filter((target) => hasStatus(first.get(target), 200));
  if (there.length === 0) return skip("data.agrees", "no document could be read");
  const names = await readData(client, [NAMES_PATH]);
  const problems = findDataDisagreements(list, new Map([...first, ...names]));
  return settle("data.agrees", there.join(" "), settling, problems, async () => {
    const [answer, again] = await Promise.all([
      client.get(LIST_PATH),
      readData(client, [...AGREEING_PATHS, NAMES_PATH]),
    ]);
    const isThere = AGREEING_PATHS.every((target) => hasStatus(again.get(target), 200));
    return hasStatus(answer, 200) && isThere
      ? findDataDisagreements(readList(answer), again)
      : undefined;
  });
}

/** Where list, Statuspage and metrics disagree. Documents that could not be read are left out. Source: docs/open-data.md. */
function findDataDisagreements(list: ListReading, exchanges: DataExchanges): readonly string[] {
  const summary = objectAt(exchanges, statuspagePath("summary"));
  // By slug, of services that have an English one; undefined: no website publishes them.
  const english = objectAt(exchanges, NAMES_PATH)?.["en"];
  const names = isObject(english) ? english : undefined;
  return [
    ...(["summary", "components"] as const).flatMap((name) =>
      findComponentDisagreements(name, list, names, objectAt(exchanges, statuspagePath(name))),
    ),
    ...(summary === undefined ? [] : findSummaryDisagreements(list, summary, exchanges)),
    ...findMetricsDisagreements(list, exchanges.get(DATA_PATHS.metrics)),
  ];
}

function findComponentDisagreements(
  document: string,
  { entries }: ListReading,
  names: JsonObject | undefined,
  value: JsonObject | undefined,
): readonly string[] {
  if (value === undefined) return [];
  const components = objectsOf(value["components"]);
  const byId = new Map(components.map((component) => [component["id"], component]));
  const known = new Set<unknown>([...entries.keys()].map(statuspageIdOf));
  const strangers = components.filter(({ id }) => typeof id === "string" && !known.has(id));
  const problems = [...entries].flatMap(([slug, { name, code }]) => {
    const component = byId.get(statuspageIdOf(slug));
    if (component === undefined) return [`${show(slug)} is not a component`];
    const shown = codeOf(code);
    const english = names?.[slug] ?? name;
    return [
      ...unless(
        names === undefined || component["name"] === english,
        `${show(component["name"])} is ${show(english)} in English`,
      ),
      ...unless(
        shown === undefined || component["status"] === VERDICTS[shown].component,
        `${show(slug)} is ${show(component["status"])}, and ${show(code)} there`,
      ),
    ];
  });
  return about(`${document}.json and the list`, [
    ...strangers.map(({ name }) => `${show(name)} is not there`),
    ...problems,
  ]);
}

/** A code of the contract; undefined for any other value. */
function codeOf(value: unknown) {
  return STATUS_SCHEMAS.Code.safeParse(value).data;
}

/** Documents that repeat a part of the summary, by name. */
const PARTS = { components: "components", status: "status", "incidents/unresolved": "incidents" };

/** An incident lasts while the verdict is `live`; without data it stays open. */
function findSummaryDisagreements(
  { entries }: ListReading,
  summary: JsonObject,
  exchanges: DataExchanges,
): readonly string[] {
  const open = objectsOf(summary["incidents"]);
  const affected = new Set(
    open.flatMap(({ components }) => objectsOf(components).map(({ id }) => id)),
  );
  const all = objectAt(exchanges, statuspagePath("incidents"));
  const known = new Set(objectsOf(all?.["incidents"]).map(({ id }) => id));
  return [
    ...[...entries].flatMap(([slug, { live, code }]) => {
      const isOpen = affected.has(statuspageIdOf(slug));
      const mayBeOpen = live !== false || code === "none";
      return [
        ...unless(live !== true || isOpen, `${slug} is live in the list and has no open incident`),
        ...unless(!isOpen || mayBeOpen, `${slug} has an open incident and is not live in the list`),
      ];
    }),
    ...Object.entries(PARTS).flatMap(([name, part]) => {
      const other = objectAt(exchanges, statuspagePath(name));
      return unless(
        other === undefined || isDeepStrictEqual(other[part], summary[part]),
        `summary.json and ${name}.json have different ${part}`,
      );
    }),
    ...open.flatMap(({ id }) =>
      unless(
        all === undefined || known.has(id),
        `the open incident ${show(id)} is not in incidents.json`,
      ),
    ),
  ];
}

function findMetricsDisagreements(
  { entries, value }: ListReading,
  exchange: Exchange | undefined,
): readonly string[] {
  const view = hasStatus(exchange, 200) ? readMetricsView(exchange.body).data : undefined;
  if (view === undefined) return [];
  const { codes, ups, updated } = view;
  const ofList = value?.["updated"];
  return [
    ...unless(
      !isUnixSeconds(ofList) || ofList === updated,
      `updated is ${show(ofList)} in the list, ${updated} in the metrics`,
    ),
    ...[...codes.keys()].flatMap((slug) => unless(entries.has(slug), `${slug} is not in the list`)),
    ...[...entries].flatMap(([slug, entry]) => {
      const code = codeOf(entry["code"]);
      if (code === undefined) return [];
      const up = code === "none" ? undefined : isFailingCode(code) ? 0 : 1;
      const [inMetrics, upThere] = [codes.get(slug), ups.get(slug)];
      const said = `${slug} is ${show(code)} in the list`;
      return [
        ...unless(inMetrics === code, `${said}, ${show(inMetrics)} in the metrics`),
        ...unless(upThere === up, `${said}, its up is ${show(upThere)}`),
      ];
    }),
  ];
}
