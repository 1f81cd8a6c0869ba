import { expect, test } from "vitest";
import { EMPTY_CLOCK } from "../../src/model/monitor/uptime.ts";
import { viewMonitor } from "../../src/pipeline/pages/monitor-outputs.ts";
import { createSiteMaker } from "../../src/pipeline/pages/site-builder.ts";
import { createBadgeMaker } from "../../src/setup/publish-settings.ts";
import { recordOf } from "../monitors/uptime/samples.ts";
import { T0 } from "../model/samples.ts";
import { ADDRESS } from "../site/site-fixture.ts";

const UNCOUNTED = { decided: 0, healthy: 0 };
const about = {
  monitor: { id: "a", name: "a", url: "https://a.ru/", isPublic: true },
  counts: {
    "24h": UNCOUNTED,
    "7d": UNCOUNTED,
    "30d": UNCOUNTED,
    "90d": UNCOUNTED,
  },
  clock: EMPTY_CLOCK,
  nowMs: T0,
};

test("while a wall answers, a page says nothing of the failure that it hides", () => {
  const failing = recordOf({ state: "failing", code: "tcp-timeout", sinceMs: T0 - 60_000 });
  expect(viewMonitor({ ...about, record: failing })).toMatchObject({
    condition: "failing",
    outages: [{ endedAtMs: null }],
  });
  const hidden = viewMonitor({ ...about, record: { ...failing, warning: "robot-wall" } });
  expect(hidden).toMatchObject({ condition: "unknown", sinceMs: null, outages: [] });
  expect(hidden).not.toHaveProperty("code");
});

test("another program looks at pages and feeds of monitors, not at pictures", async () => {
  const signaturesBy = async (build: string): Promise<readonly (readonly [string, string])[]> => {
    const outputs = await createSiteMaker(createBadgeMaker("ru"), build).outputsOf(ADDRESS);
    const subject = { ...about, record: undefined };
    return [...outputs].map(([family, one]) => [family, one.signatureOf(subject)] as const);
  };
  const [before, again, after] = [
    await signaturesBy("a"),
    await signaturesBy("a"),
    await signaturesBy("b"),
  ];
  expect(again).toEqual(before);
  const changed = after.filter(([, signature], at) => signature !== before[at]?.[1]);
  expect(changed.map(([family]) => family)).toEqual(["page", "feed"]);
});
