import { Gauge, Registry } from "prom-client";
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
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** @param value of a gauge without labels, or its samples. */
type AddGauge = (name: string, help: string, value: number | readonly Sample[]) => void;

/**
 * A run as metrics, in the text format that node_exporter reads from a file. A failed run leaves the file of the run before, so
 * the age of `status_snapshot_updated_timestamp_seconds` shows it. Source: docs/operations.md, "Metrics of a run".
 */
export function renderRunMetrics(view: RunView, time: RunTime): Promise<string> {
  const registry = new Registry();
  const addGauge: AddGauge = (name, help, value) => {
    const samples = typeof value === "number" ? [{ labels: {}, value }] : value;
    const labelNames = Object.keys(samples[0]?.labels ?? {});
    const fullName = `status_snapshot_${name}`;
    const gauge = new Gauge({ name: fullName, help, labelNames, registers: [registry] });
    for (const one of samples) gauge.set(one.labels, one.value);
  };
  addTime(addGauge, view, time);
  addServices(addGauge, view);
  addWork(addGauge, view);
  addEngine(addGauge, view);
  return registry.metrics();
}

/** A sample for each count, whose name is the value of the label. */
function countsBy(
  label: string,
  counts: Readonly<Record<string, number>>,
  others: Sample["labels"] = {},
): readonly Sample[] {
  return Object.entries(counts).map(([name, value]) => ({
    labels: { ...others, [label]: name },
    value,
  }));
}

function addTime(addGauge: AddGauge, { snapshot, kind }: RunView, time: RunTime): void {
  const build = countsBy("version", { [time.version]: 1 });
  addGauge("build_info", "The version with its commit.", build);
  const updatedS = snapshot.updatedAtMs / 1000;
  addGauge("updated_timestamp_seconds", "Time of the published data, as in `updated`.", updatedS);
  const endedS = time.endedAtMs / 1000;
  addGauge("run_end_timestamp_seconds", "When the last run that published ended.", endedS);
  addGauge("run_duration_seconds", "How long it took.", time.durationMs / 1000);
  addGauge(
    "run_valid",
    "1 when it measured; 0 when the runner was offline, or nothing was due.",
    kind === "valid" ? 1 : 0,
  );
}

function addServices(addGauge: AddGauge, { snapshot, held, leftOut, checks }: RunView): void {
  const inColor = (color: Color): number =>
    snapshot.services.filter(({ verdict }) => verdict.color === color).length;
  const byColor = COLORS.map((color) => ({ labels: { color }, value: inColor(color) }));
  addGauge("services", "Services by the colour of their verdict.", byColor);
  addGauge("failures_held", "Services with a failure that is not confirmed yet.", held.length);
  const endpoints = "Endpoints that do not count: they never or hardly ever worked.";
  addGauge("endpoints_left_out", endpoints, leftOut.length);
  if (checks === undefined) return;
  addGauge("monitors", "Monitors by how their check ended.", countsBy("verdict", checks));
}

/** Of the newest run: a sum over runs is what the database of the metrics is for. */
function addEngine(addGauge: AddGauge, { engine }: RunView): void {
  if (engine === undefined) return;
  const { batches, answered, redelivered, returned, dropped } = engine;
  addGauge(
    "engine_batches",
    "Batches of monitors by what became of them; a batch can be in several.",
    countsBy("result", { sent: batches, answered, redelivered, returned, dropped }),
  );
  const lagS = engine.lagMs / 1000;
  addGauge("engine_lag_seconds", "Longest time that a batch waited for a worker.", lagS);
  const durationS = engine.durationMs / 1000;
  addGauge("engine_duration_seconds", "From the first batch to the last answer.", durationS);
}

function addWork(addGauge: AddGauge, { published, requests }: RunView): void {
  const { written, unchanged, removed } = published;
  addGauge(
    "objects",
    "Objects of the public store, by what the run did with them.",
    countsBy("change", { written, unchanged, removed }),
  );
  addGauge("store_requests", "Requests that the run sent to a store.", [
    ...countsBy("operation", requests.public, { store: "public" }),
    ...countsBy("operation", requests.state, { store: "state" }),
  ]);
}
