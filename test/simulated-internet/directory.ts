import { HEALTHY, type Behaviour, type SimpleBehaviour } from "./behaviour.ts";

export type Scheme = "http" | "https";

/** Counters of one host, over both schemes. */
export interface HostStats {
  /** Connections that named the host (by SNI or Host header). */
  readonly connections: number;
  /** Connections that are neither completely answered nor closed. */
  readonly open: number;
  readonly peakOpen: number;
  /** The last 50 request heads, oldest first. */
  readonly requests: readonly string[];
}

/** The behaviour of each host. Keys: `example.ru`, `https://example.ru`, `https://example.ru/path?query`. */
export interface Directory {
  /** Throws for an unknown kind, and for a behaviour that its key does not allow. */
  set(key: string, behaviour: Behaviour): void;
  /** The behaviour of the host and scheme, or the fallback. */
  find(scheme: Scheme, host: string): Behaviour;
  /** The behaviour of a new connection; takes one step of a sequence. */
  connect(scheme: Scheme, host: string): SimpleBehaviour;
  /** The behaviour of exactly this URL, if any; takes one step of a sequence. */
  request(scheme: Scheme, host: string, path: string): SimpleBehaviour | undefined;
  /** Counts a connection; call the returned function at its end (idempotent). */
  open(host: string): () => void;
  note(host: string, requestHead: string): void;
  stats(host: string): HostStats;
}

interface Entry {
  readonly behaviour: Behaviour;
  readonly setAtMs: number;
  taken: number;
}

interface Counters {
  connections: number;
  open: number;
  peakOpen: number;
  requests: string[];
}

const REQUESTS_KEPT = 50;

/** `fallback` is the behaviour of hosts without an entry; by default, a healthy page. */
export function openDirectory(fallback: Behaviour = HEALTHY): Directory {
  const entries = new Map<string, Entry>();
  const counters = new Map<string, Counters>();
  const rest: Entry = { behaviour: fallback, setAtMs: performance.now(), taken: 0 };

  function entryOf(scheme: Scheme, host: string): Entry {
    return entries.get(`${scheme}://${host}`) ?? entries.get(host) ?? rest;
  }

  function countersOf(host: string): Counters {
    const known = counters.get(host) ?? { connections: 0, open: 0, peakOpen: 0, requests: [] };
    counters.set(host, known);
    return known;
  }

  return {
    set(key, behaviour) {
      checkBehaviour(key, behaviour);
      entries.set(key.toLowerCase(), { behaviour, setAtMs: performance.now(), taken: 0 });
    },
    find: (scheme, host) => entryOf(scheme, host.toLowerCase()).behaviour,
    connect: (scheme, host) => takeStep(entryOf(scheme, host)),
    request(scheme, host, path) {
      const entry = entries.get(`${scheme}://${host}${path}`.toLowerCase());
      return entry === undefined ? undefined : takeStep(entry);
    },
    open(host) {
      const counted = countersOf(host);
      counted.connections += 1;
      counted.open += 1;
      counted.peakOpen = Math.max(counted.peakOpen, counted.open);
      let isOver = false;
      return () => {
        if (!isOver) counted.open -= 1;
        isOver = true;
      };
    },
    note(host, requestHead) {
      const { requests } = countersOf(host);
      requests.push(requestHead);
      if (requests.length > REQUESTS_KEPT) requests.shift();
    },
    stats(host) {
      const found = countersOf(host.toLowerCase());
      return { ...found, requests: [...found.requests] };
    },
  };
}

function takeStep(entry: Entry): SimpleBehaviour {
  const { behaviour } = entry;
  if (behaviour.kind === "sequence") {
    const step = behaviour.steps[Math.min(entry.taken, behaviour.steps.length - 1)];
    entry.taken += 1;
    return step ?? HEALTHY;
  }
  if (behaviour.kind === "schedule") {
    const ageMs = performance.now() - entry.setAtMs;
    return behaviour.steps.findLast((step) => step.fromMs <= ageMs)?.behaviour ?? HEALTHY;
  }
  return behaviour;
}

/** The level of each kind; a record, so that the compiler requires an entry for a new kind. */
const PLACE: Record<SimpleBehaviour["kind"], "host" | "connection" | "request"> = {
  dns: "host",
  "tcp-refused": "host",
  "tcp-blackhole": "host",
  "tcp-reset": "host",
  "tls-reset": "connection",
  "tls-close": "connection",
  "tls-silence": "connection",
  "tls-alert": "connection",
  "tls-plain-http": "connection",
  "tls-garbage": "connection",
  page: "request",
  "http-silence": "request",
  "http-reset": "request",
  "http-close": "request",
  "http-malformed": "request",
  "headers-endless": "request",
  "headers-drip": "request",
  "headers-many": "request",
  "informational-flood": "request",
  redirect: "request",
  "redirect-loop": "request",
  "redirect-endless": "request",
  "legal-refusal": "request",
  "block-page": "request",
  denial: "request",
  "body-stall": "request",
  "body-close": "request",
  "body-reset": "request",
  "body-drip": "request",
  "body-endless": "request",
  "body-bad-chunk": "request",
  "body-overrun": "request",
  "body-two-lengths": "request",
  "body-bomb": "request",
};

/** Scenario files are written by hand, so mistakes must throw. */
function checkBehaviour(key: string, behaviour: Behaviour): void {
  const isStepped = behaviour.kind === "sequence" || behaviour.kind === "schedule";
  const steps = stepsOf(behaviour);
  if (steps.length === 0) throw new Error(`${key}: a ${behaviour.kind} without steps`);
  const isForUrl = /^https?:\/\/[^/]+\//u.test(key);
  for (const step of steps) {
    const place = PLACE[step.kind];
    if (place === undefined) throw new Error(`${key}: unknown behaviour kind "${step.kind}"`);
    if (place === "host" && isStepped) {
      throw new Error(`${key}: "${step.kind}" cannot be a step, it applies to a whole host`);
    }
    if (isForUrl && place !== "request") {
      throw new Error(`${key}: "${step.kind}" happens before any URL is known`);
    }
    const hasPath = "certificate" in step || "wire" in step;
    if (hasPath && isForUrl) throw new Error(`${key}: a certificate or wire belongs to the host`);
  }
}

function stepsOf(behaviour: Behaviour): readonly SimpleBehaviour[] {
  if (behaviour.kind === "sequence") return behaviour.steps;
  if (behaviour.kind === "schedule") return behaviour.steps.map((step) => step.behaviour);
  return [behaviour];
}
