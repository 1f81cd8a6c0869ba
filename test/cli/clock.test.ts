import { expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import { type CliResult, eventsNamed } from "./cli.ts";
import type { Workspace } from "./workspace.ts";
import { isFull } from "../depth.ts";
import { useCliFixture } from "./cli-fixture.ts";
import { startLoopbackS3, type LoopbackS3 } from "./loopback-s3.ts";

/* The clock of this machine against that of the store, from the `Date` of its answers. */

const { workspace } = useCliFixture(!isFull);

async function runOver(one: Workspace, s3: LoopbackS3, command = "run"): Promise<CliResult> {
  const stores = ["--store", s3.url("public"), "--state", s3.url("state"), "--log", "debug"];
  return command === "run"
    ? one.run(stores, s3.env)
    : one.cli([command, "--catalogue", "catalogue.json", ...stores], s3.env);
}

test.each([
  ["ahead of", 10],
  ["behind", -10],
])(
  "with a clock ten minutes %s the store's, nothing is probed or published",
  async (_, minutes) => {
    const [one, s3] = [await workspace(), await startLoopbackS3()];
    s3.moods.clockAheadMs = minutes * MINUTE_MS;
    for (const command of ["run", "refresh"]) {
      const result = await runOver(one, s3, command);
      expect(result.code).toBe(1);
      expect(String(eventsNamed(result.stderr, "failed")[0]?.["message"])).toMatch(
        minutes > 0 ? /10 minutes behind.*Set the clock/u : /10 minutes ahead.*Set the clock/u,
      );
    }
    expect(one.allConnections()).toBe(0);
    expect([...s3.objects.keys()]).toEqual([]);
  },
);

test("a clock that is a minute off is logged once, and the run goes on", async () => {
  const [one, s3] = [await workspace(), await startLoopbackS3()];
  s3.moods.clockAheadMs = -60 * SECOND_MS;
  const result = await runOver(one, s3);
  expect(result.code).toBe(0);
  const [told, ...more] = eventsNamed(result.stderr, "clock-off");
  expect(more).toEqual([]);
  expect(Number(told?.["aheadMs"])).toBeGreaterThan(30 * SECOND_MS);
});

test("a clock that is right is not logged", async () => {
  const [one, s3] = [await workspace(), await startLoopbackS3()];
  const result = await runOver(one, s3);
  expect(result.code).toBe(0);
  expect(eventsNamed(result.stderr, "clock-off")).toEqual([]);
});

test("a run whose anchors tell the time is published, and its state can be read", async () => {
  const one = await workspace();
  for (const name of ["d1", "d2", "d3", "f1", "f2"])
    await one.set(name, { kind: "page", headers: { date: new Date().toUTCString() } });
  for (const _ of [1, 2]) expect((await one.run(["--log", "debug"])).code).toBe(0);
  expect(one.hasState()).toBe(true);
});

test("with a clock that is off from the anchors, nothing is measured with any store", async () => {
  const one = await workspace();
  const wrong = new Date(Date.now() + 20 * 60 * MINUTE_MS).toUTCString();
  for (const name of ["d1", "d2", "d3", "f1", "f2"])
    await one.set(name, { kind: "page", headers: { date: wrong } });
  const result = await one.run(["--log", "debug"]);
  expect(result.code).toBe(1);
  expect(String(eventsNamed(result.stderr, "failed")[0]?.["message"])).toMatch(
    /1200 minutes behind those of the anchors\. Set the clock/u,
  );
  expect(one.connections("alpha")).toBe(0);
  expect(one.hasState()).toBe(false);
});
