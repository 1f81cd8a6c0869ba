import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, inject, type TestContext, test } from "vitest";
import { type RunningIntake, startIntake } from "../cli/running-intake.ts";
import { useTheatre } from "../cli/theatre.ts";
import { PATIENCE_MS } from "../patience.ts";
import { postHonestly, timesOf } from "./honest-posts.ts";
import { kindsOfPlaces, openReportLab } from "./reports-lab.ts";
import { connectS3 } from "./s3-client.ts";
import { environmentOf } from "./s3-lab.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const theatre = useTheatre();
const SCRIPT = fileURLToPath(new URL("dripping-script.ts", import.meta.url));
const DESCRIPTORS = 400;
const DRIPPING = 3_000;
/** Posts of honest clients while nobody drips, to compare with, and while all do. */
const QUIET = 100;
const ATTACKED = 400;
const PATIENCE = { timeout: PATIENCE_MS, interval: 200 };

Object.assign(process.env, environmentOf(ceph));
afterAll(() => s3.destroy());

/** The clients of `dripping-script.ts`. */
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

/** Looks at the open descriptors of a process again and again; the function ends that, and returns the most that were seen. */
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

describe(`${DRIPPING} clients that never end the head of a request, and ${DESCRIPTORS} descriptors, on both stores at once to save time`, () => {
  test.concurrent.for(kindsOfPlaces(ceph, s3))(
    "on %s: honest reports are all taken and published meanwhile, and the slow are gone soon after",
    async ([name, toPlace], { onTestFinished }) => {
      const stage = await theatre.stage();
      const place = await toPlace(stage);
      const lab = await openReportLab(stage, place);
      expect(await lab.refresh()).toMatchObject({ code: 0 });
      const stores = ["--store", place.storeUrl, "--state", place.stateUrl];
      const intake = await startIntake(
        ["--catalogue", "catalogue.json", "--journal", "journal", ...stores],
        { cwd: stage.folder, env: place.env, descriptors: DESCRIPTORS },
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
      const published = async () => (await lab.detail("alpha"))?.reportsDay;
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
