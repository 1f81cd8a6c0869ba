import { expect, test } from "vitest";
import { HOMES, openWorld, type Situation } from "./world.ts";

/* The system test runs this in a network of its own, with a public address on the loopback interface. */

const { ANYCAST_ADDRESS: anycastAddress = "" } = process.env;
const isHere = anycastAddress !== "";

const RESET = { kind: "tls-reset" } as const;

test.runIf(isHere)(
  "a site that is broken is not blocked, if its address is many servers",
  async (context) => {
    const situations: readonly Situation[] = [
      { name: "one-site-broken", at: { moscow: RESET }, anycastAddress },
      { name: "one-server-cut", at: { moscow: RESET } },
    ];
    const world = await openWorld(situations, []);
    context.onTestFinished(() => world.close());
    expect(Object.fromEntries(await world.play())).toEqual({
      "one-site-broken": { code: "fail", scope: "russia", blockedBy: null },
      "one-server-cut": { code: "restricted_fail", scope: "russia", blockedBy: "experiment" },
    });
  },
);

test.runIf(isHere)("a second network in Moscow tells a cut from a broken site", async (context) => {
  const at = { moscow: RESET, mgts: RESET, mts: RESET };
  const world = await openWorld([{ name: "cut", at, anycastAddress }], HOMES);
  context.onTestFinished(() => world.close());
  expect(Object.fromEntries(await world.play())).toEqual({
    cut: { code: "restricted_fail", scope: "russia", blockedBy: "experiment" },
  });
});
