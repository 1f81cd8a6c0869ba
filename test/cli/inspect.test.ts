import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  startSimulatedInternet,
  type SimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import { problemsOf } from "./cli.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

const CATALOGUE = ["--catalogue", "catalogue.json"];

let internet: SimulatedInternet;
let one: Workspace;
let fresh: Workspace;

beforeAll(async () => {
  internet = await startSimulatedInternet();
  [one, fresh] = await Promise.all([
    openWorkspace(internet, undefined, true),
    openWorkspace(internet, undefined, true),
  ]);
  await one.run(["--at", "2026-11-01T12:00:00Z"]);
  await one.set("beta", { kind: "tls-reset" });
  await one.run(["--at", "2026-11-01T12:05:00Z", "--set", "confirm=0.1,0.2"]);
});
afterAll(async () => {
  await Promise.all([one.close(), fresh.close()]);
  await internet.close();
});

describe("explain", () => {
  test("shows evidence, attempts, the row that applied and those above it", async () => {
    const { code, stdout } = await one.program(["explain", "beta", ...CATALOGUE]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "Сервис beta (beta): fail, bad: outage: does not open, as of 2026-11-01T12:05:00Z",
    );
    expect(stdout).toContain(
      "try 3: the connection was reset while the secure connection (TLS) was being set up [tls-reset]",
    );
    // Only this name is reset on that address.
    expect(stdout).toContain("experiment: The same address answers under another name.");
    expect(stdout).toMatch(/row 4 \(restricted_fail\) did not fire: it needs confirmed evidence/u);
    expect(stdout).toMatch(/row 5 \(fail\) fired: checks that say "failing"/u);
    expect(stdout).toContain("live is true");
    expect(stdout).toContain("since is 2026-11-01T12:05:00Z");
  });

  test("of a healthy service names the last row, and has the same decision as JSON", async () => {
    const text = await one.cli(["explain", "gamma", ...CATALOGUE]);
    expect(text.stdout).toContain("row 16 (ok) fired: no row above did");
    const json = await one.cli(["explain", "gamma", ...CATALOGUE, "--json"]);
    const view = JSON.parse(json.stdout);
    expect(view.explanation.verdict).toMatchObject({ code: "ok", color: "ok", live: false });
    expect(view.explanation.fired).toMatchObject({ rowNumber: 16, rowId: "ok" });
    expect(view.evidence.endpoints).toHaveLength(1);
    expect(view.experiments).toEqual({});
  });

  test("--at explains another time, and an empty variable has no effect", async () => {
    const later = await one.cli(
      ["explain", "beta", ...CATALOGUE, "--at", "2026-11-01T15:20:01+03:00"],
      { STATUS_SNAPSHOT_JSON: "" },
    );
    expect(later.stdout).toContain("beta): none, none: no recent data");
  });

  test("of a service that was never probed says so, and what to do", async () => {
    const { code, stdout } = await fresh.cli(["explain", "beta", ...CATALOGUE]);
    expect(code).toBe(0);
    expect(stdout).toContain("run `status-snapshot run` with the same --state first");
    expect(stdout).toContain("since is null");
  });

  test("of an unknown service is exit 2, with a suggestion and every other problem", async () => {
    const result = await one.cli(["explain", "bet", ...CATALOGUE, "--at", "noon"]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(problemsOf(result.stderr)).toEqual([
      expect.stringMatching(/^--at noon: /u),
      "bet: the catalogue has no such service. Did you mean beta?",
    ]);
  });
});

describe("catalogue check", () => {
  test("prints a summary by category", async () => {
    const { code, stdout, stderr } = await one.cli(["catalogue", "check", "catalogue.json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^all +Все +3 +4 +0$/mu);
    expect(stdout).toContain(
      "catalogue.json is valid: 3 services, 4 domestic and 3 foreign anchors",
    );
    expect(stdout).toContain("warning: anchors: 7 of them; with 12 or more");
  });

  test("without a file checks that of STATUS_SNAPSHOT_CATALOGUE, or the shipped one", async () => {
    const named = await one.cli(["catalogue", "check"], {
      STATUS_SNAPSHOT_CATALOGUE: "catalogue.json",
    });
    expect(named.stdout).toContain("catalogue.json is valid: 3 services");
    const shipped = await one.cli(["catalogue", "check"]);
    expect(shipped.stdout).toContain("is valid: 85 services");
    expect(shipped.stdout).not.toContain("warning");
  });

  test("prints every problem with its position, one per line, as plain text", async () => {
    const text = await readFile(join(fresh.folder, "catalogue.json"), "utf8");
    await writeFile(
      join(fresh.folder, "bad.json"),
      text
        .replace('"slug": "beta"', '"slug": "Beta!"')
        .replace('"slug": "gamma"', '"slog": "gamma"'),
    );
    const { code, stdout, stderr } = await fresh.cli(["catalogue", "check", "bad.json"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const lines = stderr.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) expect(line).toMatch(/^bad\.json:\d+:\d+: /u);
    const missing = await fresh.cli(["catalogue", "check", "nowhere.yaml"]);
    expect(missing).toMatchObject({
      code: 2,
      stderr: "catalogue nowhere.yaml: the file does not exist.\n",
    });
  });
});
