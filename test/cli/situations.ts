import type { Behaviour } from "../simulated-internet/behaviour.ts";
import {
  at,
  CONTROLS,
  EVERYWHERE,
  HOMES,
  type PlaceName,
  type Published,
  type Situation,
} from "./world.ts";

/* Labelled cases: is it blocked, or down? What filters and faults do, and what has to be published. */

const RUSSIA = ["moscow", ...HOMES] as const;

/** Source: data/blockpages.json. */
const STUB = "62.33.207.196";

const dns = (behaviour: Extract<Behaviour, { kind: "dns" }>["dns"]): Behaviour => {
  return { kind: "dns", dns: behaviour };
};
const wire = (afterRawBytes: number, ending: "silence" | "reset"): Behaviour => {
  return { kind: "page", wire: { kind: "cut", afterRawBytes, ending } };
};
const page = (fields: Partial<Extract<Behaviour, { kind: "page" }>>): Behaviour => {
  return { kind: "page", ...fields };
};
const RESET = { kind: "tls-reset" } as const;
const SILENCE = { kind: "tls-silence" } as const;
const ALERT = { kind: "tls-alert", alert: "handshake_failure" } as const;

export interface Case extends Situation {
  readonly isBlocked: boolean;
}

const cut = (name: string, behaviour: Behaviour, box: Partial<Situation> = {}): Case => {
  return { name, isBlocked: true, at: at(RUSSIA, behaviour), ...box };
};
const down = (
  name: string,
  behaviour: Behaviour,
  places: readonly PlaceName[] = EVERYWHERE,
): Case => {
  return { name, isBlocked: false, at: at(places, behaviour) };
};

export const CASES: readonly Case[] = [
  cut("reset-by-name", RESET),
  cut("silence-by-name", SILENCE),
  cut("closed-by-name", { kind: "tls-close" }),
  cut("alert-by-name", ALERT),
  cut("reset-of-http", { kind: "http-reset" }),
  cut("closed-http", { kind: "http-close" }),
  cut("silence-of-http", { kind: "http-silence" }),
  cut("stub-address", dns({ kind: "answer", addresses: [STUB] })),
  cut("denied-name", dns({ kind: "nxdomain" })),
  cut("frozen-after-16-kb", wire(16_384, "silence")),
  cut("reset-after-20-kb", wire(20_000, "reset")),
  cut("foreign-certificate", page({ certificate: "unknown-issuer" })),
  // Only listed names pass to the hoster, so the first neutral name is cut as well.
  cut("listed-names-pass", RESET, { others: RESET, listed: ["ya.ru"] }),
  down("resets", RESET),
  down("silent", SILENCE),
  down("closes", { kind: "tls-close" }),
  down("resets-http", { kind: "http-reset" }),
  down("closes-http", { kind: "http-close" }),
  down("refuses", { kind: "tcp-refused" }),
  down("drops", { kind: "tcp-blackhole" }),
  down("expired", page({ certificate: "expired" })),
  down("wrong-name", page({ certificate: "wrong-host" })),
  down("error-503", page({ status: 503 })),
  down("no-name", dns({ kind: "nxdomain" })),
  down("stalls", { kind: "body-stall", afterBytes: 16_000 }),
  // Asymmetry alone: lost peering, an owner that drops Russia, a resolver with a fault of its own.
  down("drops-russia", { kind: "tcp-blackhole" }, RUSSIA),
  down("refuses-russia", { kind: "tcp-refused" }, RUSSIA),
  down("expired-in-russia", page({ certificate: "expired" }), RUSSIA),
  down("resolver-fails", dns({ kind: "servfail" }), RUSSIA),
  down("name-server-silent", dns({ kind: "silent" }), RUSSIA),
  // A broken edge that one control uses as well.
  down("edge-resets", RESET, [...RUSSIA, "syd"]),
  down("edge-closes", { kind: "http-close" }, [...RUSSIA, "gru"]),
  // The owner answers every handshake from Russia with an alert, or resets it, whatever the name.
  {
    name: "owner-alerts",
    isBlocked: false,
    at: at(RUSSIA, ALERT),
    others: ALERT,
  },
  {
    name: "owner-resets",
    isBlocked: false,
    at: at(RUSSIA, RESET),
    others: RESET,
  },
  // The origin is dead, and a wall tells the controls 403 before it asks.
  {
    name: "dead-behind-wall",
    isBlocked: false,
    at: { ...at(RUSSIA, { kind: "http-silence" }), ...at(CONTROLS, page({ status: 403 })) },
  },
];

