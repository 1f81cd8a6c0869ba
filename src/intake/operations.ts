import { Hono } from "hono";
import type { AnswerFault } from "../model/connections.ts";
import { answerFault } from "./answers.ts";
import type { KeepResult } from "./keeper.ts";
import { METRICS_TYPE } from "../model/prometheus.ts";
import type { JournalSize } from "./segment-writer.ts";

const COMMON_HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

export interface OperationsDependencies {
  readonly state: () => KeepResult;
  readonly journalSize: () => JournalSize;
  readonly renderMetrics: () => string;
}

/**
 * What operators ask, on a port that is not public. `GET /healthz`: 200 while reports can be kept, in the journal as well, and
 * 503 while they are refused. `GET /metrics`: text for Prometheus.
 */
export function createOperations(dependencies: OperationsDependencies): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(COMMON_HEADERS)) context.header(name, value);
  });
  app.get("/healthz", (context) => {
    const state = dependencies.state();
    const { reports, bytes } = dependencies.journalSize();
    return context.json(
      { keeping: state, journalReports: reports, journalBytes: bytes },
      state === "refused" ? 503 : 200,
    );
  });
  app.get("/metrics", (context) =>
    context.body(dependencies.renderMetrics(), 200, { "Content-Type": METRICS_TYPE }),
  );
  app.all("/healthz", refuseMethod);
  app.all("/metrics", refuseMethod);
  app.notFound((context) => context.json({ error: "not found" }, 404));
  return app;
}

/** The answer to a request that could not be handed to the operations. */
export const answerOperationsFault: AnswerFault = (fault) =>
  fault === "unknown-method" ? refuseMethod() : answerFault(fault);

function refuseMethod(): Response {
  return Response.json(
    { error: "method not allowed" },
    { status: 405, headers: { Allow: "GET, HEAD", ...COMMON_HEADERS } },
  );
}
