import { expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import { type CliResult, eventsNamed } from "./cli.ts";
import type { Stage } from "./stage.ts";
import { useTheatre } from "./theatre.ts";
import { startToyS3, type ToyS3 } from "./toy-s3.ts";

/* The clock of this machine against that of the store, which tells its time with every answer. */

const { stage } = useTheatre();

async function runOver(one: Stage, s3: ToyS3, command = "run"): Promise<CliResult> {
  const stores = ["--store", s3.url("public"), "--state", s3.url("state"), "--log", "json"];
  return command === "run"
    ? one.run(stores, s3.env)
    : one.cli([command, "--catalogue", "catalogue.json", ...stores], s3.env);
}

test.each([
  ["ahead of", 10],
  ["behind", -10],
])(
  "a machine whose clock is ten minutes %s the store's probes nothing and publishes nothing",
  async (_, minutes) => {
    const [one, s3] = [await stage(), await startToyS3()];
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

test("a clock that is a minute off is told once, and the run goes on", async () => {
  const [one, s3] = [await stage(), await startToyS3()];
  s3.moods.clockAheadMs = -60 * SECOND_MS;
  const result = await runOver(one, s3);
  expect(result.code).toBe(0);
  const [told, ...more] = eventsNamed(result.stderr, "clock-off");
  expect(more).toEqual([]);
  expect(Number(told?.["aheadMs"])).toBeGreaterThan(30 * SECOND_MS);
});

test("a clock that is right is not told of", async () => {
  const [one, s3] = [await stage(), await startToyS3()];
  const result = await runOver(one, s3);
  expect(result.code).toBe(0);
  expect(eventsNamed(result.stderr, "clock-off")).toEqual([]);
});
