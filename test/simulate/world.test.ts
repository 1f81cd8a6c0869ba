import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/model/outcome.ts";
import { minutes, T0 } from "../model/samples.ts";
import type { Expectation } from "../../src/probe/classify.ts";
import { LAYERS, type WorldEvent } from "./events.ts";
import type { Page } from "./pages.ts";
import { CAST, eventOf } from "./samples.ts";
import { createWorld, type World } from "./world.ts";

function worldOf(...events: readonly WorldEvent[]): World {
  const world = createWorld(CAST.sites, events, 1);
  world.advance(T0, T0 + minutes(600));
  return world;
}

function see(world: World, index: number, minute: number): Outcome {
  const site = CAST.sites[index];
  if (site === undefined) throw new RangeError("no site");
  return world.probe(site, T0 + minutes(minute));
}

function codeOf(outcome: Outcome): string {
  return outcome.kind === "failed" ? outcome.code : outcome.kind;
}

describe("simulated world", () => {
  test("an event acts on its sites, from its start until its end", () => {
    const world = worldOf(eventOf());
    expect([59.9, 60, 119.9, 120].map((minute) => codeOf(see(world, 0, minute)))).toEqual([
      "ok",
      "tcp-timeout",
      "tcp-timeout",
      "ok",
    ]);
    expect(codeOf(see(world, 1, 90))).toBe("ok");
  });

  test("what is near the runner hides what lies behind it", () => {
    const error = { kind: "fail", failures: ["bad-gateway"], ratio: 1 } as const;
    const world = worldOf(eventOf({ effect: error }), eventOf({ layer: LAYERS.runner }));
    expect(codeOf(see(world, 0, 90))).toBe("tcp-timeout");
  });

  test("a lossy path fails about as often as it says, and the same probes each time", () => {
    const effect = { kind: "fail", failures: ["tcp-timeout"], ratio: 0.2 } as const;
    const lost = (): readonly boolean[] => {
      const world = worldOf(eventOf({ effect, endMs: T0 + minutes(600) }));
      return Array.from(
        { length: 500 },
        (_, minute) => codeOf(see(world, 0, 60 + minute)) !== "ok",
      );
    };
    const first = lost();
    expect(first.filter(Boolean).length).toBeGreaterThan(70);
    expect(first.filter(Boolean).length).toBeLessThan(130);
    expect(lost()).toEqual(first);
  });

  test("a slower path takes so many times longer", () => {
    const calm = worldOf();
    const slow = worldOf(eventOf({ effect: { kind: "slower", factor: 4 } }));
    const ms = (outcome: Outcome): number =>
      outcome.kind === "ok" ? outcome.trace.timings.totalMs : 0;
    const ratio = ms(see(slow, 0, 90)) / ms(see(calm, 0, 90));
    expect(ratio).toBeGreaterThan(3.4);
    expect(ratio).toBeLessThan(4.7);
  });

  const pageOf = (text: string): Page => ({
    contentType: "text/html; charset=utf-8",
    body: Buffer.from(text),
  });

  test("a page with a 200 is judged as the program does, by the rules of its endpoint", () => {
    const [first, ...rest] = CAST.sites;
    if (first === undefined) throw new RangeError("no site");
    const codes = (text: string, rules: Expectation): string => {
      const site = { ...first, rules };
      const effect = { kind: "page", page: pageOf(text) } as const;
      const world = createWorld([site, ...rest], [eventOf({ effect })], 1);
      world.advance(T0, T0 + minutes(600));
      return codeOf(world.probe(site, T0 + minutes(90)));
    };
    expect(codes("<title>Технические работы</title>", {})).toBe("body-works");
    expect(codes("<title>Скоро вернёмся</title>", {})).toBe("ok");
    expect(codes("<title>Скоро вернёмся</title>", { body: "bankName" })).toBe("body-unexpected");
  });

  test("a healthy page that speaks of works holds what its endpoint asks for", () => {
    const [first, ...rest] = CAST.sites;
    if (first === undefined) throw new RangeError("no site");
    const site = { ...first, rules: { body: "bankName" } };
    const effect = { kind: "page", page: pageOf("<title>Новости</title>") } as const;
    const world = createWorld([site, ...rest], [eventOf({ effect, isGenuine: false })], 1);
    world.advance(T0, T0 + minutes(600));
    expect(codeOf(world.probe(site, T0 + minutes(90)))).toBe("ok");
  });

  test("all that acts on a service is named, true or not", () => {
    const world = worldOf(eventOf(), eventOf({ cause: "glitch", isGenuine: false }));
    const [main, api] = CAST.sites;
    if (main === undefined || api === undefined) throw new RangeError("no sites");
    expect(world.causesOn([main, api], T0, T0 + minutes(90))).toEqual(["glitch", "outage"]);
    expect(world.causesOn([api], T0, T0 + minutes(90))).toEqual([]);
    expect(world.causesOn([main], T0, T0 + minutes(50))).toEqual([]);
  });

  test("noise is named, what is true is not", () => {
    const world = worldOf(eventOf(), eventOf({ cause: "glitch", isGenuine: false, sites: [1] }));
    const [main, api] = CAST.sites;
    if (main === undefined || api === undefined) throw new RangeError("no sites");
    expect(world.noiseOn([main], T0, T0 + minutes(90))).toBeUndefined();
    expect(world.noiseOn([main, api], T0, T0 + minutes(90))).toBe("glitch");
    expect(world.noiseOn([main, api], T0, T0 + minutes(30))).toBeUndefined();
  });

  test("events that are over are forgotten when time moves on", () => {
    const world = worldOf(eventOf({ cause: "offline", isGenuine: false }));
    expect(world.isOn("offline", T0 + minutes(90))).toBe(true);
    world.advance(T0 + minutes(300), T0 + minutes(310));
    expect(world.isOn("offline", T0 + minutes(90))).toBe(false);
    expect(codeOf(see(world, 0, 301))).toBe("ok");
  });
});
