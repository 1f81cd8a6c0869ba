import { expect, onTestFinished, test } from "vitest";
import { exchange } from "../http-server/raw-http.ts";
import { servedAt } from "./cli.ts";
import { startIntake } from "./running-intake.ts";
import { useCliFixture } from "./cli-fixture.ts";

const cliFixture = useCliFixture();

const brew = (url: string, target: string) =>
  exchange(url, `BREW ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);

test("`serve` answers an unknown method as the part of the site that it was meant for", async () => {
  const workspace = await cliFixture.workspace();
  const serve = workspace.start(["serve", "--catalogue", "catalogue.json", "--port", "0"]);
  onTestFinished(() => void serve.child.kill("SIGKILL"));
  const url = await servedAt(serve);
  const page = await brew(url, "/api/v1/status");
  expect(page).toMatchObject({ status: 405, body: '{"error":"method not allowed"}' });
  expect(page.headers).toMatchObject({
    allow: "GET, HEAD, OPTIONS",
    "access-control-allow-origin": "*",
  });
  const report = await brew(url, "/report/alpha");
  expect(report).toMatchObject({ status: 405, body: '{"error":"method not allowed"}' });
  expect(report.headers["allow"]).toBe("POST, OPTIONS");
  expect(report.headers).not.toHaveProperty("access-control-allow-origin");
});

test("an intake limits connections by its descriptors, and counts refused and cut ones", async () => {
  const workspace = await cliFixture.workspace();
  const intake = await startIntake(["--catalogue", "catalogue.json"], {
    cwd: workspace.folder,
    descriptors: 200,
  });
  onTestFinished(intake.kill);
  expect(await brew(intake.url, "/report/alpha")).toMatchObject({ status: 405 });
  const metrics = await exchange(
    intake.operationsUrl,
    "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  );
  const counted = metrics.body.replaceAll("status_snapshot_intake_", "").split("\n");
  expect(counted).toContain("connections_limit 72");
  expect(counted).toContain('refused_total{reason="wrong-method"} 1');
  expect(counted).toContain('cut_connections_total{reason="refused-network"} 0');
});
