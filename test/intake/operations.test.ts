import { expect, test } from "vitest";
import { send } from "../serve/raw-http.ts";
import { makeFolder, startLab, until } from "./lab.ts";

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

test("healthy while reports can be kept, in the journal as well", async () => {
  const lab = await startLab({ journal: { folder: makeFolder(), maxBytes: 250 }, keeper: QUICK });
  const health = () => send(lab.operationsUrl, "GET", "/healthz");
  expect(await health()).toMatchObject({
    status: 200,
    body: '{"keeping":"inbox","journalReports":0,"journalBytes":0}',
  });
  lab.inbox.mood = "failing";
  expect(await lab.post("/report/sberbank")).toMatchObject({ status: 202 });
  expect(await health()).toMatchObject({ status: 200 });
  expect((await health()).body).toContain('"keeping":"journal","journalReports":1,');
  let answer = await lab.post("/report/sberbank");
  while (answer.status === 202) answer = await lab.post("/report/sberbank");
  expect(answer).toMatchObject({ status: 503, body: '{"error":"temporarily unavailable"}' });
  expect(answer.headers["retry-after"]).toBe("5");
  expect(await health()).toMatchObject({ status: 503 });
  lab.inbox.mood = "well";
  await until(() => lab.intake.state() === "inbox");
  expect(await health()).toMatchObject({ status: 200 });
  expect(await lab.post("/report/sberbank")).toMatchObject({ status: 202 });
});

test("metrics count what was accepted, refused, written and replayed", async () => {
  const lab = await startLab({ journal: { folder: makeFolder() }, keeper: QUICK });
  await lab.post("/report/sberbank");
  await lab.post("/report/nobody");
  await lab.post("/report/sberbank", "{", { "Content-Type": "application/json" });
  lab.inbox.mood = "failing";
  await lab.post("/report/yandex-go");
  const metrics = await metricsOf(lab.operationsUrl);
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
    'write_seconds_bucket{to="inbox",le="+Inf"}': 2,
    'write_seconds_count{to="journal"}': 1,
    'batch_reports_bucket{le="1"}': 3,
    batch_reports_sum: 3,
  });
  lab.inbox.mood = "well";
  await until(() => lab.intake.state() === "inbox");
  await until(() => lab.inbox.reports().length === 2);
  // Counted when its file is gone, a moment after the object was written.
  const replayed = async () => (await metricsOf(lab.operationsUrl)).get("replayed_total");
  await expect.poll(replayed).toBe(1);
});

test("metrics are in the text format of Prometheus", async () => {
  const lab = await startLab();
  const { headers, body } = await send(lab.operationsUrl, "GET", "/metrics");
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(body.endsWith("\n")).toBe(true);
  for (const line of body.trimEnd().split("\n")) {
    expect(line).toMatch(
      /^(?:# HELP [a-z_]+ .+|# TYPE [a-z_]+ (?:counter|gauge|histogram)|[a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? [\d.e+-]+)$/,
    );
  }
});

test("nothing else is there, and only GET", async () => {
  const lab = await startLab();
  const post = await send(lab.operationsUrl, "POST", "/metrics");
  expect(post).toMatchObject({ status: 405, body: '{"error":"method not allowed"}' });
  expect(post.headers).toMatchObject({ allow: "GET, HEAD", "cache-control": "no-store" });
  expect(await send(lab.operationsUrl, "HEAD", "/healthz")).toMatchObject({ status: 200 });
  expect(await send(lab.operationsUrl, "POST", "/report/sberbank")).toMatchObject({ status: 404 });
  expect(await send(lab.url, "GET", "/metrics")).toMatchObject({ status: 404 });
});
