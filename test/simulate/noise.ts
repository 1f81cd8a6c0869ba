import { DAY_MS, HOUR_MS } from "../../src/model/time.ts";
import { type Cause, type Effect, LAYERS, type NetworkEvent } from "./events.ts";
import {
  createRandom,
  drawBetween,
  drawLength,
  drawOne,
  drawTimes,
  type Random,
} from "./random.ts";
import { NOISE, SHAPES } from "./rates.ts";
import { NOTICE_PAGES } from "./pages.ts";
import { hashOf } from "./places.ts";
import { type Topology, networksOf, type Site } from "./sites.ts";

type NoiseKind = keyof typeof NOISE;
const LOST = ["tcp-timeout", "tls-timeout", "http-timeout"] as const;
/** 19 o'clock in Moscow. */
const EVENING_MS: number = 16 * HOUR_MS;

/** The span of a simulation: from `startMs` on, for `lengthMs`. */
export interface Span {
  readonly startMs: number;
  readonly lengthMs: number;
  readonly seed: number;
}

/** Events that make probes of healthy services fail. `times`: 1 is the realistic profile. */
export function makeNoise(topology: Topology, span: Span, times: number): readonly NetworkEvent[] {
  const { sites, subjects } = topology;
  const networks = networksOf(sites);
  const everything = [sites];
  const abroad = [sites.filter(({ place }) => place.isAbroad)];
  const home = [...networks].filter(([, [first]]) => first?.place.isAbroad === false);
  const minor = sites.filter((site) => site.service >= 0 && !site.isCritical);
  const services = subjects.map((subject) => subject.sites);
  const each = sites.map((site) => [site]);
  const domestic = subjects
    .filter(({ service }) => !service.isAbroad)
    .flatMap((subject) => subject.sites.map((site) => [site]));
  const draw = (
    cause: NoiseKind,
    groups: readonly (readonly Site[])[],
    layer: NetworkEvent["layer"],
    effectOf: (random: Random) => Effect,
  ): readonly NetworkEvent[] => {
    const random = createRandom(span.seed ^ hashOf(cause));
    const { per30Days, lengths } = NOISE[cause];
    const perMs = (per30Days * times) / (30 * DAY_MS);
    return groups.flatMap((group) =>
      drawTimes(perMs, span.lengthMs, random).map((at): NetworkEvent => {
        const startMs = span.startMs + at;
        const endMs = startMs + drawLength(lengths, random);
        const effect = effectOf(random);
        return { ...plain(cause, layer), startMs, endMs, sites: group.map(indexOf), effect };
      }),
    );
  };
  const slower =
    (low: number, high: number) =>
    (random: Random): Effect => {
      return { kind: "slower", factor: drawBetween(low, high, random) };
    };
  const losing =
    ({ low, high }: { low: number; high: number }) =>
    (random: Random): Effect => {
      return { kind: "fail", failures: LOST, ratio: drawBetween(low, high, random) };
    };
  const unreachable = (): Effect => ({ kind: "fail", failures: ["tcp-timeout"], ratio: 1 });
  return [
    ...draw("glitch", each, LAYERS.service, (random) => {
      const failures = [
        "tcp-timeout",
        "tls-reset",
        "bad-gateway",
        "http-timeout",
        "tcp-refused",
      ] as const;
      return { kind: "fail", failures: [drawOne(failures, random)], ratio: 1 };
    }),
    ...draw("wall", domestic, LAYERS.service, () => ({ kind: "wall" })),
    ...draw("loss", [...networks.values()], LAYERS.path, losing(SHAPES.lossRatio)),
    ...draw("route-gone", [...networks.values()], LAYERS.path, (random) => {
      return {
        kind: "fail",
        failures: [drawOne(["tcp-timeout", "tcp-unreachable"], random)],
        ratio: 1,
      };
    }),
    ...draw(
      "flapping",
      minor.map((site) => [site]),
      LAYERS.service,
      (random) => {
        const { low, high } = SHAPES.flappingRatio;
        return {
          kind: "fail",
          failures: ["http-timeout", "unavailable"],
          ratio: drawBetween(low, high, random),
        };
      },
    ),
    ...draw(
      "slow-evening",
      [...networks.values()],
      LAYERS.path,
      slower(SHAPES.eveningFactor.low, SHAPES.eveningFactor.high),
    ).map(toEvening),
    ...draw(
      "latency-step",
      each,
      LAYERS.path,
      slower(SHAPES.stepFactor.low, SHAPES.stepFactor.high),
    ),
    ...draw("resolver", everything, LAYERS.runner, () => {
      return {
        kind: "fail",
        failures: ["dns-timeout", "dns-servfail"],
        ratio: SHAPES.resolverRatio,
      };
    }),
    ...draw("offline", everything, LAYERS.runner, unreachable),
    ...halve(draw("half", everything, LAYERS.runner, unreachable), home, span.seed),
    ...draw("abroad-cut", abroad, LAYERS.runner, unreachable),
    ...draw("lossy-uplink", everything, LAYERS.runner, losing(SHAPES.lossyUplinkRatio)),
    ...draw(
      "congested",
      everything,
      LAYERS.runner,
      slower(SHAPES.congestedFactor.low, SHAPES.congestedFactor.high),
    ),
    ...draw("notice", services, LAYERS.service, (random) => {
      return { kind: "page", page: drawOne(NOTICE_PAGES, random) };
    }),
    ...draw("runner-stopped", everything, LAYERS.runner, () => ({ kind: "none" })),
  ];
}

function plain(cause: Cause, layer: NetworkEvent["layer"]) {
  return { cause, isGenuine: false, layer, subjects: [] } as const;
}

function indexOf({ index }: Site): number {
  return index;
}

function toEvening(event: NetworkEvent): NetworkEvent {
  const startMs = Math.floor(event.startMs / DAY_MS) * DAY_MS + EVENING_MS;
  return { ...event, startMs, endMs: startMs + event.endMs - event.startMs };
}

/** Gives each event another half of the domestic networks. */
function halve(
  events: readonly NetworkEvent[],
  home: readonly (readonly [string, readonly Site[]])[],
  seed: number,
): readonly NetworkEvent[] {
  return events.map((event, index) => {
    const isLost = ([name]: readonly [string, readonly Site[]]): boolean => {
      return createRandom(hashOf(name) ^ (seed * 7_919 + index))() < 0.5;
    };
    const sites = home.filter(isLost).flatMap(([, group]) => group.map(indexOf));
    return { ...event, sites: sites.toSorted((a, b) => a - b) };
  });
}
