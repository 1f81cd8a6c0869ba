import { expect, test } from "vitest";
import type { Anchor } from "../../../src/model/service/catalogue.ts";
import { EMPTY_STATE } from "../../../src/model/state.ts";
import type { Probe } from "../../../src/probe/probe.ts";
import { measure } from "../../../src/pipeline/run/measure.ts";
import type { CheckMonitors } from "../../../src/pipeline/run/measurement.ts";
import { catalogueOf, minutes, ok, T0 } from "../../model/samples.ts";

const ANCHORS: readonly Anchor[] = ["d1", "d2", "d3", "f1"].map((network) => ({
  url: `https://${network}.example/`,
  scope: network === "f1" ? "foreign" : "domestic",
  network,
}));

const DEPS = {
  catalogue: { ...catalogueOf([]), anchors: ANCHORS },
  emit: () => undefined,
  now: () => 0,
  sleep: async () => undefined,
  networkOf: () => "Example",
  checkMonitors: async () => new Map(),
  line: "hosting" as const,
  watchLag: () => () => 0,
};

const OPTIONS = {
  startMs: T0,
  concurrency: 8,
  perHost: 2,
  confirmDelaysMs: [],
  deadlineMs: minutes(4),
  stop: new AbortController().signal,
};

/** A run without services, by a clock that is ahead of those of all anchors. Its end, and how many watches of the event loop go on. */
async function measureAhead(aheadMs: number) {
  let watching = 0;
  const probe: Probe = async ({ onServerTime }) => {
    onServerTime?.(T0);
    return ok();
  };
  const deps = {
    ...DEPS,
    probe,
    latestMs: () => T0 + aheadMs,
    watchLag: () => {
      watching += 1;
      return () => (watching -= 1);
    },
  };
  const end = await measure(deps, OPTIONS, [], [], EMPTY_STATE)
    .then(({ remaining, checks }) => Promise.all([remaining, checks]))
    .then(() => "measured", String);
  return { end, watching };
}

test.each([
  [299_999, "measured"],
  [-299_999, "measured"],
  [300_000, refusalOf("5 minutes ahead of")],
  [-300_000, refusalOf("5 minutes behind")],
])("a clock that is %i ms ahead of the anchors ends so: %s", async (aheadMs, end) => {
  expect(await measureAhead(aheadMs)).toEqual({ end, watching: 0 });
});

test("checks of monitors get the time that the anchors and services have left", async () => {
  let nowMs = 0;
  const ends: number[] = [];
  const deps = {
    ...DEPS,
    now: () => nowMs,
    probe: async () => {
      nowMs += 5_000;
      return ok();
    },
    checkMonitors: async (...[, , , leftMs]: Parameters<CheckMonitors>) => {
      ends.push(nowMs + leftMs);
      return new Map();
    },
  };
  const monitor = { id: "a", name: "a", url: "https://a.example/", isPublic: false };
  const target = { ...monitor, lastState: "unknown", wasHealthy: false } as const;
  await (
    await measure(deps, OPTIONS, [], [target], EMPTY_STATE)
  ).checks;
  expect(ends).toEqual([OPTIONS.deadlineMs]);
});

function refusalOf(off: string): string {
  return `StateError: the clock of this machine is ${off} those of the anchors. Set the clock (NTP): what is published carries its time, so nothing was measured.`;
}
