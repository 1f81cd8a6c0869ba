import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import { minutes, T0 } from "../model/samples.ts";
import type { Expectation } from "../../src/probe/answer/classify-response.ts";
import { LAYERS, type NetworkEvent } from "./events.ts";
import type { Page } from "./pages.ts";
import { TOPOLOGY, eventOf } from "./samples.ts";
import { createNetworkModel, type NetworkModel } from "./network-model.ts";

function networkModelOf(...events: readonly NetworkEvent[]): NetworkModel {
  const model = createNetworkModel(TOPOLOGY.sites, events, 1);
  model.advance(T0, T0 + minutes(600));
  return model;
}

function see(model: NetworkModel, index: number, minute: number): Outcome {
  const site = TOPOLOGY.sites[index];
  if (site === undefined) throw new RangeError("no site");
  return model.probe(site, T0 + minutes(minute));
}

function codeOf(outcome: Outcome): string {
  return outcome.kind === "failed" ? outcome.code : outcome.kind;
}

describe("simulated model", () => {
  test("an event affects its sites from its start until its end", () => {
    const model = networkModelOf(eventOf());
    expect([59.9, 60, 119.9, 120].map((minute) => codeOf(see(model, 0, minute)))).toEqual([
      "ok",
      "tcp-timeout",
      "tcp-timeout",
      "ok",
    ]);
    expect(codeOf(see(model, 1, 90))).toBe("ok");
  });

  test("an event near the runner hides events behind it", () => {
    const error = { kind: "fail", failures: ["bad-gateway"], ratio: 1 } as const;
    const model = networkModelOf(eventOf({ effect: error }), eventOf({ layer: LAYERS.runner }));
    expect(codeOf(see(model, 0, 90))).toBe("tcp-timeout");
  });

  test("a loss fails probes at about its ratio, and the same ones each time", () => {
    const effect = { kind: "fail", failures: ["tcp-timeout"], ratio: 0.2 } as const;
    const lost = (): readonly boolean[] => {
      const model = networkModelOf(eventOf({ effect, endMs: T0 + minutes(600) }));
      return Array.from(
        { length: 500 },
        (_, minute) => codeOf(see(model, 0, 60 + minute)) !== "ok",
      );
    };
    const first = lost();
    expect(first.filter(Boolean).length).toBeGreaterThan(70);
    expect(first.filter(Boolean).length).toBeLessThan(130);
    expect(lost()).toEqual(first);
  });

  test("a slow network multiplies the response time", () => {
    const calm = networkModelOf();
    const slow = networkModelOf(eventOf({ effect: { kind: "slower", factor: 4 } }));
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

  test("the program classifies a page with a 200 by the rules of its endpoint", () => {
    const [first, ...rest] = TOPOLOGY.sites;
    if (first === undefined) throw new RangeError("no site");
    const codes = (text: string, rules: Expectation): string => {
      const site = { ...first, rules };
      const effect = { kind: "page", page: pageOf(text) } as const;
      const model = createNetworkModel([site, ...rest], [eventOf({ effect })], 1);
      model.advance(T0, T0 + minutes(600));
      return codeOf(model.probe(site, T0 + minutes(90)));
    };
    expect(codes("<title>Технические работы</title>", {})).toBe("body-works");
    expect(codes("<title>Скоро вернёмся</title>", {})).toBe("ok");
    expect(codes("<title>Скоро вернёмся</title>", { body: "bankName" })).toBe("body-unexpected");
  });

  test("a healthy page that mentions maintenance meets the rules of its endpoint", () => {
    const [first, ...rest] = TOPOLOGY.sites;
    if (first === undefined) throw new RangeError("no site");
    const site = { ...first, rules: { body: "bankName" } };
    const effect = { kind: "page", page: pageOf("<title>Новости</title>") } as const;
    const model = createNetworkModel([site, ...rest], [eventOf({ effect, isGenuine: false })], 1);
    model.advance(T0, T0 + minutes(600));
    expect(codeOf(model.probe(site, T0 + minutes(90)))).toBe("ok");
  });

  test("all events that affect a service are named, genuine or not", () => {
    const model = networkModelOf(eventOf(), eventOf({ cause: "glitch", isGenuine: false }));
    const [main, api] = TOPOLOGY.sites;
    if (main === undefined || api === undefined) throw new RangeError("no sites");
    expect(model.causesOn([main, api], T0, T0 + minutes(90))).toEqual(["glitch", "outage"]);
    expect(model.causesOn([api], T0, T0 + minutes(90))).toEqual([]);
    expect(model.causesOn([main], T0, T0 + minutes(50))).toEqual([]);
  });

  test("only noise is named as noise", () => {
    const model = networkModelOf(
      eventOf(),
      eventOf({ cause: "glitch", isGenuine: false, sites: [1] }),
    );
    const [main, api] = TOPOLOGY.sites;
    if (main === undefined || api === undefined) throw new RangeError("no sites");
    expect(model.noiseOn([main], T0, T0 + minutes(90))).toBeUndefined();
    expect(model.noiseOn([main, api], T0, T0 + minutes(90))).toBe("glitch");
    expect(model.noiseOn([main, api], T0, T0 + minutes(30))).toBeUndefined();
  });

  test("past events are dropped when time advances", () => {
    const model = networkModelOf(eventOf({ cause: "offline", isGenuine: false }));
    expect(model.isOn("offline", T0 + minutes(90))).toBe(true);
    model.advance(T0 + minutes(300), T0 + minutes(310));
    expect(model.isOn("offline", T0 + minutes(90))).toBe(false);
    expect(codeOf(see(model, 0, 301))).toBe("ok");
  });
});
