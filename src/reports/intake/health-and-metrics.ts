import { Hono } from "hono";
import { Registry } from "prom-client";
import type { AnswerFault } from "../../model/connections.ts";
import { answerFault } from "./responses.ts";
import type { PersistResult } from "./durable-write.ts";
import type { JournalSize } from "./journal-segment.ts";

const COMMON_HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

export interface OperationsDependencies {
  readonly state: () => PersistResult;
  readonly journalSize: () => JournalSize;
  readonly renderMetrics: () => Promise<string>;
}

/**
 * Routes of the operations port, which is not public. `GET /healthz`: 200 while reports can be kept, also in the journal, and 503
 * while they are refused. `GET /metrics`: the text format of Prometheus.
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
  app.get("/metrics", async (context) =>
    context.body(await dependencies.renderMetrics(), 200, {
      "Content-Type": Registry.PROMETHEUS_CONTENT_TYPE,
    }),
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
    { status: 405, headers: { Allow: "GET, HEAD", ...COMMON_HEADERS } },
  );
}
