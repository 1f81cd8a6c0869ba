import { expect, test } from "vitest";
import { monitorLimits, SERVICE_LIMITS } from "../../src/probe/limits.ts";

test("a monitor has the limits of a service, except its time-out and body limit", () => {
  expect(monitorLimits(undefined, false)).toEqual({ ...SERVICE_LIMITS, bodyBytes: 4_096 });
  expect(monitorLimits(3_000, false)).toEqual({
    ...SERVICE_LIMITS,
    bodyBytes: 4_096,
    totalMs: 3_000,
    firstByteMs: 3_000,
  });
  expect(monitorLimits(undefined, true)).toEqual({ ...SERVICE_LIMITS, bodyBytes: 262_144 });
  expect(monitorLimits(60_000, false).totalMs).toBe(20_000);
});

test.each([
  [19_999, 19_999],
  [20_000, 20_000],
  [20_001, 20_000],
])("a time-out of %d ms ends a check after %d ms", (timeoutMs, totalMs) => {
  expect(monitorLimits(timeoutMs, false)).toMatchObject({ totalMs, firstByteMs: totalMs });
});

test("the limits of a service are those that the documentation gives", () => {
  expect(SERVICE_LIMITS).toEqual({
    dnsMs: 4_000,
    tcpMs: 5_000,
    tlsMs: 5_000,
    firstByteMs: 8_000,
    stallMs: 5_000,
    totalMs: 20_000,
    headBytes: 65_536,
    bodyBytes: 65_536,
    redirects: 10,
    informational: 16,
    addresses: 4,
  });
});
