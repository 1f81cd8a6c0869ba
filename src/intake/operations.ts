import { Hono } from "hono";
import type { KeepResult } from "./keeper.ts";
import { METRICS_TYPE } from "./prometheus.ts";
import type { JournalSize } from "./segment-writer.ts";

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
    context.header("Cache-Control", "no-store");
    context.header("X-Content-Type-Options", "nosniff");
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

function refuseMethod(): Response {
  return Response.json(
    { error: "method not allowed" },
    { status: 405, headers: { Allow: "GET, HEAD" } },
  );
}
