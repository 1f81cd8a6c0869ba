import type { AnnotationKind, Catalogue, Endpoint } from "../../src/model/service/catalogue.ts";
import { CONNECTIVITY_STATES, FINE } from "../../src/model/service/connectivity.ts";
import { EMPTY_HISTORY, type History, type RunRecord } from "../../src/model/service/history.ts";
import type { EndpointResult } from "../../src/model/probe-outcome.ts";
import { fold } from "../../src/services/history/fold.ts";
import { buildSnapshot, buildDocuments } from "../../src/services/snapshot/api-documents.ts";
import { decide } from "../../src/services/verdict/decide.ts";
import { signalsOf } from "../../src/services/verdict/signals.ts";
import {
  catalogueOf,
  endpointOf,
  failed,
  minutes,
  ok,
  resultOf,
  runRecord,
  serviceOf,
  T0,
  traceOf,
} from "../model/samples.ts";

export interface Scenario {
  readonly story: string;
  readonly services: Readonly<
    Record<
      string,
      {
        readonly limits?: readonly AnnotationKind[];
        readonly isAbroad?: boolean;
        /** The network of its endpoints. */
        readonly network?: string;
        readonly endpoints: Readonly<Record<string, "critical" | "minor">>;
      }
    >
  >;
  readonly runs: readonly string[];
  readonly checkpoints: readonly {
    readonly minute: number;
    readonly surging?: readonly string[];
  }[];
}

export interface Checkpoint {
  readonly minute: number;
  readonly documents: Readonly<Record<string, unknown>>;
}

const RUN_EVERY_MINUTES = 5;

/** The documents at each checkpoint of a scenario. Throws for an unknown word or line. */
export function play(scenario: Scenario): readonly Checkpoint[] {
  const catalogue = readCatalogue(scenario);
  const networks = readNetworks(scenario);
  const runs = scenario.runs.flatMap((line) => readLine(line, networks));
  return scenario.checkpoints.map(({ minute, surging = [] }) => {
    const nowMs = T0 + minutes(minute);
    const due = runs.filter(({ atMs }) => atMs <= nowMs);
    const history = due.reduce((before, run) => fold(before, run, catalogue), EMPTY_HISTORY);
    return { minute, documents: documentsAt(history, catalogue, surging, nowMs) };
  });
}

function documentsAt(
  history: History,
  catalogue: Catalogue,
  surging: readonly string[],
  nowMs: number,
): Checkpoint["documents"] {
  const reports = new Map(surging.map((slug) => [slug, { hour: 30, day: 40, isSurging: true }]));
  const verdicts = new Map(
    catalogue.services.map((service) => {
      const known = history.services.get(service.slug);
      const counts = reports.get(service.slug) ?? { hour: 0, day: 0, isSurging: false };
      const signals = signalsOf(service, known, counts, nowMs);
      return [service.slug, decide(signals, known?.sinceMs ?? null)];
    }),
  );
  const snapshot = buildSnapshot(catalogue, verdicts, reports, history.updatedAtMs ?? nowMs);
  return Object.fromEntries(
    buildDocuments(snapshot).map(({ key, body }) => {
      const content: unknown = JSON.parse(new TextDecoder().decode(body));
      return [key, content];
    }),
  );
}

function readCatalogue({ services }: Scenario): Catalogue {
  return catalogueOf(
    Object.entries(services).map(([slug, { limits = [], isAbroad = false, endpoints }]) => {
      const all = Object.entries(endpoints).map(([name, weight]): Endpoint => {
        return endpointOf(urlOf(name), weight === "critical");
      });
      return { ...serviceOf(slug, all, limits), isAbroad };
    }),
  );
}

function readNetworks({ services }: Scenario): RunRecord["networks"] {
  return new Map(
    Object.values(services).flatMap(({ network, endpoints }) =>
      network === undefined
        ? []
        : Object.keys(endpoints).map((name) => [urlOf(name), network] as const),
    ),
  );
}

function urlOf(name: string): string {
  return `https://${name}.example.ru/`;
}

/** "10..25 congested half main=ok": minutes, conditions of the run, results of the endpoints. */
function readLine(line: string, networks: RunRecord["networks"]): readonly RunRecord[] {
  const [when = "", ...words] = line.split(" ");
  const [, from, to] = /^(\d+)(?:\.\.(\d+))?$/.exec(when) ?? [];
  if (from === undefined) throw new Error(`no minute in "${line}"`);
  const count = to === undefined ? 1 : (Number(to) - Number(from)) / RUN_EVERY_MINUTES + 1;
  const pairs = words.filter((word) => word.includes("=")).map(readPair);
  const state = CONNECTIVITY_STATES.find((each) => words.includes(each)) ?? "fine";
  const failingZones = words.filter((word) => word.startsWith(".")).map((word) => word.slice(1));
  return Array.from({ length: count }, (_, index) =>
    runRecord({
      atMs: T0 + minutes(Number(from) + RUN_EVERY_MINUTES * index),
      isCongested: words.includes("congested"),
      connectivity: { ...FINE, state, failingZones },
      results: new Map(pairs),
      networks,
    }),
  );
}

function readPair(word: string): readonly [string, EndpointResult] {
  const [name = "", outcome = ""] = word.split("=");
  return [urlOf(name), readOutcome(outcome)];
}

function readOutcome(word: string): EndpointResult {
  const [, ms] = /^ok:(\d+)$/.exec(word) ?? [];
  if (ms !== undefined) return resultOf(ok(Number(ms)));
  const read = WORDS[word];
  if (read === undefined) throw new Error(`unknown outcome "${word}"`);
  return read;
}

const WORDS: Readonly<Record<string, EndpointResult>> = {
  ok: resultOf(ok(200)),
  flaky: resultOf(ok(200), true),
  reset: resultOf(failed("tls-reset")),
  timeout: resultOf(failed("tcp-timeout")),
  "5xx": resultOf(failed("http-server-error")),
  "5xx-plain": resultOf(failed("http-server-error", { tlsVerified: null })),
  blockpage: resultOf(failed("http-block-page", { tlsVerified: null })),
  stub: resultOf(failed("dns-stub-address")),
  denied: resultOf({ kind: "denied", trace: traceOf(100) }),
  skipped: resultOf({ kind: "skipped", reason: "deadline" }),
};
