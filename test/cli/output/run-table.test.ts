import { describe, expect, test } from "vitest";
import { FINE } from "../../../src/model/service/connectivity.ts";
import type { ServiceEvidence } from "../../../src/model/service/evidence.ts";
import type { Outcome, Trace } from "../../../src/model/probe-outcome.ts";
import type { ServiceSnapshot } from "../../../src/model/service/snapshot.ts";
import type { CodeAndColor } from "../../../src/contract/codes/verdict.ts";
import { renderRunMetrics } from "../../../src/cli/output/run-metrics.ts";
import { NEXT_STEPS, renderRun, type RunView } from "../../../src/cli/output/run-table.ts";

const RUN_MS = Date.UTC(2026, 10, 1, 12);
const TRACE: Trace = {
  url: "https://a.example/",
  redirects: 0,
  httpStatus: 403,
  bodyBytes: 0,
  rawBytes: 0,
  tlsVerified: true,
  timings: { totalMs: 12 },
};
const OK: Outcome = { kind: "ok", trace: TRACE };
const RESET: Outcome = { kind: "failed", stage: "tls", code: "tls-reset", trace: TRACE };
const DENIED: Outcome = { kind: "denied", trace: TRACE };

function service(slug: string, pair: CodeAndColor, live: boolean): ServiceSnapshot {
  const verdict = { ...pair, live, sinceMs: RUN_MS };
  return { slug, name: slug, verdict, reports: { hour: 0, day: 0, isSurging: false } };
}

function evidence(outcomes: readonly Outcome[], runAtMs: number = RUN_MS): ServiceEvidence {
  return {
    runAtMs,
    endpoints: outcomes.map((outcome, index) => ({
      url: `https://host${index + 1}.example/`,
      result: { outcome, isFlaky: false, attempts: [outcome] },
    })),
  };
}

function view(
  services: readonly ServiceSnapshot[],
  seen: Readonly<Record<string, ServiceEvidence>>,
  kind: RunView["kind"] = "valid",
): RunView {
  return {
    kind,
    snapshot: { updatedAtMs: RUN_MS, services },
    evidence: new Map(Object.entries(seen)),
    held: [],
    leftOut: [],
    congestion: { congested: 0, of: 288 },
    published: { written: 1, unchanged: 85, removed: 0 },
    requests: {
      public: { read: 0, find: 2, write: 1, remove: 0, list: 0 },
      state: { read: 1, find: 0, write: 2, remove: 0, list: 0 },
    },
  };
}

