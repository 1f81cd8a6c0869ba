import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFront } from "../../src/preview/front.ts";
import { MINUTE_MS } from "../../src/model/time.ts";
import { failed, ok } from "../model/samples.ts";
import { PATIENCE_MS } from "../patience.ts";
import { NOON_MS, startRun, urlOf } from "../pipeline/run-harness.ts";
import { listenPreview } from "../preview/listen-preview.ts";
import { freshStores } from "../publish/writers.ts";

/* The metrics of real runs, read by Debian's Prometheus and checked by its promtool. */

async function openMetrics() {
  const stores = freshStores();
  let minute = 0;
  const run = async (down: readonly string[]): Promise<void> => {
    const outcomeOf = (url: string) =>
      down.some((slug) => url === urlOf(slug)) ? failed("tcp-timeout") : ok();
    await startRun(stores, { startMs: NOON_MS + (minute += 5) * MINUTE_MS, outcomeOf }).result;
  };
  await run([]);
  const front = createFront(stores.publicStore);
  const server = await listenPreview(front.fetch, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  return { run, url: server.url };
}

test("promtool finds nothing to say about the metrics", async () => {
  const { url } = await openMetrics();
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(await checkMetrics(metrics)).toEqual([0, ""]);
  expect(await checkMetrics("# TYPE requests counter\nrequests 1\n")).toEqual([
    3,
    expect.stringContaining("requests"),
  ]);
});

/** The exit code of `promtool check metrics`, and what it says. */
async function checkMetrics(metrics: string): Promise<readonly [number | null, string]> {
  const child = execFile("promtool", ["check", "metrics"]);
  let said = "";
  child.stdout?.on("data", (chunk: string) => (said += chunk));
  child.stderr?.on("data", (chunk: string) => (said += chunk));
  child.stdin?.end(metrics);
  await once(child, "close");
  return [child.exitCode, said];
}

test("Prometheus scrapes the metrics as OpenMetrics, and stores a failure and its end", async () => {
  const { run, url } = await openMetrics();
  const ask = await startPrometheus(new URL(url).host);
  const up = () => ask("query?query=status_snapshot_up").then(({ data }) => toValues(data.result));
  const patiently = { timeout: PATIENCE_MS, interval: 200 };
  await expect.poll(up, patiently).toEqual({ alpha: 1, beta: 1 });
  await run(["alpha"]);
  await expect.poll(up, patiently).toEqual({ alpha: 0, beta: 1 });
  const verdicts = await ask("query?query=status_snapshot_verdict%20==%201");
  expect(verdicts.data.result).toMatchObject([
    { metric: { service: "alpha", code: "fail" } },
    { metric: { service: "beta", code: "ok" } },
  ]);
  await run([]);
  await expect.poll(up, patiently).toEqual({ alpha: 1, beta: 1 });
  const past = await ask('query?query=min_over_time(status_snapshot_up{service="alpha"}[1h])');
  expect(toValues(past.data.result)).toEqual({ alpha: 0 });
  const [described] = (await ask("metadata?metric=status_snapshot_updated_timestamp_seconds")).data
    .status_snapshot_updated_timestamp_seconds;
  // A unit is known of OpenMetrics only.
  expect(described).toMatchObject({ type: "gauge", unit: "seconds" });
  const { data } = await ask("targets");
  expect(data.activeTargets).toMatchObject([{ health: "up", lastError: "" }]);
});

/** Starts Prometheus with one target. Resolves with what asks its API. */
async function startPrometheus(target: string) {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-prometheus-"));
  const config = {
    global: { scrape_interval: "1s" },
    scrape_configs: [{ job_name: "status", static_configs: [{ targets: [target] }] }],
  };
  await writeFile(join(folder, "prometheus.yml"), JSON.stringify(config));
  const child = spawn("prometheus", [
    `--config.file=${join(folder, "prometheus.yml")}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    "--web.listen-address=127.0.0.1:0",
  ]);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null) await once(child, "close");
    await rm(folder, { recursive: true, force: true });
  });
  const port = await listeningPort(child.stderr);
  return async (path: string) =>
    JSON.parse(await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).text());
}

/** The port in the line of the log that names it. The log is read on, because Prometheus ends when its pipe is closed. */
function listeningPort(log: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    log.on("data", (chunk) => {
      said += String(chunk);
      const [, port] = /Listening on.*127\.0\.0\.1:(\d+)/u.exec(said) ?? [];
      if (port !== undefined) resolve(port);
    });
    log.on("end", () => reject(new Error(`Prometheus did not start: ${said}`)));
  });
}

interface QueryResult {
  readonly metric: { readonly service: string };
  readonly value: readonly [number, string];
}

function toValues(results: readonly QueryResult[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    results.map(({ metric, value }) => [metric.service, Number(value[1])] as const),
  );
}
