import * as z from "zod";
import { MAX_PROBLEMS, readAs, type Reading, readUtf8 } from "../api/json-document.ts";
import { VERDICT_CODES } from "../../contract/codes/verdict.ts";
import { COUNT, TIME } from "../../contract/parts.ts";
import { STATUS_SCHEMAS } from "../../contract/status.ts";
import { groupBy } from "../../model/lists.ts";
import { about, unless } from "../finding.ts";

/** One value of a gauge. */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** A line that describes a family of gauges. */
interface Meta {
  readonly word: string;
  readonly name: string;
}

/** 25 times the metrics of 85 services. Larger ones could fill the memory. */
const MAX_BYTES = 2 * 1024 * 1024;

const END = "\n# EOF\n";
const META = /^# (?<word>TYPE|UNIT|HELP) (?<name>[a-zA-Z_:][\w:]*) (?<text>.*)$/u;
const SAMPLE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>[^ ]+)$/u;
const LABEL = /(?<name>[a-zA-Z_]\w*)="(?<value>(?:[^"\\]|\\["\\n])*)"(?:,(?=.)|$)/uy;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/**
 * Parses bytes as gauges in the text format of OpenMetrics 1.0 with finite values, without times of the samples. Never throws. Sources:
 * https://prometheus.io/docs/specs/om/open_metrics_spec/, docs/open-data.md, "Metrics".
 */
export function readMetrics(body: Uint8Array): Reading<readonly Sample[]> {
  if (body.length > MAX_BYTES)
    return { problems: [`it has ${body.length} bytes, more than ${MAX_BYTES}`] };
  const text = readUtf8(body);
  if (text === undefined) return { problems: ["the bytes are not UTF-8"] };
  if (!text.endsWith(END)) return { problems: ["it does not end with the line # EOF"] };
  const lines = text.slice(0, -END.length).split("\n").map(readLine);
  const wrong = lines.flatMap((line, index) =>
    typeof line === "string" ? [`line ${index + 1} ${line}`] : [],
  );
  const known = lines.filter((line) => typeof line !== "string");
  const problems = [...wrong, ...findOrderProblems(known)].slice(0, MAX_PROBLEMS);
  return problems.length > 0
    ? { problems }
    : { data: known.filter((line) => "value" in line), problems };
}

/** A line, or what is wrong with it. */
function readLine(line: string): Sample | Meta | string {
  const meta = META.exec(line)?.groups;
  if (meta !== undefined) {
    const { word = "", name = "", text } = meta;
    const isRight = word !== "TYPE" || text === "gauge";
    return isRight ? { word, name } : `has the type ${text}, not gauge`;
  }
  const { name = "", labels: list = "", value = "" } = SAMPLE.exec(line)?.groups ?? {};
  const labels = readLabels(list);
  if (name === "" || labels === undefined) return `is ${JSON.stringify(line.slice(0, 80))}`;
  return NUMBER.test(value) && Number.isFinite(Number(value))
    ? { name, labels, value: Number(value) }
    : `has the value ${value}, not a finite number`;
}

/** Undefined if they are not well-formed, or a name occurs twice. */
function readLabels(list: string): ReadonlyMap<string, string> | undefined {
  const labels = new Map<string, string>();
  for (let at = 0; at < list.length; at = LABEL.lastIndex) {
    LABEL.lastIndex = at;
    const { name, value } = LABEL.exec(list)?.groups ?? {};
    if (name === undefined || value === undefined || labels.has(name)) return undefined;
    labels.set(name, value);
  }
  return labels;
}

/** A family is in one place, begins with its type, and has each series once. */
function findOrderProblems(lines: readonly (Sample | Meta)[]): readonly string[] {
  const problems = new Set<string>();
  const seen = new Set<string>();
  let family = "";
  for (const line of lines) {
    const { name } = line;
    const isFirst = "word" in line && line.word === "TYPE";
    if (name !== family && !isFirst) problems.add(`${name} has lines that do not follow its type`);
    if (isFirst) family = name;
    const what = "word" in line ? `# ${line.word} ${name}` : seriesOf(line);
    if (seen.has(what)) problems.add(`${what} is there twice`);
    seen.add(what);
  }
  return [...problems];
}

function seriesOf({ name, labels }: Sample): string {
  const pairs = [...labels].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${name}{${pairs.map(([label, value]) => `${label}="${value}"`).join(",")}}`;
}

const { Slug, Code } = STATUS_SCHEMAS;
const SWITCH = z.union([z.literal(0), z.literal(1)], "0 or 1");

const PREFIX = "status_snapshot_";

/**
 * The problems of the metrics, or without any what they say: the code and the `up` of each service, which is absent without recent data.
 * Source: docs/open-data.md, "Metrics".
 */
export function readMetricsView(body: Uint8Array) {
  const { data: samples, problems: unreadable } = readMetrics(body);
  if (samples === undefined) return { problems: unreadable };
  const problems: string[] = [];
  const read = <T>(name: string, schema: z.ZodType<T>): readonly T[] =>
    samples
      .filter((sample) => sample.name === PREFIX + name)
      .flatMap((sample) => {
        const gauge = { labels: Object.fromEntries(sample.labels), value: sample.value };
        const { data, problems: wrong } = readAs(schema, gauge);
        problems.push(...about(seriesOf(sample), wrong));
        return data ?? [];
      });
  const service = z.strictObject({ service: Slug });
  const verdicts = read("verdict", gaugeOf(service.extend({ code: Code }), SWITCH));
  const ups = read("up", gaugeOf(service, SWITCH));
  const reports = read("reports_hour", gaugeOf(service, COUNT));
  const times = read("updated_timestamp_seconds", gaugeOf(z.strictObject({}), TIME));
  problems.push(
    ...findVerdictProblems(verdicts, new Set(reports.map(({ labels }) => labels.service))),
    ...unless(times.length === 1, `${PREFIX}updated_timestamp_seconds has ${times.length} values`),
  );
  if (problems.length > 0) return { problems };
  const current = verdicts.filter(({ value }) => value === 1);
  const codes = new Map(current.map(({ labels }) => [labels.service, labels.code]));
  const upOf = new Map(ups.map(({ labels, value }) => [labels.service, value]));
  return { data: { codes, ups: upOf, updated: times[0]?.value }, problems };
}

function gaugeOf<L extends z.ZodType, V extends z.ZodType>(labels: L, value: V) {
  return z.strictObject({ labels, value });
}

/** Each service has a value for every code, exactly one of them 1, and its reports. */
function findVerdictProblems(
  verdicts: readonly { labels: { service: string; code: string }; value: number }[],
  counted: ReadonlySet<string>,
): readonly string[] {
  const byService = groupBy(verdicts, ({ labels }) => labels.service);
  const all = VERDICT_CODES.toSorted().join();
  return [
    ...[...byService].flatMap(([service, own]) => {
      const on = own.filter(({ value }) => value === 1).length;
      const codes = own.map(({ labels }) => labels.code).toSorted();
      return [
        ...unless(codes.join() === all, `${service} has not one value for each code`),
        ...unless(on === 1, `${on} codes of ${service} are 1`),
        ...unless(counted.has(service), `${service} has no ${PREFIX}reports_hour`),
      ];
    }),
    ...unless(byService.size > 0, `it has no ${PREFIX}verdict`),
  ];
}