describe("the result of a run", () => {
  test("names held failures, and endpoints that do not count", () => {
    const text = renderRun(
      {
        ...view([service("a", { code: "ok", color: "ok" }, false)], {}),
        held: ["bank", "shop"],
        leftOut: [
          { url: "https://old.a.ru/", why: "unproven" },
          { url: "https://side.a.ru/", why: "chronic" },
        ],
        congestion: { congested: 30, of: 288 },
      },
      1_234,
    );
    expect(text).toContain("Failures held, not published yet: bank, shop. See explain.");
    expect(text).toContain("Never healthy, and not counted: https://old.a.ru/.");
    expect(text).toContain("Failing for nearly seven days, and not counted: https://side.a.ru/.");
    expect(text).toContain(
      "This machine was itself slow in 30 of 288 runs of the last day. In those runs, retries and slow answers say nothing. Give it more processors or less work.",
    );
  });

  test("names ten endpoints that do not count, and none if the runner is offline", () => {
    const leftOut = Array.from({ length: 12 }, (_, at) => {
      return { url: `https://h${at}.ru/`, why: "unproven" } as const;
    });
    const run = { ...view([service("a", { code: "ok", color: "ok" }, false)], {}), leftOut };
    expect(renderRun(run, 0)).toMatch(/https:\/\/h9\.ru\/ and 2 more, see catalogue audit\.$/mu);
    expect(renderRun({ ...run, kind: "offline" }, 0)).not.toContain("Never healthy");
  });

  test("says that nothing is known in place of a table, and what is the reason", () => {
    const none = view([service("a", { code: "none", color: "none" }, false)], {}, "offline");
    const [first, reason, counts] = renderRun({ ...none, isFirst: true }, 0).split("\n\n");
    expect([first, reason]).toEqual([
      "No service has recent data.",
      "This machine is offline, so nothing was measured: the complete API and the website are published without data, and `npm run demo -- --once` publishes a simulated Internet instead.",
    ]);
    expect(counts).toContain("| no endpoint measured |");
    expect(renderRun(none, 0)).toContain("\n\nThe runner is offline.\n\n");
    const idle = { read: 0, find: 0, write: 0, remove: 0, list: 0 };
    const unasked = { ...none, requests: { ...none.requests, public: idle } };
    expect(renderRun(unasked, 0)).toContain("| requests: public none; state 1 read, 2 write |");
  });

  test("ends the first run with two commands to go on with", () => {
    expect(NEXT_STEPS).toMatchInlineSnapshot(`
      "Next: \`status-snapshot serve\` (in a clone: \`node dist/cli.js serve\`) shows the website and the API at http://127.0.0.1:8080,
      \`status-snapshot explain sberbank\` (\`node dist/cli.js explain sberbank\`) explains the verdict of a service."
    `);
  });

  test("is one line of counts if every service is ok", () => {
    const text = renderRun(
      view([service("a", { code: "ok", color: "ok" }, false)], { a: evidence([OK]) }),
      1_234,
    );
    expect(text).toBe(
      "1 service: 1 ok, 0 warn, 0 bad, 0 no data | 1 endpoint: 1 healthy, 0 failing | 1 object written, 85 unchanged, 0 removed | requests: public 2 find, 1 write; state 1 read, 2 write | 1.2 s",
    );
  });

  test("lists services that are not ok, broken and live first, with a reason", () => {
    const services = [
      service("provider", { code: "provider", color: "warn" }, false),
      service("old", { code: "fail_long", color: "bad" }, false),
      service("new", { code: "fail", color: "bad" }, true),
      service("fine", { code: "ok", color: "ok" }, false),
    ];
    const seen = {
      provider: evidence([DENIED]),
      old: evidence([RESET, RESET, OK]),
      new: evidence([RESET]),
      fine: evidence([OK]),
    };
    const rows = renderRun(view(services, seen), 0).split("\n");
    expect(rows[0]).toMatch(/^SERVICE +VERDICT +LIVE +SINCE \(UTC\) +WHAT IS KNOWN$/u);
    expect(rows.slice(1, 4).map((row) => row.split(/\s/u)[0])).toEqual(["new", "old", "provider"]);
    expect(rows[1]).toMatch(
      /live +2026-11-01 12:00 +host1\.example: the connection was reset while the secure connection/u,
    );
    expect(rows[2]).toContain("2 of 3 endpoints fail; host1.example: ");
    expect(rows[3]).toContain("refused for this region by the service itself (HTTP 403)");
  });

  test("counts the endpoints of this run alone", () => {
    const services = [
      service("a", { code: "ok", color: "ok" }, false),
      service("b", { code: "ok", color: "ok" }, false),
    ];
    const seen = { a: evidence([OK]), b: evidence([OK, OK], RUN_MS - 300_000) };
    expect(renderRun(view(services, seen), 0)).toContain("| 1 endpoint: 1 healthy, 0 failing |");
    expect(renderRun(view(services, seen, "offline"), 0)).toContain("| no endpoint measured |");
  });

  test("describes bad connectivity of the runner before the counts", () => {
    const all = view([service("a", { code: "ok", color: "ok" }, false)], { a: evidence([OK]) });
    const lossy = { ...FINE, state: "lossy" as const, lostRatio: 0.0625 };
    expect(renderRun({ ...all, connectivity: lossy }, 0)).toMatch(
      /^The runner's network path is lossy: .*\(6\.3 % of the attempts at anchors\)\.\n\n1 service/u,
    );
    const zone = { ...FINE, failingZones: ["ru"] };
    expect(renderRun({ ...all, connectivity: zone }, 0)).toMatch(/^No name of \.ru can be/u);
    expect(renderRun({ ...all, connectivity: FINE }, 0)).toMatch(/^1 service/u);
  });

  test("gives no reason from evidence that is too old for a verdict", () => {
    const services = [
      service("a", { code: "none", color: "none" }, false),
      service("b", { code: "ok", color: "ok" }, false),
    ];
    const text = renderRun(view(services, { a: evidence([RESET]) }), 0);
    expect(text).toContain("no recent data");
    expect(text).not.toContain("tls-reset");
  });

  test("of a first run offline names the simulated Internet", () => {
    const services = [service("a", { code: "none", color: "none" }, false)];
    const text = renderRun({ ...view(services, {}, "offline"), isFirst: true }, 0);
    expect(text).toContain("npm run demo -- --once");
  });

  test("has one line if no service has data", () => {
    const services = [service("a", { code: "none", color: "none" }, false)];
    expect(renderRun(view(services, {}, "offline"), 0)).toMatch(
      /^No service has recent data\.\n\nThe runner is offline\.\n\n1 service: /u,
    );
  });
});

test("the metrics of a run are those that they were", async () => {
  const run: RunView = {
    ...view([service("a", { code: "ok", color: "ok" }, false)], { a: evidence([OK, RESET]) }),
    held: ["bank"],
    leftOut: [{ url: "https://old.a.ru/", why: "unproven" }],
    checks: { healthy: 3, failing: 2, skipped: 1, refused: 0 },
    engine: {
      batches: 4,
      answered: 3,
      redelivered: 1,
      returned: 0,
      dropped: 1,
      lagMs: 1_500,
      durationMs: 9_000,
    },
  };
  const time = { endedAtMs: RUN_MS, durationMs: 2_345, version: "1.2.3" };
  await expect(await renderRunMetrics(run, time)).toMatchFileSnapshot("golden/metrics.txt");
});
