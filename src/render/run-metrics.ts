import { type Family, renderMetrics, type Sample } from "../model/prometheus.ts";
import type { StoreOperation } from "../model/store.ts";
import type { Color } from "../model/verdict.ts";
import type { RunView } from "./run-table.ts";

const COLORS = ["ok", "warn", "bad", "none"] as const satisfies readonly Color[];

/** When a run was, on the runner's clock. */
export interface RunTime {
  readonly endedAtMs: number;
  readonly durationMs: number;
}

/**
 * A run as metrics, in the text format that node_exporter reads from a file. A run that fails leaves the file of the one before: the
 * age of `status_snapshot_updated_timestamp_seconds` tells of it, and of a runner that is gone. Source: docs/operating.md, "Metrics of a run".
 */
export function renderRunMetrics(view: RunView, time: RunTime): string {
  return renderMetrics([
    ...describeTime(view, time),
    ...describeServices(view),
    ...describeWork(view),
  ]);
}

function describeTime({ snapshot, kind }: RunView, time: RunTime): readonly Family[] {
  return [
    gauge(
      "updated_timestamp_seconds",
      "Time of the data that is published, as `updated` says it.",
      [{ value: snapshot.updatedAtMs / 1000 }],
    ),
    gauge("run_end_timestamp_seconds", "When the last run that published ended.", [
      { value: time.endedAtMs / 1000 },
    ]),
    gauge("run_duration_seconds", "How long it took.", [{ value: time.durationMs / 1000 }]),
    gauge("run_valid", "1 when it measured; 0 when the runner was offline, or nothing was due.", [
      { value: kind === "valid" ? 1 : 0 },
    ]),
  ];
}

function describeServices({ snapshot, held, leftOut, checks }: RunView): readonly Family[] {
  const inColor = (color: Color): number =>
    snapshot.services.filter(({ verdict }) => verdict.color === color).length;
  const byColor = COLORS.map((color) => ({ labels: { color }, value: inColor(color) }));
  const byVerdict = Object.entries(checks ?? {}).map(([verdict, value]) => ({
    labels: { verdict },
    value,
  }));
  return [
    gauge("services", "Services by the colour of their verdict.", byColor),
    gauge("failures_held", "Services with a failure that is not believed yet.", [
      { value: held.length },
    ]),
    gauge("endpoints_left_out", "Endpoints that do not count: they never or hardly ever worked.", [
      { value: leftOut.length },
    ]),
    // Where there are none, there is no such metric.
    ...(byVerdict.length === 0
      ? []
      : [gauge("monitors", "Monitors by how their check ended.", byVerdict)]),
  ];
}

function describeWork({ published, requests }: RunView): readonly Family[] {
  return [
    gauge("objects", "Objects of the public store, by what the run did with them.", [
      { labels: { change: "written" }, value: published.written },
      { labels: { change: "unchanged" }, value: published.unchanged },
      { labels: { change: "removed" }, value: published.removed },
    ]),
    gauge("store_requests", "Requests that the run sent to a store.", [
      ...requestSamples("public", requests.public),
      ...requestSamples("state", requests.state),
    ]),
  ];
}

function gauge(name: string, help: string, samples: readonly Sample[]): Family {
  return { name: `status_snapshot_${name}`, help, type: "gauge", samples };
}

function requestSamples(
  store: string,
  counts: Readonly<Record<StoreOperation, number>>,
): readonly Sample[] {
  return Object.entries(counts).map(([operation, value]) => ({
    labels: { store, operation },
    value,
  }));
}
