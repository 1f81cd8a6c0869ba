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
  const { headBytes, redirects, totalMs } = SERVICE_LIMITS;
  expect({ headBytes, redirects, totalMs }).toEqual({
    headBytes: 65_536,
    redirects: 10,
    totalMs: 20_000,
  });
});
