import perf_hooks from "node:perf_hooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { send } from "../../http-server/raw-http.ts";
import { makeFolder, startHarness, until } from "./harness.ts";

const QUICK = { retryDelaysMs: [10, 20] as const };

async function metricsOf(url: string): Promise<ReadonlyMap<string, number>> {
  const { body } = await send(url, "GET", "/metrics");
  const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(" ");
      return [
        line.slice(0, space).replace("status_snapshot_intake_", ""),
        Number(line.slice(space)),
      ];
    }),
  );
}

test("it is healthy while reports can be kept, also in the journal", async () => {
  const harness = await startHarness({
    journal: { folder: makeFolder(), maxBytes: 250 },
    writer: QUICK,
  });
  const health = () => send(harness.operationsUrl, "GET", "/healthz");
  expect(await health()).toMatchObject({
    status: 200,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
    body: '{"keeping":"inbox","journalReports":0,"journalBytes":0,"secondsSincePublish":0}',
  });
  harness.inbox.mode = "failing";
  expect(await harness.post("/report/sberbank")).toMatchObject({ status: 202 });
  expect(await health()).toMatchObject({ status: 200 });
  expect((await health()).body).toContain('"keeping":"journal","journalReports":1,');
  let answer = await harness.post("/report/sberbank");
  while (answer.status === 202) answer = await harness.post("/report/sberbank");
  expect(answer).toMatchObject({ status: 503, body: '{"error":"temporarily unavailable"}' });
  expect(answer.headers["retry-after"]).toBe("5");
  expect(await health()).toMatchObject({ status: 503 });
  harness.inbox.mode = "up";
  await until(() => harness.intake.state() === "inbox");
  expect(await health()).toMatchObject({ status: 200 });
  expect(await harness.post("/report/sberbank")).toMatchObject({ status: 202 });
});

test("it is not healthy once nothing was published for 15 minutes", async () => {
  let sincePublishMs = 900_000;
  const harness = await startHarness({ sincePublishMs: () => sincePublishMs });
  const health = () => send(harness.operationsUrl, "GET", "/healthz");
  expect(await health()).toMatchObject({ status: 200 });
  sincePublishMs += 1_000;
  const { status, body } = await health();
  expect([status, JSON.parse(body)]).toMatchObject([503, { secondsSincePublish: 901 }]);
  expect((await metricsOf(harness.operationsUrl)).get("publish_age_seconds")).toBe(901);
});

test("metrics count accepted, refused, written and replayed reports", async () => {
  const harness = await startHarness({ journal: { folder: makeFolder() }, writer: QUICK });
  await harness.post("/report/sberbank");
  await harness.post("/report/nobody");
  await harness.post("/report/sberbank", "{", { "Content-Type": "application/json" });
  harness.inbox.mode = "failing";
  await harness.post("/report/yandex-go");
  const metrics = await metricsOf(harness.operationsUrl);
  expect(Object.fromEntries(metrics)).toMatchObject({
    'accepted_total{kept="inbox"}': 1,
    'accepted_total{kept="journal"}': 1,
    'refused_total{reason="unknown-service"}': 1,
    'refused_total{reason="malformed"}': 1,
    'refused_total{reason="flood"}': 0,
    'failed_writes_total{to="inbox"}': 1,
    journal_reports: 1,
    up: 1,
    inbox_up: 0,
    'write_seconds_bucket{le="+Inf",to="inbox"}': 2,
    'write_seconds_count{to="journal"}': 1,
    'batch_reports_bucket{le="1"}': 3,
    batch_reports_sum: 3,
  });
  harness.inbox.mode = "up";
  await until(() => harness.intake.state() === "inbox");
  await until(() => harness.inbox.reports().length === 2);
  // Counted after its file is removed, shortly after the object was written.
  const replayed = async () => (await metricsOf(harness.operationsUrl)).get("replayed_total");
  await expect.poll(replayed).toBe(1);
});

test("metrics are in the text format of Prometheus", async () => {
  const harness = await startHarness();
  const { headers, body } = await send(harness.operationsUrl, "GET", "/metrics");
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(body.endsWith("\n")).toBe(true);
  for (const line of body.split("\n").filter((each) => each !== "")) {
    expect(line).toMatch(
      /^(?:# HELP [a-z\d_]+ .+|# TYPE [a-z\d_]+ (?:counter|gauge|histogram)|[a-z\d_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? (?:[\d.e+-]+|Nan))$/,
    );
  }
});

test("metrics include the process and its event loop, from one set of collectors", async () => {
  const monitor = vi.spyOn(perf_hooks, "monitorEventLoopDelay");
  onTestFinished(() => monitor.mockRestore());
  const harnesses = [await startHarness(), await startHarness()];
  for (const { operationsUrl } of harnesses) {
    const metrics = await metricsOf(operationsUrl);
    expect(metrics.get("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
    expect(metrics.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
    expect(metrics.get('accepted_total{kept="inbox"}')).toBe(0);
  }
  expect(monitor.mock.calls.length).toBeLessThanOrEqual(1);
});

test("there are no other paths, and only GET is allowed", async () => {
  const harness = await startHarness();
  const post = await send(harness.operationsUrl, "POST", "/metrics");
  expect(post).toMatchObject({ status: 405, body: '{"error":"method not allowed"}' });
  expect(post.headers).toMatchObject({ allow: "GET, HEAD", "cache-control": "no-store" });
  expect(await send(harness.operationsUrl, "HEAD", "/healthz")).toMatchObject({ status: 200 });
  expect(await send(harness.operationsUrl, "POST", "/report/sberbank")).toMatchObject({
    status: 404,
  });
  expect(await send(harness.url, "GET", "/metrics")).toMatchObject({ status: 404 });
});
