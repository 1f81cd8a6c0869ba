import { accessOf } from "../../src/model/service/catalogue.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { type Cause, type Effect, LAYERS, type NetworkEvent } from "./events.ts";
import type { Span } from "./noise.ts";
import { WORKS_PAGES } from "./pages.ts";
import { hashOf } from "./places.ts";
import {
  createRandom,
  drawBetween,
  drawLength,
  drawOne,
  drawTimes,
  type Random,
} from "./random.ts";
import { ANNOTATED, GENUINE, OUTAGE_KINDS, type OutageKind, SHAPES } from "./rates.ts";
import { type Topology, networksOf, type Site, type Subject } from "./sites.ts";

type GenuineKind = keyof typeof GENUINE;
/** An overloaded service changes its failure about once per run, but not in step with the runs. */
const TURN_MS: number = 7 * MINUTE_MS;

interface DrawnEffect {
  readonly sites: readonly Site[];
  readonly effect: Effect;
}

/** Events that affect the services themselves: outages, blocks, refusals, surges of reports. */
export function makeGenuine(topology: Topology, span: Span): readonly NetworkEvent[] {
  const { subjects } = topology;
  const sites = topology.sites.filter(({ service }) => service >= 0);
  const draw = <T>(
    cause: GenuineKind,
    targets: readonly T[],
    effectOf: (target: T, random: Random) => DrawnEffect,
  ): readonly NetworkEvent[] => {
    const random = createRandom(span.seed ^ hashOf(cause));
    const { per30Days, lengths } = GENUINE[cause];
    return targets.flatMap((target) =>
      drawTimes(per30Days / (30 * DAY_MS), span.lengthMs, random).map((at): NetworkEvent => {
        const startMs = span.startMs + at;
        const endMs = startMs + drawLength(lengths, random);
        return { ...genuine(cause, effectOf(target, random)), startMs, endMs };
      }),
    );
  };
  return [
    ...makeLasting(subjects, span),
    ...draw("outage", subjects, drawOutage),
    ...draw("provider", ["all"], (_, random) => {
      return { sites: drawOne(largeNetworks(topology), random), effect: failing(["tcp-timeout"]) };
    }),
    ...draw("rolling-block", ["all"], (_, random) => {
      const stub = random() < SHAPES.stubShare;
      const reset = drawOne(["tls-reset", "tcp-timeout", "tls-timeout"] as const, random);
      return {
        sites: drawOne(largeNetworks(topology), random).filter(({ service }) => service >= 0),
        effect: failing([stub ? "dns-stub" : reset]),
      };
    }),
    ...draw("storm", subjects, (subject, random) => {
      const ratio = drawOne(SHAPES.stormRatios, random);
      return {
        sites: subject.sites,
        effect: { kind: "fail", failures: ["bad-gateway", "unavailable"], ratio },
      };
    }),
    ...draw("certificate", sites, (site) => ({ sites: [site], effect: failing(["cert-expired"]) })),
    ...draw("maintenance", subjects, (subject, random) => {
      const chance = random();
      const isSeen = chance < 0.5;
      return {
        sites: subject.sites,
        effect: isSeen
          ? failing(["unavailable"])
          : { kind: "page", page: drawOne(WORKS_PAGES, () => 2 * chance - 1) },
      };
    }),
    ...draw("zone-gone", ["all"], () => {
      const names = topology.sites.filter(({ place }) => place.isRuZone);
      return { sites: names, effect: failing(["dns-servfail", "dns-timeout"]) };
    }),
    ...draw("surge", subjects, (subject) => ({ sites: subject.sites, effect: { kind: "none" } })),
  ];
}

function genuine(
  cause: Cause,
  { sites, effect }: DrawnEffect,
): Omit<NetworkEvent, "startMs" | "endMs"> {
  const layer = cause === "rolling-block" ? LAYERS.path : LAYERS.service;
  const indexes = sites.map(({ index }) => index).toSorted((a, b) => a - b);
  const subjects = cause === "surge" ? [...new Set(sites.map(({ service }) => service))] : [];
  return { cause, isGenuine: true, layer, subjects, sites: indexes, effect };
}

function failing(failures: (Effect & { kind: "fail" })["failures"]): Effect {
  return { kind: "fail", failures, ratio: 1 };
}

/** The sites, anchors included, of each network with critical endpoints of at least three services. */
function largeNetworks({ sites }: Topology): readonly (readonly Site[])[] {
  const networks = [...networksOf(sites).values()];
  return networks.filter((all) => {
    const critical = all.filter(({ service, isCritical }) => service >= 0 && isCritical);
    return new Set(critical.map(({ service }) => service)).size >= 3;
  });
}

