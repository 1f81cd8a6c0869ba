import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { addressOf, type Posted, startIntake } from "../cli/running-intake.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";
import { kindsOfPlaces, openReportHarness } from "./reports-harness.ts";
import { connectS3 } from "./s3-client.ts";
import { environmentOf } from "./s3-harness.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const cliFixture = useCliFixture();
const POSTS = 10_000;
const OTHERS = 60;
/** Threads that only use CPU time. */
const BURNERS = 2;

Object.assign(process.env, environmentOf(ceph));
afterAll(() => s3.destroy());

const CASES = kindsOfPlaces(ceph, s3).flatMap(([name, toPlace]) => [
  { name, toPlace, how: "with a journal", options: ["--set", "journal=journal"] },
  { name, toPlace, how: "without a journal", options: [] },
]);

/** Keeps all processors busy until the returned function is called. */
function makeBusy(): () => Promise<void> {
  const burners = Array.from({ length: BURNERS }, () => new Worker("for (;;);", { eval: true }));
  const end = async (): Promise<void> => {
    await Promise.all(burners.map((burner) => burner.terminate()));
  };
  onTestFinished(end);
  return end;
}

describe("a flood from one address on a busy machine", () => {
  test.for(CASES)(
    "on $name, $how: counts once, all others are accepted and counted",
    async ({ toPlace, options }) => {
      const workspace = await cliFixture.workspace();
      const place = await toPlace(workspace);
      const harness = await openReportHarness(workspace, place);
      expect(await harness.refresh()).toMatchObject({ code: 0 });
      const stores = ["--store", place.storeUrl, "--state", place.stateUrl];
      const intake = await startIntake(
        ["--catalogue", "catalogue.json", ...stores, "--set", "proxy=127.0.0.1", ...options],
        { cwd: workspace.folder, env: place.env },
      );
      const calmDown = makeBusy();
      const angry: Promise<Posted>[] = [];
      const others: Promise<Posted>[] = [];
      for (let number = 0; number < POSTS; number += 1) {
        angry.push(intake.post("alpha", { from: "198.51.100.7" }));
        if (number % Math.ceil(POSTS / OTHERS) !== 0) continue;
        const slug = others.length % 2 === 0 ? "alpha" : "beta";
        others.push(intake.post(slug, { from: addressOf(others.length) }));
      }
      const statuses = (await Promise.all(angry)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([202, 429]));
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(POSTS * 0.9);
      const accepted = await Promise.all(others);
      expect(new Set(accepted.map(({ status }) => status))).toEqual(new Set([202]));
      expect(await intake.stop()).toBe(0);
      await calmDown();
      // The next start publishes reports that a slow write left in the journal.
      const next = await harness.startIntake();
      await expect.poll(async () => Object(await next.health()).journalReports).toBe(0);
      expect(await next.stop()).toBe(0);
      expect(await harness.refresh()).toMatchObject({ code: 0 });
      const half = accepted.length / 2;
      expect((await harness.detail("alpha"))?.reportsDay).toBe(half + 1);
      expect((await harness.detail("beta"))?.reportsDay).toBe(half);
      expect(await harness.stateStore.list("inbox")).toEqual([]);
    },
  );
});
