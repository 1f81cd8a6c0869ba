import { expect, test } from "vitest";
import type { ProbeConfig } from "../../src/probe/probe-config.ts";
import { createPlaceProbes } from "../../src/vantages/answer-ask.ts";

const CONFIG: ProbeConfig = {
  allowPrivate: [],
  ownAddresses: ["93.184.216.34"],
  connectTo: [],
  roots: { everywhere: [], national: [] },
  allowedPorts: [],
  fingerprints: [],
};

test("a line that has got another address connects to none that is its own", async () => {
  let own = CONFIG.ownAddresses;
  const probesNow = createPlaceProbes(
    CONFIG,
    () => own,
    () => Promise.resolve(undefined),
  );
  const first = probesNow();
  // An aborted probe connects to nothing.
  const isTried = (address: string): boolean => {
    const target = { url: "https://service.example/", trust: "public" as const };
    return probesNow().probeAt(target, address, AbortSignal.abort()) !== undefined;
  };
  expect([isTried("93.184.216.34"), isTried("93.184.216.35")]).toEqual([false, true]);
  expect(probesNow()).toBe(first);
  own = ["93.184.216.35"];
  expect([isTried("93.184.216.34"), isTried("93.184.216.35")]).toEqual([true, false]);
});
