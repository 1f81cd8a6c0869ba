import { Gauge, Registry } from "prom-client";
import type { StoreOperation } from "../../model/store.ts";
import type { Color } from "../../contract/codes/verdict.ts";
import type { RunView } from "./run-table.ts";

const COLORS = ["ok", "warn", "bad", "none"] as const satisfies readonly Color[];

/** The time of a run on the runner's clock, and who made it. */
export interface RunTime {
  readonly endedAtMs: number;
  readonly durationMs: number;
  /** The version of the program that made it. */
  readonly version: string;
}

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

type AddGauge = (name: string, help: string, samples: readonly Sample[]) => void;

/**
 * A run as metrics, in the text format that node_exporter reads from a file. A failed run leaves the file of the run before, so
 * the age of `status_snapshot_updated_timestamp_seconds` shows it. Source: docs/operations.md, "Metrics of a run".
 */
export function renderRunMetrics(view: RunView, time: RunTime): Promise<string> {
  const registry = new Registry();
  const addGauge: AddGauge = (name, help, samples) => {
    const labelNames = Object.keys(samples[0]?.labels ?? {});
    const fullName = `status_snapshot_${name}`;
    const gauge = new Gauge({ name: fullName, help, labelNames, registers: [registry] });
    for (const { labels = {}, value } of samples) gauge.set(labels, value);
  };
  addTime(addGauge, view, time);
  addServices(addGauge, view);
  addWork(addGauge, view);
  addEngine(addGauge, view);
  return registry.metrics();
}

function addTime(addGauge: AddGauge, { snapshot, kind }: RunView, time: RunTime): void {
  addGauge("build_info", "The version with its commit.", [
    { labels: { version: time.version }, value: 1 },
  ]);
  addGauge("updated_timestamp_seconds", "Time of the published data, as in `updated`.", [
    { value: snapshot.updatedAtMs / 1000 },
  ]);
  addGauge("run_end_timestamp_seconds", "When the last run that published ended.", [
    { value: time.endedAtMs / 1000 },
  ]);
  addGauge("run_duration_seconds", "How long it took.", [{ value: time.durationMs / 1000 }]);
  addGauge("run_valid", "1 when it measured; 0 when the runner was offline, or nothing was due.", [
    { value: kind === "valid" ? 1 : 0 },
  ]);
}

function addServices(addGauge: AddGauge, { snapshot, held, leftOut, checks }: RunView): void {
  const inColor = (color: Color): number =>
    snapshot.services.filter(({ verdict }) => verdict.color === color).length;
  const byColor = COLORS.map((color) => ({ labels: { color }, value: inColor(color) }));
  addGauge("services", "Services by the colour of their verdict.", byColor);
  addGauge("failures_held", "Services with a failure that is not confirmed yet.", [
    { value: held.length },
  ]);
  addGauge("endpoints_left_out", "Endpoints that do not count: they never or hardly ever worked.", [
    { value: leftOut.length },
  ]);
  if (checks === undefined) return;
  const byResult = Object.entries(checks).map(([verdict, value]) => ({
    labels: { verdict },
    value,
  }));
  addGauge("monitors", "Monitors by how their check ended.", byResult);
}

/** Of the newest run: a sum over runs is what the database of the metrics is for. */
function addEngine(addGauge: AddGauge, { engine }: RunView): void {
  if (engine === undefined) return;
  const { batches, answered, redelivered, returned, dropped } = engine;
  const kinds = { sent: batches, answered, redelivered, returned, dropped };
  addGauge(
    "engine_batches",
    "Batches of monitors by what became of them; a batch can be in several.",
    Object.entries(kinds).map(([result, value]) => ({ labels: { result }, value })),
  );
  addGauge("engine_lag_seconds", "Longest time that a batch waited for a worker.", [
    { value: engine.lagMs / 1000 },
  ]);
  addGauge("engine_duration_seconds", "From the first batch to the last answer.", [
    { value: engine.durationMs / 1000 },
  ]);
}

function addWork(addGauge: AddGauge, { published, requests }: RunView): void {
  addGauge("objects", "Objects of the public store, by what the run did with them.", [
    { labels: { change: "written" }, value: published.written },
    { labels: { change: "unchanged" }, value: published.unchanged },
    { labels: { change: "removed" }, value: published.removed },
  ]);
  addGauge("store_requests", "Requests that the run sent to a store.", [
    ...requestSamples("public", requests.public),
    ...requestSamples("state", requests.state),
  ]);
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
