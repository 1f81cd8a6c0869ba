import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { expectDone } from "../system/results.ts";
import { isFull } from "../depth.ts";
import { useCliFixture } from "./cli-fixture.ts";

const cliFixture = useCliFixture(!isFull);
const RULES = new URL("../../deploy/prometheus-rules.yml", import.meta.url);

/** Values by name and labels. Throws for an invalid line. */
function readMetrics(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
  return new Map(
    lines.map((line) => {
      const [, name = "", value = ""] = /^([a-z_]+(?:\{[^}]*\})?) (\S+)$/u.exec(line) ?? [];
      if (!Number.isFinite(Number(value)) || name === "") throw new Error(line);
      return [name, Number(value)];
    }),
  );
}

test("a run writes its metrics to a file, and every alert uses one of them", async () => {
  const workspace = await cliFixture.workspace([{ slug: "alpha" }, { slug: "beta" }]);
  await workspace.set("beta", { kind: "page", status: 503 });
  const beforeMs = Date.now();
  expectDone(await workspace.run(["--set", "metricsFile=metrics/run.prom"]));
  const text = await readFile(join(workspace.folder, "metrics/run.prom"), "utf8");
  const metrics = readMetrics(text);
  expect(Object.fromEntries(metrics)).toMatchObject({
    status_snapshot_run_valid: 1,
    'status_snapshot_services{color="ok"}': 1,
    'status_snapshot_services{color="bad"}': 1,
    'status_snapshot_services{color="none"}': 0,
    'status_snapshot_objects{change="removed"}': 0,
    // The state, and the shards that a lost one may have left.
    'status_snapshot_store_requests{store="state",operation="read"}': 65,
  });
  const { updated } = await workspace.list();
  const updatedAt = metrics.get("status_snapshot_updated_timestamp_seconds") ?? 0;
  expect(Math.floor(updatedAt)).toBe(updated);
  const endedAt = metrics.get("status_snapshot_run_end_timestamp_seconds") ?? 0;
  expect(endedAt).toBeGreaterThanOrEqual(beforeMs / 1000);
  expect(await readdir(join(workspace.folder, "metrics"))).toEqual(["run.prom"]);

  const rules = parse(await readFile(RULES, "utf8")) as {
    readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
  };
  const named = rules.groups.flatMap((group) =>
    group.rules.flatMap(({ expr }) => expr.match(/status_snapshot_[a-z_]+/gu) ?? []),
  );
  expect(named.length).toBeGreaterThanOrEqual(4);
  // Those of an intake are its own: test/reports/intake/health-and-metrics.test.ts.
  const ofRuns = named.filter((name) => !name.startsWith("status_snapshot_intake_"));
  for (const name of ofRuns) expect(metrics.has(name) ? name : `${name} is not there`).toBe(name);
});

test("a file that cannot be written is a warning, and the run is still published", async () => {
  const workspace = await cliFixture.workspace([{ slug: "alpha" }]);
  await writeFile(join(workspace.folder, "taken"), "");
  const result = await workspace.run(["--set", "metricsFile=taken/run.prom"]);
  expectDone(result);
  expect(result.stderr).toContain("metricsFile taken/run.prom cannot be written");
  expect(await workspace.codes()).toEqual({ alpha: "ok" });
});
