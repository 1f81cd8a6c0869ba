import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Behaviour } from "../simulated-internet/behaviour.ts";
import { LIMITS, failureOf, openHarness, traceOf, wordFor, type Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const SCHEMES = ["http", "https"] as const;

describe.for(SCHEMES)("over %s", { concurrent: true }, (scheme) => {
  test.for<[Behaviour, string]>([
    [{ kind: "body-stall", afterBytes: 20_000 }, "body-stall"],
    [{ kind: "body-stall", afterBytes: 0 }, "body-stall"],
    [{ kind: "body-close", afterBytes: 20_000 }, "body-closed"],
    [{ kind: "body-reset", afterBytes: 20_000 }, "body-reset"],
    [{ kind: "body-bad-chunk" }, "body-malformed"],
  ])("%j ends as %s, with its status and received bytes", async ([behaviour, code]) => {
    const { stage, trace, ...outcome } = failureOf(await harness.see(behaviour, { scheme }));
    expect(outcome.code).toBe(code);
    expect(stage).toBe("body");
    expect(trace.httpStatus).toBe(200);
    const sent = "afterBytes" in behaviour ? behaviour.afterBytes : 5;
    expect(trace.bodyBytes).toBe(sent);
    expect(trace.rawBytes).toBeGreaterThan(sent);
  });

  test("a slow drip ends at the time limit of the whole probe", async () => {
    const limits = { ...LIMITS, totalMs: 3_000 };
    const drip = { kind: "body-drip", intervalMs: 50 } as const;
    const { trace, code } = failureOf(await harness.see(drip, { scheme, deps: { limits } }));
    expect(code).toBe("body-timeout");
    expect(trace.timings.totalMs).toBeGreaterThanOrEqual(2_999);
    expect(trace.bodyBytes).toBeGreaterThan(0);
    expect(trace.bodyBytes).toBeLessThan(80);
  });

  test("an endless body is read up to 64 KiB and is healthy", async () => {
    const host = harness.newHost({ kind: "body-endless" });
    const outcome = await harness.probe(`${scheme}://${host}/`);
    expect(outcome).toMatchObject({ kind: "ok", trace: { bodyBytes: 65_536 } });
    await expect.poll(() => harness.internet.stats(host).open).toBe(0);
  });

  test("a long body is read up to 64 KiB, a short one to its end", async () => {
    const see = async (bodyBytes: number): Promise<number> =>
      traceOf(await harness.see({ kind: "page", bodyBytes }, { scheme })).bodyBytes;
    expect([await see(70_000), await see(65_536), await see(65_535), await see(0)]).toEqual([
      65_536, 65_536, 65_535, 0,
    ]);
  });

  test("a body in slow pieces is not a stall", async () => {
    const drip = { kind: "body-drip", intervalMs: 20, chunkBytes: 2_000 } as const;
    const outcome = await harness.see(drip, { scheme });
    expect(outcome).toMatchObject({ kind: "ok", trace: { bodyBytes: 65_536 } });
    expect(traceOf(outcome).timings.bodyMs).toBeGreaterThan(500);
  });

  test("a compression bomb is not decompressed", async () => {
    const outcome = await harness.see({ kind: "body-bomb", bodyBytes: 50_000_000 }, { scheme });
    expect(outcome).toMatchObject({ kind: "ok" });
    expect(traceOf(outcome).bodyBytes).toBeLessThan(65_537);
    expect(traceOf(outcome).bodyBytes).toBeGreaterThan(10_000);
  });

  test("bytes beyond the announced length are not read", async () => {
    const overrun = { kind: "body-overrun", announcedBytes: 100, sentBytes: 5_000 } as const;
    const outcome = await harness.see(overrun, { scheme });
    expect(outcome).toMatchObject({ kind: "ok", trace: { bodyBytes: 100 } });
  });

  test("a server error is reported before a broken body", async () => {
    const outcome = await harness.see({ kind: "page", status: 500, bodyBytes: 10 }, { scheme });
    expect(wordFor(outcome)).toBe("http-server-error");
  });
});

describe("a connection frozen after some raw bytes", { concurrent: true }, () => {
  const freeze = (afterRawBytes: number): Behaviour => ({
    kind: "page",
    wire: { kind: "cut", afterRawBytes, ending: "silence" },
  });

  test.for([14_000, 16_384])(
    "at %d bytes it is a stall, although no plaintext arrived",
    async (raw) => {
      const { code, trace } = failureOf(await harness.see(freeze(raw)));
      expect(code).toBe("body-stall");
      expect(trace).toMatchObject({ rawBytes: raw, bodyBytes: 0, tlsVerified: true });
      expect(trace.httpStatus).toBeUndefined();
    },
  );

  test.for([20_000, 30_000])("at %d bytes a part of the page was received", async (raw) => {
    const { code, trace } = failureOf(await harness.see(freeze(raw)));
    expect(code).toBe("body-stall");
    expect(trace).toMatchObject({ rawBytes: raw, httpStatus: 200 });
    expect(trace.bodyBytes).toBeGreaterThan(10_000);
    expect(trace.bodyBytes).toBeLessThan(raw);
  });

  test("at 4,000 bytes it is an http-timeout, and the bytes are recorded", async () => {
    const { code, trace } = failureOf(await harness.see(freeze(4_000)));
    expect(code).toBe("http-timeout");
    expect(trace.rawBytes).toBe(4_000);
  });

  test("over plain HTTP it is a stall at any count, because the head was received", async () => {
    const outcome = await harness.see(freeze(4_000), { scheme: "http" });
    expect(failureOf(outcome)).toMatchObject({ code: "body-stall", trace: { rawBytes: 4_000 } });
  });

  test("that ends with a reset or a close is reported as such", async () => {
    const cut = async (ending: "reset" | "close"): Promise<string> => {
      const wire = { kind: "cut", afterRawBytes: 20_000, ending } as const;
      return wordFor(await harness.see({ kind: "page", wire }));
    };
    expect([await cut("reset"), await cut("close")]).toEqual(["body-reset", "body-closed"]);
  });

  test("raw bytes are counted below TLS, with its handshake", async () => {
    const trace = traceOf(await harness.see({ kind: "page", bodyBytes: 1_000 }));
    expect(trace.bodyBytes).toBe(1_000);
    expect(trace.rawBytes).toBeGreaterThan(1_500);
    expect(trace.rawBytes).toBeLessThan(6_000);
  });
});

test("a line throttled to 1 KiB per 62 ms is slow, not broken", async () => {
  const wire = { kind: "throttle", bytesPerSecond: 16_516 } as const;
  const outcome = await harness.see({ kind: "page", wire });
  expect(outcome).toMatchObject({ kind: "ok", trace: { bodyBytes: 65_536 } });
  expect(traceOf(outcome).timings.totalMs).toBeGreaterThan(3_500);
});
