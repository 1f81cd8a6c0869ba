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
    return {
      kind: "no-metrics",
      problems: [`it has ${body.length} bytes, more than ${MAX_BYTES}`],
    };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return { kind: "no-metrics", problems: ["the bytes are not UTF-8"] };
  }
  if (!text.endsWith(END))
    return { kind: "no-metrics", problems: ["it does not end with the line # EOF"] };
  const lines = text.slice(0, -END.length).split("\n").map(readLine);
  const problems = [
    ...lines.flatMap((line, index) =>
      line.kind === "wrong" ? [`line ${index + 1} ${line.problem}`] : [],
    ),
    ...findOrderProblems(lines),
  ];
  return problems.length === 0
    ? { kind: "metrics", samples: lines.filter((line) => line.kind === "sample") }
    : { kind: "no-metrics", problems: problems.slice(0, MAX_PROBLEMS) };
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