function drawOutage(subject: Subject, random: Random): DrawnEffect {
  const kind = drawKind(random());
  const minor = subject.sites.filter(({ isCritical }) => !isCritical);
  switch (kind) {
    case "timeouts":
      return {
        sites: subject.sites,
        effect: failing([drawOne(["tcp-timeout", "http-timeout"], random)]),
      };
    case "errors":
      return { sites: subject.sites, effect: failing(["bad-gateway", "unavailable"]) };
    case "mixed": {
      const failures = ["bad-gateway", "http-timeout"] as const;
      return { sites: subject.sites, effect: { kind: "in-turn", failures, turnMs: TURN_MS } };
    }
    case "resets":
      return {
        sites: subject.sites,
        effect: failing([drawOne(["tcp-refused", "tls-reset"], random)]),
      };
    case "main":
      return {
        sites: [subject.main],
        effect: failing([drawOne(["bad-gateway", "http-timeout"], random)]),
      };
    case "side":
      return {
        sites: minor.length === 0 ? subject.sites : [drawOne(minor, random)],
        effect: failing([drawOne(["bad-gateway", "http-timeout"], random)]),
      };
    case "slow": {
      const { low, high } = SHAPES.slowOutageMs;
      return {
        sites: subject.sites,
        effect: { kind: "takes", ms: drawBetween(low, high, random) },
      };
    }
  }
}

/** The kind of an outage for a chance in [0, 1). */
export function drawKind(chance: number): OutageKind {
  let sum = 0;
  return OUTAGE_KINDS.find(({ share }) => (sum += share) > chance)?.kind ?? "timeouts";
}

/** The state of annotated services, which lasts for the whole simulation. */
function makeLasting(subjects: readonly Subject[], span: Span): readonly NetworkEvent[] {
  const random = createRandom(span.seed ^ hashOf("lasting"));
  return subjects.flatMap((subject): readonly NetworkEvent[] => {
    const drawn = drawLasting(subject, [random(), random()], random);
    const wall = drawWall(subject, random(), random);
    const time = { startMs: span.startMs - HOUR_MS, endMs: span.startMs + 2 * span.lengthMs };
    return [
      ...(drawn === undefined || drawn.sites.length === 0
        ? []
        : [{ ...genuine("lasting", drawn), ...time }]),
      ...(wall === undefined
        ? []
        : [{ ...genuine("refusal", wall), isGenuine: false, layer: LAYERS.service, ...time }]),
    ];
  });
}

/** What the wall of an owner does to the runner for the whole simulation; undefined: it lets the runner in. */
function drawWall(
  { service, sites, main }: Subject,
  chance: number,
  random: Random,
): DrawnEffect | undefined {
  const refusing = sites.filter((_, index) =>
    service.endpoints[index]?.refuses?.includes("hosting"),
  );
  if (refusing.length > 0 && chance < ANNOTATED.refused + ANNOTATED.refusedAtTimes) {
    const ratio = chance < ANNOTATED.refused ? 1 : SHAPES.refusedRatio;
    const failure = drawOne(
      ["tls-timeout", "tcp-timeout", "tcp-reset", "tls-reset"] as const,
      random,
    );
    return { sites: refusing, effect: { kind: "fail", failures: [failure], ratio } };
  }
  if (service.isAbroad || chance < 1 - ANNOTATED.walled) return undefined;
  return { sites: [main], effect: { kind: "wall" } };
}

function drawLasting(
  { service, sites }: Subject,
  [first, second]: readonly [number, number],
  random: Random,
): DrawnEffect | undefined {
  const minor = sites.filter(({ isCritical }) => !isCritical).slice(-1);
  const dead = failing([drawOne(["tls-reset", "tcp-timeout", "dns-stub"], random)]);
  switch (accessOf(service)) {
    case "restricted":
      if (first < ANNOTATED.restrictedDead) return { sites, effect: dead };
      return second < ANNOTATED.restrictedSide ? { sites: minor, effect: dead } : undefined;
    case "slowed_ru":
    case "partial_ru":
      return first < ANNOTATED.limitedSide ? { sites: minor, effect: dead } : undefined;
    case "none": {
      const denying = sites.filter(({ canDeny }) => canDeny);
      return first < ANNOTATED.denied ? { sites: denying, effect: { kind: "denied" } } : undefined;
    }
  }
}
