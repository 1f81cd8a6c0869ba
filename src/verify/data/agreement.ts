import { isDeepStrictEqual } from "node:util";
import type { Client } from "../http/client.ts";
import { readMetricsView } from "./metrics.ts";
import { type DataExchanges, objectAt, readData } from "./reading.ts";
import { componentIdOf } from "./statuspage.ts";
import { isUnixSeconds, objectsOf } from "../api/schema.ts";
import { type CheckFinding, skip } from "../finding.ts";
import { type Exchange, hasStatus } from "../http/http-exchange.ts";
import { type ListReading, readList } from "../api/list.ts";
import { type JsonObject, show } from "../api/parse-json.ts";
import { settle, type Settling } from "../http/settle.ts";
import {
  COLOR_BY_CODE,
  DOWN_CODES,
  COMPONENT_STATUS_BY_CODE,
  LIST_PATH,
  DATA_PATHS,
  statuspagePath,
} from "../api/specification.ts";

/** Documents that say the same as the list, or as one another. */
const AGREEING_PATHS: readonly string[] = [
  DATA_PATHS.metrics,
  ...(["summary", "components", "status", "incidents", "incidents/unresolved"] as const).map(
    statuspagePath,
  ),
];

/** Checks that Statuspage and metrics say what the list says. */
export async function checkDataAgreement(
  client: Client,
  list: ListReading,
  first: DataExchanges,
  settling: Settling,
): Promise<CheckFinding> {
  if (list.entries.size === 0) return skip("data.agrees", "the list could not be read");
  const readAgain = async (): Promise<readonly string[] | undefined> => {
    const [answer, again] = await Promise.all([
      client.send({ method: "GET", target: LIST_PATH }),
      readData(client, AGREEING_PATHS),
    ]);
    const isThere = AGREEING_PATHS.every((target) => hasStatus(again.get(target), 200));
    return hasStatus(answer, 200) && isThere
      ? findDataDisagreements(readList(answer), again)
      : undefined;
  };
  const there = AGREEING_PATHS.filter((target) => hasStatus(first.get(target), 200));
  if (there.length === 0) return skip("data.agrees", "no document could be read");
  const problems = findDataDisagreements(list, first);
  return settle("data.agrees", there.join(" "), problems, readAgain, settling);
}

/**
 * Where the list, the documents in the format of Statuspage and the metrics disagree. Documents that could not be read are left out.
 * Source: docs/open-data.md.
 */
function findDataDisagreements(list: ListReading, exchanges: DataExchanges): readonly string[] {
  const summary = objectAt(exchanges, statuspagePath("summary"));
  return [
    ...(["summary", "components"] as const).flatMap((name) =>
      findComponentDisagreements(name, list, objectAt(exchanges, statuspagePath(name))),
    ),
    ...(summary === undefined ? [] : findSummaryDisagreements(list, summary, exchanges)),
    ...findMetricsDisagreements(list, exchanges.get(DATA_PATHS.metrics)),
  ];
}

function findComponentDisagreements(
  document: string,
  { entries }: ListReading,
  value: JsonObject | undefined,
): readonly string[] {
  if (value === undefined) return [];
  const components = objectsOf(value["components"]);
  const ids = new Map([...entries].map(([slug, entry]) => [componentIdOf(slug), entry]));
  const strangers = components.filter(({ id }) => typeof id === "string" && !ids.has(id));
  const problems = [...ids].flatMap(([id, { name, code, slug }]) => {
    const component = components.find((one) => one["id"] === id);
    if (component === undefined) return [`${show(slug)} is no component`];
    const status = COMPONENT_STATUS_BY_CODE.get(String(code));
    return [
      ...(component["name"] === name ? [] : [`${show(component["name"])} is ${show(name)} there`]),
      ...(status === undefined || component["status"] === status
        ? []
        : [`${show(slug)} is ${show(component["status"])}, and ${show(code)} there`]),
    ];
  });
  return [...strangers.map(({ name }) => `${show(name)} is not there`), ...problems].map(
    (problem) => `${document}.json and the list: ${problem}`,
  );
}

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
      const isOpen = affected.has(componentIdOf(slug));
      if (live === true && !isOpen) return [`${slug} is live in the list and has no open incident`];
      return live === false && code !== "none" && isOpen
        ? [`${slug} has an open incident and is not live in the list`]
        : [];
    }),
    ...findDifferences(exchanges, summary, "components", "components"),
    ...findDifferences(exchanges, summary, "status", "status"),
    ...findDifferences(exchanges, summary, "incidents/unresolved", "incidents"),
    ...(all === undefined ? [] : open.filter(({ id }) => !known.has(id))).map(
      ({ id }) => `the open incident ${show(id)} is not in incidents.json`,
    ),
  ];
}

function findDifferences(
  exchanges: DataExchanges,
  summary: JsonObject,
  name: "components" | "status" | "incidents/unresolved",
  part: string,
): readonly string[] {
  const other = objectAt(exchanges, statuspagePath(name));
  return other === undefined || isDeepStrictEqual(other[part], summary[part])
    ? []
    : [`summary.json and ${name}.json have different ${part}`];
}

function findMetricsDisagreements(
  { entries, value }: ListReading,
  exchange: Exchange | undefined,
): readonly string[] {
  const view = hasStatus(exchange, 200) ? readMetricsView(exchange.body) : [];
  if (!("codes" in view)) return [];
  const { codes, ups, updated } = view;
  const ofList = value?.["updated"];
  return [
    ...(isUnixSeconds(ofList) && ofList !== updated
      ? [`updated is ${ofList} in the list, ${updated} in the metrics`]
      : []),
    ...[...codes.keys()]
      .filter((slug) => !entries.has(slug))
      .map((slug) => `${slug} is not in the list`),
    ...[...entries].flatMap(([slug, { code }]) => {
      if (!COLOR_BY_CODE.has(String(code))) return [];
      const up = code === "none" ? undefined : DOWN_CODES.has(String(code)) ? 0 : 1;
      return [
        ...(codes.get(slug) === code
          ? []
          : [`is ${show(code)} in the list, ${show(codes.get(slug))} in the metrics`]),
        ...(ups.get(slug) === up
          ? []
          : [`is ${show(code)} in the list, its up is ${show(ups.get(slug))}`]),
      ].map((problem) => `${slug} ${problem}`);
    }),
  ];
}
