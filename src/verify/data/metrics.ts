import { isCount, isUnixSeconds } from "../api/schema.ts";
import { readMetrics, type Sample } from "./parse-metrics.ts";
import { COLOR_BY_CODE, SLUG } from "../api/specification.ts";

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
    ...findValueProblems(of("reports_hour"), isCount),
    ...findValueProblems(times, isUnixSeconds),
    ...findVerdictProblems(verdicts, of("reports_hour")),
    ...(times.length === 1
      ? []
      : [`${PREFIX}updated_timestamp_seconds has ${times.length} values`]),
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
    SLUG.test(serviceOf(sample));
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
  const all = [...COLOR_BY_CODE.keys()].toSorted().join();
  return [
    ...[...byService].flatMap(([service, samples]) => {
      const on = samples.filter(({ value }) => value === 1).length;
      const isWhole = samples.map(codeOf).toSorted().join() === all;
      return [
        ...(isWhole ? [] : [`${service} has not one value for each code`]),
        ...(on === 1 ? [] : [`${on} codes of ${service} are 1`]),
        ...(counted.has(service) ? [] : [`${service} has no ${PREFIX}reports_hour`]),
      ];
    }),
    ...(byService.size === 0 ? [`there is no ${PREFIX}verdict`] : []),
  ];
}
