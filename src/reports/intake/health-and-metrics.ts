import { Hono } from "hono";
import { Registry } from "prom-client";
import { FRESH_MS, SECOND_MS } from "../../model/time.ts";
import type { AnswerFault } from "../../model/connections.ts";
import { answerFault } from "./responses.ts";
import type { SignsOfLife } from "./metrics.ts";

const COMMON_HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

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
    for (const [name, value] of Object.entries(COMMON_HEADERS)) context.header(name, value);
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
    context.body(await renderMetrics(), 200, {
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
