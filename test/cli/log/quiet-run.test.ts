import { expect, test } from "vitest";
import { eventsNamed } from "../cli.ts";
import { useCliFixture } from "../cli-fixture.ts";

const { workspace } = useCliFixture(true);

/** Docs: docs/operations/costs.md, "The log". */
const MAX_QUIET_BYTES = 2_000;

test("a run without a failure logs at most 2 kB, each failing endpoint a line more", async () => {
  const one = await workspace();
  const run = () => one.program(["run", ...one.options, "--log", "json"]);
  await run();
  const quiet = await run();
  expect(quiet.code).toBe(0);
  expect(Buffer.byteLength(quiet.stdout + quiet.stderr)).toBeLessThan(MAX_QUIET_BYTES);
  await one.set("alpha", { kind: "page", status: 503 });
  const failing = eventsNamed((await run()).stderr, "endpoint-measured");
  expect(failing).toEqual([expect.objectContaining({ slug: "alpha" })]);
});
