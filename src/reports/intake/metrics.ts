import { Hono } from "hono";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import {
  type AnswerFault,
  CONNECTION_CUTS,
  type ConnectionCut,
  type RequestFault,
} from "../../model/connections.ts";
import { FRESH_MS, SECOND_MS } from "../../model/time.ts";
import type { PersistResult, PersistedIn, WriteRecord } from "./report-writer.ts";
import type { JournalSize } from "./journal-files.ts";
import { answerFault, FAULT_REASONS, REPORT_REFUSALS, type RefusalReason } from "./responses.ts";

/** Around the 50 ms that an answer may take, and the second after which the journal takes over. */
const LATENCY_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const BATCH_BOUNDS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000];

const PLACES = ["inbox", "journal"] as const satisfies readonly PersistedIn[];

/** How an intake is at the moment. */
export interface SignsOfLife {
  readonly state: PersistResult;
  readonly journal: JournalSize;
  /** Time since the last publish that succeeded. */
  readonly sincePublishMs: number;
}

/** Counts of one intake since it was opened. No label or value identifies a person or a network. The counting functions never throw. */
export function createIntakeMetrics() {
  const registry = new Registry();
  const { accepted, refused, failed, replayed, cut } = createCounters(registry);
  const { openConnections, maxConnections, setState } = createGauges(registry);
  const { latency, batches } = createHistograms(registry);
  const all = Registry.merge([registry, processMetrics()]);
  const countRefused = (reason: RefusalReason): void => refused.inc({ reason });
  return {
    countAccepted: (reports: number, kept: PersistedIn): void => accepted.inc({ kept }, reports),
    countRefused,
    connections: {
      onOpen: (connections: number, limit: number): void => {
        openConnections.set(connections);
        maxConnections.set(limit);
      },
      onCut: (reason: ConnectionCut): void => cut.inc({ reason }),
      onFault: (fault: RequestFault): void => {
        const reason = FAULT_REASONS[fault];
        if (reason !== undefined) countRefused(reason);
      },
    },
    countReplayed: (reports: number): void => replayed.inc(reports),
    countWrite: ({ to, reports, durationMs, hasFailed }: WriteRecord): void => {
      if (hasFailed) failed.inc({ to });
      batches.observe(reports);
      latency.observe({ to }, durationMs / SECOND_MS);
    },
    /** The text format of Prometheus, with the figures of the process. */
    render: (signs: SignsOfLife): Promise<string> => {
      setState(signs);
      return all.metrics();
    },
  };
}

const nameOf = (name: string): string => `status_snapshot_intake_${name}`;

/** Every label value is present from the start, at 0. */
function createCounters(registry: Registry) {
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name: nameOf(name), help, labelNames, registers: [registry] });
  const accepted = counter("accepted_total", "Reports accepted, by where they were kept.", "kept");
  const refused = counter("refused_total", "Requests refused, by reason.", "reason");
  const failed = counter("failed_writes_total", "Writes that failed or came too late.", "to");
  const replayed = counter("replayed_total", "Reports of the journal that reached the inbox.");
  const cut = counter("cut_connections_total", "Connections closed early, by reason.", "reason");
  for (const reason of Object.keys(REPORT_REFUSALS)) refused.inc({ reason }, 0);
  for (const place of PLACES) {
    accepted.inc({ kept: place }, 0);
    failed.inc({ to: place }, 0);
  }
  for (const reason of CONNECTION_CUTS) cut.inc({ reason }, 0);
  return { accepted, refused, failed, replayed, cut };
}

function createGauges(registry: Registry) {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: nameOf(name), help, registers: [registry] });
  const journalReports = gauge("journal_reports", "Reports in the journal.");
  const journalBytes = gauge("journal_bytes", "Bytes in the journal.");
  const up = gauge("up", "1 while reports can be kept.");
  const inboxUp = gauge("inbox_up", "1 while the inbox takes reports.");
  const publishAge = gauge(
    "publish_age_seconds",
    "Time since the last publish that succeeded, or since the start.",
  );
  return {
    openConnections: gauge("connections", "Connections that are open."),
    maxConnections: gauge("connections_limit", "Connections that may be open."),
    setState: ({ state, journal, sincePublishMs }: SignsOfLife): void => {
      journalReports.set(journal.reports);
      journalBytes.set(journal.bytes);
      publishAge.set(sincePublishMs / SECOND_MS);
      up.set(state === "refused" ? 0 : 1);
      inboxUp.set(state === "inbox" ? 1 : 0);
    },
  };
}

function createHistograms(registry: Registry) {
  const latency = new Histogram({
    name: nameOf("write_seconds"),
    help: "Time that a write of reports took.",
    labelNames: ["to"],
    buckets: LATENCY_BOUNDS_S,
    registers: [registry],
  });
  for (const to of PLACES) latency.zero({ to });
  const batches = new Histogram({
    name: nameOf("batch_reports"),
    help: "Reports in one write.",
    buckets: BATCH_BOUNDS,
    registers: [registry],
  });
  return { latency, batches };
}

let ofProcess: Registry | undefined;

/**
 * Figures of this process and its event loop (`process_*`, `nodejs_*`). There is one registry for the process, because prom-client
 * cannot end its collectors: one for each intake would leave a timer and an observer behind when that intake closes. Neither keeps
 * the process alive.
 */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** Of every response of the operations port. */
export const OPERATIONS_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Routes of the operations port, which is not public. `GET /healthz`: 200 while reports can be kept, also in the journal, and are
 * published; 503 while they are refused, or nothing was published for 15 minutes, when readers find old data too. `GET /metrics`: the
 * text format of Prometheus.
 */
export function createOperations(
  signs: () => SignsOfLife,
  renderMetrics: () => Promise<string>,
): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(OPERATIONS_HEADERS)) context.header(name, value);
  });
  app.get("/healthz", (context) => {
    const { state, journal, sincePublishMs } = signs();
    return context.json(
      {
        keeping: state,
        journalReports: journal.reports,
        journalBytes: journal.bytes,
        secondsSincePublish: Math.round(sincePublishMs / SECOND_MS),
      },
      state === "refused" || sincePublishMs > FRESH_MS ? 503 : 200,
    );
  });
  app.get("/metrics", async (context) =>
    context.body(await renderMetrics(), 200, { "Content-Type": Registry.PROMETHEUS_CONTENT_TYPE }),
  );
  app.all("/healthz", refuseMethod);
  app.all("/metrics", refuseMethod);
  app.notFound((context) => context.json({ error: "not found" }, 404));
  return app;
}

/** The response to a request that the server could not pass to these routes. */
export const answerOperationsFault: AnswerFault = (fault) =>
  fault === "unknown-method" ? refuseMethod() : answerFault(fault);

function refuseMethod(): Response {
  return Response.json(
    { error: "method not allowed" },
    { status: 405, headers: { Allow: "GET, HEAD", ...OPERATIONS_HEADERS } },
  );
}