/** What is published where places in Moscow differ; another service in the same network is healthy everywhere. */
export const DIFFERING: readonly (readonly [Situation, Published])[] = [
  [
    { name: "cut-at-home", at: at(HOMES, RESET) },
    { code: "restricted_fail", scope: "access", blockedBy: "experiment" },
  ],
  [
    { name: "frozen-at-home", at: at(HOMES, wire(16_384, "silence")) },
    { code: "restricted_fail", scope: "access", blockedBy: "experiment" },
  ],
  [
    { name: "dropped-at-home", at: at(HOMES, { kind: "tcp-blackhole" }) },
    { code: "fail", scope: "access", blockedBy: null },
  ],
  [
    { name: "error-at-home", at: at(HOMES, page({ status: 503 })) },
    { code: "fail", scope: "network", blockedBy: null },
  ],
  [
    {
      name: "no-browser-at-home",
      at: {},
      filter: { mark: "grease", drops: "having" },
      filteredAt: HOMES,
    },
    { code: "fail", scope: "access", blockedBy: null },
  ],
  [
    {
      name: "no-program-at-home",
      at: {},
      filter: { mark: "grease", drops: "lacking" },
      filteredAt: HOMES,
    },
    { code: "ok", scope: "none", blockedBy: null },
  ],
  [
    { name: "cut-on-one-line", at: at(["mts"], RESET) },
    { code: "ok", scope: "none", blockedBy: null },
  ],
  [
    { name: "cut-in-data-centre", at: at(["moscow"], RESET) },
    { code: "ok", scope: "network", blockedBy: null },
  ],
];

const throttled = (kilobytes: number): Situation => {
  const wire = { kind: "throttle", bytesPerSecond: kilobytes * 1_000 } as const;
  return { name: `throttled-to-${kilobytes}-kb`, at: at(["moscow"], page({ wire })) };
};

/** What is published where a page of 70 kB comes slowly. */
export const THROTTLED: readonly (readonly [Situation, Published])[] = [
  [throttled(20), { code: "ok", scope: "none", blockedBy: null }],
  [throttled(5), { code: "slow", scope: "none", blockedBy: null }],
];

const NOT_GREEN = { code: "fail", scope: "client", blockedBy: null };
const OPENS = { code: "ok", scope: "client", blockedBy: null };

/** What is published where a filter looks at the ClientHello of the client. */
export const BY_CLIENT: readonly (readonly [Situation, Published])[] = [
  [{ name: "no-grease", at: {}, filter: { mark: "grease", drops: "having" } }, NOT_GREEN],
  [{ name: "no-hybrid", at: {}, filter: { mark: "hybrid-key", drops: "having" } }, NOT_GREEN],
  [{ name: "no-h2", at: {}, filter: { mark: "alpn-h2", drops: "having" } }, NOT_GREEN],
  [{ name: "no-program", at: {}, filter: { mark: "grease", drops: "lacking" } }, OPENS],
  [
    {
      name: "no-program-by-name",
      at: {},
      filter: { mark: "grease", drops: "lacking" },
      isFilteredByName: true,
    },
    OPENS,
  ],
];

const SLOW_KINDS: ReadonlySet<Behaviour["kind"]> = new Set([
  "tls-silence",
  "http-silence",
  "tcp-blackhole",
  "body-stall",
]);

/** Whether no one has to wait until a time-out. */
export function isQuick({ at: behaviours }: Situation): boolean {
  return Object.values(behaviours).every((behaviour) => {
    if (behaviour.kind === "dns") return behaviour.dns.kind !== "silent";
    const isFrozen = "wire" in behaviour && behaviour.wire?.kind === "cut";
    return !SLOW_KINDS.has(behaviour.kind) && !isFrozen;
  });
}
