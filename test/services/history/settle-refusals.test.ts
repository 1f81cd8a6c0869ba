import { describe, expect, test } from "vitest";
import type { EndpointResult, Outcome } from "../../../src/model/probe-outcome.ts";
import { encodeResult } from "../../../src/services/history/sample-codes.ts";
import { isLetIn, mayRefuse, settleRefusal } from "../../../src/services/history/suspicion.ts";
import { failed, ok } from "../../model/samples.ts";

const HOSTING = { refuses: ["hosting" as const] };
const RESET = failed("tls-reset");
const ERROR = failed("http-server-error", { httpStatus: 503, tlsVerified: true });

const after = (...attempts: readonly Outcome[]): EndpointResult => {
  const outcome = attempts.at(-1) ?? RESET;
  return { outcome, isFlaky: attempts.length > 1 && outcome.kind === "ok", attempts };
};

/** The character that the history gets. */
const charOf = (
  attempts: readonly Outcome[],
  samples = "aaa",
  elsewhere: readonly boolean[] = [],
): string => encodeResult(settleRefusal(after(...attempts), samples, elsewhere));

describe("whether an owner lets the runner in", () => {
  test.each([
    ["200 runs at the first attempt", "a".repeat(200), true],
    ["a run fewer", "a".repeat(199), false],
    ["one late answer in twenty", "a".repeat(190) + "+".repeat(10), true],
    ["a little more", "a".repeat(189) + "+".repeat(11), false],
    ["one connection of three dropped", "aa+".repeat(100), false],
    ["an outage of a day, which is left out", "a".repeat(200) + "!".repeat(288), true],
    ["silence", "a".repeat(190) + "*".repeat(11), false],
  ])("with %s", (_, samples, expected) => {
    expect(isLetIn(samples)).toBe(expected);
  });

  test("matters only on the line of a data centre, and where the entry says so", () => {
    expect(mayRefuse(HOSTING, "", "hosting")).toBe(true);
    expect(mayRefuse(HOSTING, "", "home")).toBe(false);
    expect(mayRefuse({ refuses: ["abroad"] }, "", "hosting")).toBe(false);
    expect(mayRefuse(HOSTING, "a".repeat(200), "hosting")).toBe(false);
  });
});

describe("where silence may be a refusal", () => {
  test("silence decides nothing, and an answer after it is steady", () => {
    expect(charOf([RESET, RESET])).toBe("*");
    expect(charOf([RESET, ok(100)])).toBe("+");
    expect(charOf([RESET, ERROR, ok(100)])).toBe("~");
    // A slow answer keeps its time.
    expect(charOf([RESET, ok(5_000)])).toMatch(/[A-Za-z0-9_-]/u);
  });

  test("what the server says counts: a certificate at once, a 5xx three times", () => {
    expect(charOf([ERROR, ERROR, ERROR, ERROR])).toBe("%");
    expect(charOf([ERROR, ERROR, RESET])).toBe("*");
    expect(charOf([RESET, ERROR, ERROR, ERROR, RESET])).toBe("%");
    expect(charOf([RESET, failed("cert-expired"), RESET])).toBe("!");
    // One that failed before needs no second confirmation.
    expect(charOf([RESET, ERROR, RESET], "aa%")).toBe("%");
  });

  test("places on lines of subscribers decide, most of them", () => {
    expect(charOf([RESET], "a", [false])).toBe("=");
    expect(charOf([RESET], "a", [true])).toBe("!");
    expect(charOf([RESET], "a", [true, false])).toBe("=");
    expect(charOf([RESET], "a", [true, true, false])).toBe("!");
  });
});
