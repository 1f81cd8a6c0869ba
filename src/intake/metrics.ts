import type { ConnectionObserver } from "../model/connections.ts";
import { SECOND_MS } from "../model/time.ts";
import { REFUSALS, type RefusalReason } from "./answers.ts";
import { createConnectionMetrics } from "./connection-metrics.ts";
import { add, counter, gauge, named } from "./families.ts";
import type { KeepResult, KeptIn, WriteRecord } from "./keeper.ts";
import { createHistogram, renderMetrics } from "../model/prometheus.ts";
import type { JournalSize } from "./segment-writer.ts";

/** Around the 50 ms that an answer may take, and the second after which the journal takes over. */
const LATENCY_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const BATCH_BOUNDS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000];

const PLACES = ["inbox", "journal"] as const satisfies readonly KeptIn[];

/** What the intake counts since it was started. Nothing in it leads to a person or a network. */
export interface IntakeMetrics {
  readonly countAccepted: (reports: number, keptIn: KeptIn) => void;
  readonly countRefused: (reason: RefusalReason) => void;
  readonly countReplayed: (reports: number) => void;
  readonly countWrite: (record: WriteRecord) => void;
  readonly connections: ConnectionObserver;
  /** The text for Prometheus. */
  readonly render: (state: KeepResult, journal: JournalSize) => string;
}

/** Never throws. */
export function createIntakeMetrics(): IntakeMetrics {
  const accepted = new Map<string, number>(PLACES.map((place) => [place, 0]));
  const refused = new Map<string, number>(Object.keys(REFUSALS).map((reason) => [reason, 0]));
  const failed = new Map<string, number>(PLACES.map((place) => [place, 0]));
  const latencies = PLACES.map((place) => [place, createHistogram(LATENCY_BOUNDS_S)] as const);
  const batches = createHistogram(BATCH_BOUNDS);
  let replayed = 0;
  const countRefused = (reason: RefusalReason): void => add(refused, reason, 1);
  const connections = createConnectionMetrics(countRefused);
  return {
    countAccepted: (reports, keptIn) => add(accepted, keptIn, reports),
    countRefused,
    connections: connections.observer,
    countReplayed: (reports) => void (replayed += reports),
    countWrite: ({ to, reports, durationMs, hasFailed }) => {
      if (hasFailed) add(failed, to, 1);
      batches.observe(reports);
      const [, latency] = latencies.find(([place]) => place === to) ?? [];
      latency?.observe(durationMs / SECOND_MS);
    },
    render: (state, journal) =>
      renderMetrics([
        counter("accepted_total", "Reports accepted, by where they were kept.", "kept", accepted),
        counter("refused_total", "Requests refused, by reason.", "reason", refused),
        counter("failed_writes_total", "Writes that failed or came too late.", "to", failed),
        {
          ...named("replayed_total", "Reports of the journal that reached the inbox."),
          type: "counter",
          samples: [{ value: replayed }],
        },
        ...connections.families(),
        gauge("journal_reports", "Reports in the journal.", journal.reports),
        gauge("journal_bytes", "Bytes in the journal.", journal.bytes),
        gauge("up", "1 while reports can be kept.", state === "refused" ? 0 : 1),
        gauge("inbox_up", "1 while the inbox takes reports.", state === "inbox" ? 1 : 0),
        {
          ...named("write_seconds", "Time that a write of reports took."),
          type: "histogram",
          samples: latencies.flatMap(([to, latency]) => latency.samples({ to })),
        },
        {
          ...named("batch_reports", "Reports in one write."),
          type: "histogram",
          samples: batches.samples(),
        },
      ]),
  };
}
