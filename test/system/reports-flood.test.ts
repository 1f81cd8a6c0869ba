import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { addressOf, type Posted, startIntake } from "../cli/running-intake.ts";
import { useTheatre } from "../cli/theatre.ts";
import { kindsOfPlaces, openReportLab } from "./reports-lab.ts";
import { connectS3 } from "./s3-client.ts";
import { environmentOf } from "./s3-lab.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const theatre = useTheatre();
const POSTS = 10_000;
const OTHERS = 60;
/** Threads that do nothing but take time from everybody else. */
const BURNERS = 2;

Object.assign(process.env, environmentOf(ceph));
afterAll(() => s3.destroy());

const CASES = kindsOfPlaces(ceph, s3).flatMap(([name, toPlace]) => [
  { name, toPlace, how: "with a journal", options: ["--journal", "journal"] },
  { name, toPlace, how: "without a journal", options: [] },
]);

/** Keeps all processors busy until it is told to end. */
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
    "on $name, $how: counts once, everybody else is accepted, and counted",
    async ({ toPlace, options }) => {
      const stage = await theatre.stage();
      const place = await toPlace(stage);
      const lab = await openReportLab(stage, place);
      expect(await lab.refresh()).toMatchObject({ code: 0 });
      const stores = ["--store", place.storeUrl, "--state", place.stateUrl];
      const intake = await startIntake(
        ["--catalogue", "catalogue.json", ...stores, "--proxy", "127.0.0.1", ...options],
        { cwd: stage.folder, env: place.env },
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
      // What a slow write left in the journal comes with the next start.
      const next = await lab.startIntake();
      await expect.poll(async () => Object(await next.health()).journalReports).toBe(0);
      expect(await next.stop()).toBe(0);
      expect(await lab.refresh()).toMatchObject({ code: 0 });
      const half = accepted.length / 2;
      expect((await lab.detail("alpha"))?.reportsDay).toBe(half + 1);
      expect((await lab.detail("beta"))?.reportsDay).toBe(half);
      expect(await lab.stateStore.list("inbox")).toEqual([]);
    },
  );
});
