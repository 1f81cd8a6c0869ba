import { decodeUtf8, isUnixSeconds } from "../api/json-document.ts";
import { VERDICT_CODES } from "../../contract/codes/verdict.ts";
import { COUNT } from "../../contract/parts.ts";
import { STATUS_SCHEMAS } from "../../contract/status.ts";
import { unless } from "../finding.ts";

/** One value of a gauge. */
export interface Sample {
  readonly kind: "sample";
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

interface Meta {
  readonly kind: "meta";
  readonly word: string;
  readonly name: string;
}

type Line = Sample | Meta | { readonly kind: "wrong"; readonly problem: string };

export type MetricsReading =
  | { readonly kind: "metrics"; readonly samples: readonly Sample[] }
  | { readonly kind: "no-metrics"; readonly problems: readonly string[] };

/** 25 times the metrics of 85 services. Larger ones could fill the memory. */
const MAX_BYTES = 2 * 1024 * 1024;

const MAX_PROBLEMS = 100;

const END = "\n# EOF\n";
const META = /^# (?<word>TYPE|UNIT|HELP) (?<name>[a-zA-Z_:][\w:]*) (?<text>.*)$/u;
const SAMPLE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>[^ ]+)$/u;
const LABEL = /(?<name>[a-zA-Z_]\w*)="(?<value>(?:[^"\\]|\\["\\n])*)"(?:,(?=.)|$)/uy;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/**
 * Parses bytes as gauges in the text format of OpenMetrics 1.0 with finite values, without times of the samples. Never throws. Sources:
 * https://prometheus.io/docs/specs/om/open_metrics_spec/, docs/open-data.md, "Metrics".
 */
export function readMetrics(body: Uint8Array): MetricsReading {
  if (body.length > MAX_BYTES)
    return noMetrics(`it has ${body.length} bytes, more than ${MAX_BYTES}`);
  const text = decodeUtf8(body);
  if (text === undefined) return noMetrics("the bytes are not UTF-8");
  if (!text.endsWith(END)) return noMetrics("it does not end with the line # EOF");
  const lines = text.slice(0, -END.length).split("\n").map(readLine);
  const problems = [
    ...lines.flatMap((line, index) =>
      line.kind === "wrong" ? [`line ${index + 1} ${line.problem}`] : [],
    ),
    ...findOrderProblems(lines),
  ];
  return problems.length === 0
    ? { kind: "metrics", samples: lines.filter((line) => line.kind === "sample") }
    : noMetrics(...problems.slice(0, MAX_PROBLEMS));
}

function noMetrics(...problems: readonly string[]): MetricsReading {
  return { kind: "no-metrics", problems };
}

function readLine(line: string): Line {
  const meta = META.exec(line)?.groups;
  if (meta !== undefined) {
    const { word = "", name = "", text } = meta;
    return word === "TYPE" && text !== "gauge"
      ? { kind: "wrong", problem: `has the type ${text}, not gauge` }
      : { kind: "meta", word, name };
  }
  const { name = "", labels: list = "", value = "" } = SAMPLE.exec(line)?.groups ?? {};
  const labels = readLabels(list);
  if (name === "" || labels === undefined)
    return { kind: "wrong", problem: `is ${JSON.stringify(line.slice(0, 80))}` };
  return NUMBER.test(value) && Number.isFinite(Number(value))
    ? { kind: "sample", name, labels, value: Number(value) }
    : { kind: "wrong", problem: `has the value ${value}, not a finite number` };
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
function findOrderProblems(lines: readonly Line[]): readonly string[] {
  const problems = new Set<string>();
  const seen = new Set<string>();
  let family = "";
  for (const line of lines) {
    if (line.kind === "wrong") continue;
    const { name } = line;
    const isFirst = line.kind === "meta" && line.word === "TYPE";
    if (name !== family && !isFirst) problems.add(`${name} has lines that do not follow its type`);
    if (isFirst) family = name;
    const what = line.kind === "meta" ? `# ${line.word} ${name}` : seriesOf(line);
    if (seen.has(what)) problems.add(`${what} is there twice`);
    seen.add(what);
  }
  return [...problems];
}

function seriesOf({ name, labels }: Sample): string {
  const pairs = [...labels].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${name}{${pairs.map(([label, value]) => `${label}="${value}"`).join(",")}}`;
}

/** What the metrics say of the services. */
export interface MetricsView {
  /** The code of each service. */
  readonly codes: ReadonlyMap<string, string>;
  /** By service; absent without recent data. */
  readonly ups: ReadonlyMap<string, number>;
  readonly updated: number | undefined;
}

const PREFIX = "status_snapshot_";

/** The problems of the metrics, or without any what they say. Source: docs/open-data.md, "Metrics". */
export function readMetricsView(body: Uint8Array): MetricsView | readonly string[] {
  const reading = readMetrics(body);
  if (reading.kind === "no-metrics") return reading.problems;
  const of = (name: string): readonly Sample[] =>
    reading.samples.filter((sample) => sample.name === PREFIX + name);
  const verdicts = of("verdict");
  const times = of("updated_timestamp_seconds");
  const problems = [
    ...findLabelProblems(verdicts, ["service", "code"]),
    ...findLabelProblems([...of("up"), ...of("reports_hour")], ["service"]),
    ...findValueProblems([...verdicts, ...of("up")], (value) => value === 0 || value === 1),
    ...findValueProblems(of("reports_hour"), (value) => COUNT.safeParse(value).success),
    ...findValueProblems(times, isUnixSeconds),
    ...findVerdictProblems(verdicts, of("reports_hour")),
    ...unless(times.length === 1, `${PREFIX}updated_timestamp_seconds has ${times.length} values`),
  ];
  if (problems.length > 0) return problems;
  const codes = verdicts
    .filter(({ value }) => value === 1)
    .map((sample): [string, string] => [serviceOf(sample), codeOf(sample)]);
  const ups = of("up").map((sample): [string, number] => [serviceOf(sample), sample.value]);
  return { codes: new Map(codes), ups: new Map(ups), updated: times[0]?.value };
}

function serviceOf({ labels }: Sample): string {
  return labels.get("service") ?? "";
}

function codeOf({ labels }: Sample): string {
  return labels.get("code") ?? "";
}

function findLabelProblems(
  samples: readonly Sample[],
  expected: readonly string[],
): readonly string[] {
  const isRight = (sample: Sample): boolean =>
    [...sample.labels.keys()].toSorted().join() === expected.toSorted().join() &&
    STATUS_SCHEMAS.Slug.safeParse(serviceOf(sample)).success;
  return samples
    .filter((sample) => !isRight(sample))
    .map(({ name, labels }) => `${name} has the labels ${JSON.stringify([...labels])}`);
}

function findValueProblems(
  samples: readonly Sample[],
  isRight: (value: number) => boolean,
): readonly string[] {
  return samples
    .filter(({ value }) => !isRight(value))
    .map((sample) => `${sample.name} of ${serviceOf(sample) || "all"} is ${sample.value}`);
}

/** Each service has a value for every code, exactly one of them 1, and its reports. */
function findVerdictProblems(
  verdicts: readonly Sample[],
  reports: readonly Sample[],
): readonly string[] {
  const byService = new Map<string, Sample[]>();
  for (const sample of verdicts) {
    const service = serviceOf(sample);
    byService.set(service, [...(byService.get(service) ?? []), sample]);
  }
  const counted = new Set(reports.map(serviceOf));
  const all = VERDICT_CODES.toSorted().join();
  return [
    ...[...byService].flatMap(([service, samples]) => {
      const on = samples.filter(({ value }) => value === 1).length;
      const isWhole = samples.map(codeOf).toSorted().join() === all;
      return [
        ...unless(isWhole, `${service} has not one value for each code`),
        ...unless(on === 1, `${on} codes of ${service} are 1`),
        ...unless(counted.has(service), `${service} has no ${PREFIX}reports_hour`),
      ];
    }),
    ...unless(byService.size > 0, `there is no ${PREFIX}verdict`),
  ];
}
