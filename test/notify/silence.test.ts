import { expect, test } from "vitest";
import { createSilenceGuard } from "../../src/notify/channels/push.ts";

const SILENT = "https://silent.example";
const OTHER = "https://other.example";

/** A guard with a clock, and time-outs of a service. */
function open() {
  const clock = { ms: 0 };
  const guard = createSilenceGuard(() => clock.ms);
  const timeOut = (times: number, service = SILENT, reason = "http-timeout"): void => {
    for (let time = 0; time < times; time += 1) guard.note(service, reason);
  };
  return { clock, guard, timeOut };
}

test("twenty time-outs in a row make a service silent, and no other", () => {
  const { guard, timeOut } = open();
  timeOut(19);
  expect(guard.reasonOf(SILENT)).toBeUndefined();
  guard.note(SILENT, "tls-timeout");
  expect(guard.reasonOf(SILENT)).toBe("tls-timeout");
  expect(guard.reasonOf(OTHER)).toBeUndefined();
});

test.each([undefined, "http-closed", "tcp-refused", "status 500"])(
  "a message that ends with %s shows that it is not silent",
  (failure) => {
    const { guard, timeOut } = open();
    timeOut(19);
    guard.note(SILENT, failure);
    timeOut(19);
    expect(guard.reasonOf(SILENT)).toBeUndefined();
    timeOut(1);
    expect(guard.reasonOf(SILENT)).toBe("http-timeout");
    guard.note(SILENT, failure);
    expect(guard.reasonOf(SILENT)).toBeUndefined();
  },
);

test("one message in thirty seconds asks it again", () => {
  const { clock, guard, timeOut } = open();
  timeOut(20);
  clock.ms = 29_999;
  expect(guard.reasonOf(SILENT)).toBe("http-timeout");
  clock.ms = 30_000;
  expect([guard.reasonOf(SILENT), guard.reasonOf(SILENT)]).toEqual([undefined, "http-timeout"]);
  clock.ms = 40_000;
  timeOut(1);
  clock.ms = 69_999;
  expect(guard.reasonOf(SILENT)).toBe("http-timeout");
  clock.ms = 70_000;
  expect(guard.reasonOf(SILENT)).toBeUndefined();
});

test("services that strangers have made up do not fill the memory", () => {
  const { guard, timeOut } = open();
  timeOut(20);
  for (let at = 0; at < 1_000; at += 1) timeOut(1, `https://${at}.example`);
  // Forgotten with all others, so it is asked.
  expect(guard.reasonOf(SILENT)).toBeUndefined();
});
