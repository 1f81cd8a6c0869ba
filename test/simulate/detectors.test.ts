import { describe, expect, test } from "vitest";
import {
  createGatus,
  createOneProbe,
  createTwoRuns,
  createUptimeKuma,
  createUpptime,
  type Detector,
} from "./detectors.ts";

const never = (): boolean => false;
const always = (): boolean => true;

/** The state of a detector after each round: `x` is a failing first probe, `D` means down. */
function statesOf(detector: Detector, rounds: string, ask: (atMs: number) => boolean): string {
  return [...rounds]
    .map((round, index) => {
      detector.round(round === "x", index * 300_000, ask);
      return detector.isDown() ? "D" : ".";
    })
    .join("");
}

describe("rules of other monitors", () => {
  test("one probe reports every failure", () => {
    expect(statesOf(createOneProbe(), ".x.xx.", never)).toBe(".D.DD.");
  });

  test("two runs in a row need a second failure, and one success", () => {
    expect(statesOf(createTwoRuns(), "x.xxx.x", never)).toBe("...DD..");
  });

  test("Gatus needs three failures, and two successes", () => {
    expect(statesOf(createGatus(), "xx.xxx.x..", never)).toBe(".....DDDD.");
  });

  test("Upptime needs two more failures within seconds", () => {
    expect(statesOf(createUpptime(), ".x.", always)).toBe(".D.");
    expect(statesOf(createUpptime(), ".x.", (atMs) => atMs < 305_000)).toBe("...");
  });

  test("Uptime Kuma needs three more failures a minute apart, once", () => {
    const asked: number[] = [];
    const ask = (atMs: number): boolean => {
      asked.push(atMs);
      return true;
    };
    expect(statesOf(createUptimeKuma(), ".xx.", ask)).toBe(".DD.");
    expect(asked).toEqual([360_000, 420_000, 480_000]);
  });

  test("Uptime Kuma stays up if one of the retries succeeds", () => {
    expect(statesOf(createUptimeKuma(), "x", (atMs) => atMs < 150_000)).toBe(".");
  });

  test("a rule decides after its last probe", () => {
    expect(createUptimeKuma().round(true, 0, always)).toBe(180_000);
    expect(createUpptime().round(true, 0, always)).toBe(11_000);
    expect(createGatus().round(true, 0, always)).toBe(0);
  });
});
