import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, inject, type TestContext, test } from "vitest";
import { type RunningIntake, startIntake } from "../cli/running-intake.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";
import { PATIENCE_MS } from "../patience.ts";
import { postHonestly, timesOf } from "./honest-posts.ts";
import { kindsOfPlaces, openReportHarness } from "./reports-harness.ts";
import { connectS3 } from "./s3-client.ts";
import { environmentOf } from "./s3-harness.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const cliFixture = useCliFixture();
const SCRIPT = fileURLToPath(new URL("dripping-script.ts", import.meta.url));
const DESCRIPTORS = 400;
const DRIPPING = 3_000;
/** Posts of honest clients before the attack, for comparison, and during it. */
const QUIET = 100;
const ATTACKED = 400;
const PATIENCE = { timeout: PATIENCE_MS, interval: 200 };

Object.assign(process.env, environmentOf(ceph));
afterAll(() => s3.destroy());

/** Starts the clients of `dripping-script.ts`. */
function startDripping(url: string, atEnd: TestContext["onTestFinished"]) {
  const { port } = new URL(url);
  const child = spawn(process.execPath, ["--import", "tsx", SCRIPT, port, String(DRIPPING)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  atEnd(() => void child.kill("SIGKILL"));
  const ended = once(child, "close");
  const said = text(child.stdout);
  return {
    stop: () => void child.stdin.write("stop\n"),
    end: async (): Promise<unknown> => {
      child.stdin.end();
      await ended;
      return JSON.parse(await said);
    },
  };
}

/** Polls the number of open descriptors of a process; the returned function stops and returns the maximum. */
function watchDescriptors(pid: number, atEnd: TestContext["onTestFinished"]): () => number {
  let most = 0;
  const look = async (): Promise<void> => {
    const open = await readdir(`/proc/${pid}/fd`).catch(() => []);
    most = Math.max(most, open.length);
  };
  const looking = setInterval(() => void look(), 25);
  atEnd(() => clearInterval(looking));
  return () => {
    clearInterval(looking);
    return most;
  };
}

async function metricsOf({ operationsUrl }: RunningIntake): Promise<(name: string) => number> {
  const answer = await fetch(`${operationsUrl}/metrics`);
  const lines = (await answer.text()).split("\n");
  return (name) => {
    const line = lines.find((one) => one.startsWith(`status_snapshot_intake_${name} `));
    if (line === undefined) throw new Error(`no metric ${name}`);
    return Number(line.slice(line.lastIndexOf(" ")));
  };
}

describe(`${DRIPPING} clients that never end a head, and ${DESCRIPTORS} descriptors`, () => {
  test.concurrent.for(kindsOfPlaces(ceph, s3))(
    "on %s: all honest reports are published, and slow clients are cut off",
    async ([name, toPlace], { onTestFinished }) => {
      const workspace = await cliFixture.workspace();
      const place = await toPlace(workspace);
      const harness = await openReportHarness(workspace, place);
      expect(await harness.refresh()).toMatchObject({ code: 0 });
      const stores = ["--store", place.storeUrl, "--state", place.stateUrl];
      const intake = await startIntake(
        ["--catalogue", "catalogue.json", "--set", "journal=journal", ...stores],
        { cwd: workspace.folder, env: place.env, descriptors: DESCRIPTORS },
      );
      onTestFinished(intake.kill);
      const limit = (await metricsOf(intake))("connections_limit");
      expect(limit).toBeLessThan(DESCRIPTORS);
      const quiet = await postHonestly(intake, 0, QUIET);
      const mostDescriptors = watchDescriptors(intake.pid, onTestFinished);
      const dripping = startDripping(intake.url, onTestFinished);
      const isFull = async (): Promise<boolean> =>
        (await metricsOf(intake))('cut_connections_total{reason="dropped"}') > DRIPPING;
      await expect.poll(isFull, PATIENCE).toBe(true);

      const attacked = await postHonestly(intake, QUIET, ATTACKED);
      const refused = [...quiet, ...attacked].filter(({ status }) => status !== 202);
      expect(refused).toEqual([]);
      const published = async () => (await harness.detail("alpha"))?.reportsDay;
      await expect.poll(published, PATIENCE).toBe(QUIET + ATTACKED);

      dripping.stop();
      const openNow = async (): Promise<number> => (await metricsOf(intake))("connections");
      await expect.poll(openNow, PATIENCE).toBe(0);
      const metrics = await metricsOf(intake);
      expect(metrics('cut_connections_total{reason="timed-out"}')).toBeGreaterThan(0);
      expect(metrics('cut_connections_total{reason="refused"}')).toBe(0);
      const descriptors = mostDescriptors();
      expect(descriptors).toBeLessThan(DESCRIPTORS);
      expect(descriptors).toBeGreaterThan(limit);
      const clients = await dripping.end();
      const figures = { limit, descriptors, clients };
      const times = { quietMs: timesOf(quiet), attackedMs: timesOf(attacked) };
      console.log(`${name}: ${JSON.stringify({ ...figures, ...times })}`);
      expect(await intake.stop()).toBe(0);
    },
  );
});
