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

/** What a detector says after each round: `x` is a failing first probe, `D` means down. */
function say(detector: Detector, rounds: string, ask: (atMs: number) => boolean): string {
  return [...rounds]
    .map((round, place) => {
      detector.round(round === "x", place * 300_000, ask);
      return detector.isDown() ? "D" : ".";
    })
    .join("");
}

describe("rules of other monitors", () => {
  test("one probe believes every failure", () => {
    expect(say(createOneProbe(), ".x.xx.", never)).toBe(".D.DD.");
  });

  test("two runs in a row wait for the second failure, and end with one success", () => {
    expect(say(createTwoRuns(), "x.xxx.x", never)).toBe("...DD..");
  });

  test("Gatus waits for three failures and for two successes", () => {
    expect(say(createGatus(), "xx.xxx.x..", never)).toBe(".....DDDD.");
  });

  test("Upptime believes a failure that two more probes within seconds share", () => {
    expect(say(createUpptime(), ".x.", always)).toBe(".D.");
    expect(say(createUpptime(), ".x.", (atMs) => atMs < 305_000)).toBe("...");
  });

  test("Uptime Kuma needs three more failures a minute apart, once", () => {
    const asked: number[] = [];
    const ask = (atMs: number): boolean => {
      asked.push(atMs);
      return true;
    };
    expect(say(createUptimeKuma(), ".xx.", ask)).toBe(".DD.");
    expect(asked).toEqual([360_000, 420_000, 480_000]);
  });

  test("Uptime Kuma stays up when one of the retries is answered", () => {
    expect(say(createUptimeKuma(), "x", (atMs) => atMs < 150_000)).toBe(".");
  });

  test("a rule speaks when its last probe is over", () => {
    expect(createUptimeKuma().round(true, 0, always)).toBe(180_000);
    expect(createUpptime().round(true, 0, always)).toBe(11_000);
    expect(createGatus().round(true, 0, always)).toBe(0);
  });
});
