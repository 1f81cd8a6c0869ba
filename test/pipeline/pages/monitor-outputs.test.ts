import { describe, expect, test } from "vitest";
import type { Monitor } from "../../../src/model/monitor/monitor.ts";
import { EMPTY_CLOCK, type MonitorRecord } from "../../../src/model/monitor/uptime.ts";
import {
  type MonitorOutput,
  type OutputSources,
  planOutput,
  viewFailures,
  viewMonitor,
} from "../../../src/pipeline/pages/monitor-outputs.ts";
import { T0 } from "../../model/samples.ts";
import { recordOf } from "../../monitors/uptime/samples.ts";

const DAY_MS = 86_400_000;
const SHOWN: Monitor = {
  id: "shown",
  name: "Shown",
  url: "https://shown.example/",
  isPublic: true,
};
const HIDDEN: Monitor = { ...SHOWN, id: "hidden", isPublic: false };

const OUTPUT: MonitorOutput = {
  keysOf: (id) => [`page/${id}`],
  signatureOf: ({ monitor, nowMs }) => `${monitor.id} at ${nowMs}`,
  build: async ({ monitor }) => [
    { key: `page/${monitor.id}`, body: Buffer.from("x"), contentType: "x", cacheControl: "x" },
  ],
};

/** The plan of the pages, after these groups were published with the signature `old`. */
function plan(
  published: readonly string[],
  { kept = [], ...changes }: Partial<OutputSources> & { readonly kept?: readonly string[] } = {},
) {
  const object = { digest: "old", etag: "", isPublished: true, suspectUntilMs: 0 };
  return planOutput(OUTPUT, "page", {
    registry: { monitors: [SHOWN, HIDDEN], rejectedIds: [], isComplete: true },
    history: { clock: EMPTY_CLOCK, recordOf: () => undefined, ids: () => [] },
    removals: { removedIds: [], withheldRemovals: 0, isKept: (id) => kept.includes(id) },
    named: new Set(),
    areMonitorsLater: false,
    groups: new Map(published.map((id) => [id, object])),
    nowMs: T0,
    signatureById: new Map(),
    ...changes,
  });
}

describe("the pages of monitors", () => {
  test("are those of public ones, signed as of now", () => {
    const { signatures, keysOf } = plan(["page:shown", "page:hidden", "card:shown", "page:gone"]);
    expect([...signatures]).toEqual([["shown", `shown at ${T0}`]]);
    expect(keysOf("shown")).toEqual(["page/shown"]);
  });

  test("stay as they were while the checks run, except those that are named", () => {
    const published = ["page:shown", "page:hidden"];
    const waiting = plan(published, { areMonitorsLater: true });
    expect([...waiting.signatures]).toEqual([["shown", "old"]]);
    const named = new Set(["shown", "hidden"]);
    const asked = plan(published, { areMonitorsLater: true, named });
    expect([...asked.signatures]).toEqual([["shown", `shown at ${T0}`]]);
    expect([...plan([], { areMonitorsLater: true }).signatures]).toEqual([]);
    expect(asked.named).toBe(named);
  });

  test("are signed once for the same sources", () => {
    const signatureById = new Map([["page:shown", "known"]]);
    expect([...plan([], { signatureById }).signatures]).toEqual([["shown", "known"]]);
    const empty = new Map<string, string>();
    plan([], { signatureById: empty });
    expect([...empty]).toEqual([["page:shown", `shown at ${T0}`]]);
  });

  test("stay for a monitor that is kept, if it was never decided", () => {
    const { signatures } = plan(["page:kept", "page:gone"], { kept: ["kept"] });
    expect([...signatures.keys()]).toEqual(["kept", "shown"]);
  });

  test("are built as they were signed, or not at all", async () => {
    const built = async (...[id, how]: [string, Parameters<typeof plan>[1]?]) =>
      (await plan(["page:shown"], how).build(id)).map(({ key }) => key);
    expect(await built("shown")).toEqual(["page/shown"]);
    expect(await built("gone")).toEqual([]);
    expect(await built("shown", { areMonitorsLater: true })).toEqual([]);
  });

  test("go on purpose if their monitor is named, in the registry, or kept", () => {
    const { isDeliberate } = plan([], { named: new Set(["named"]), kept: ["kept"] });
    expect(["named", "hidden", "kept", "gone"].map(isDeliberate)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("what a page shows", () => {
  const counts = {
    "24h": { decided: 2, healthy: 1 },
    "7d": { decided: 2, healthy: 1 },
    "30d": { decided: 2, healthy: 1 },
    "90d": { decided: 2, healthy: 1 },
  };
  const view = (monitor: Monitor, record?: MonitorRecord) =>
    viewMonitor({ monitor, counts, record, clock: EMPTY_CLOCK, nowMs: T0 });

  test("of a monitor that was never checked is that nothing is known", () => {
    expect(view(SHOWN)).toEqual({
      id: "shown",
      name: "Shown",
      url: "https://shown.example/",
      uptimes: counts,
      condition: "unknown",
      sinceMs: null,
      outages: [],
      days: Array.from({ length: 90 }, () => null),
      responseMs: Array.from({ length: 24 }, () => null),
    });
  });

  test.each([
    [T0 - 30 * DAY_MS + 1, true],
    [T0 - 30 * DAY_MS, false],
  ])("of an owned monitor since %i is that it is young: %s", (ownedSinceMs, isYoung) => {
    expect(view({ ...SHOWN, ownedSinceMs })).toMatchObject({ owner: { isYoung } });
    expect(view(SHOWN)).not.toHaveProperty("owner");
  });

  test("of its failures is the one that lasts, then the newest first", () => {
    const failures = [1, 2].map((at) => {
      return { sinceMs: at, endedAtMs: at + 0.5, code: "tcp-timeout" as const };
    });
    const ofOne = { failing: 1, counted: 1 };
    const ended = [
      { ...failures[1], ...ofOne },
      { ...failures[0], ...ofOne },
    ];
    expect(viewFailures(recordOf({ failures }))).toEqual(ended);
    const failing = { state: "failing", code: "tls-reset", sinceMs: 9 } as const;
    expect(viewFailures(recordOf({ failures, ...failing }))).toEqual([
      { sinceMs: 9, endedAtMs: null, code: "tls-reset", ...ofOne },
      ...ended,
    ]);
    expect(viewFailures(recordOf({ ...failing, state: "refused" }))).toEqual([]);
  });
});
