import { decideServices } from "../src/pipeline/publish/decide-services.ts";
import { decodeState, encodeState } from "../src/state/codec/state.ts";
import { FINE } from "../src/model/service/connectivity.ts";
import { fold } from "../src/services/history/fold.ts";
import type { Catalogue } from "../src/model/service/catalogue.ts";
import type { ServiceEvidence } from "../src/model/service/evidence.ts";
import { EMPTY_HISTORY, type History, type RunRecord } from "../src/model/service/history.ts";
import type { EndpointResult, Outcome, Trace } from "../src/model/probe-outcome.ts";
import { EMPTY_STATE, type State } from "../src/model/state.ts";
import { MINUTE_MS } from "../src/model/time.ts";
import { saveState } from "../src/state/state-file.ts";
import { openStore } from "../src/store/open.ts";
import { buildDocuments } from "../src/services/snapshot/api-documents.ts";

const PERIOD_MS = 5 * MINUTE_MS;
/** Seven days. */
export const RUNS = 2_016;

/**
 * Seven days of synthetic runs, the last one a period before `nowMs`, folded by the program's own `fold`: response times are
 * around 200 ms, every fiftieth endpoint always fails, and one probe in two hundred is flaky. Deterministic.
 */
export function imagineSevenDays(catalogue: Catalogue, nowMs: number): State {
  const random = createRandom(1);
  let history: History = EMPTY_HISTORY;
  let record: RunRecord | undefined;
  for (let index = RUNS; index >= 1; index -= 1) {
    record = imagineRun(catalogue, nowMs - index * PERIOD_MS, random);
    history = fold(history, record, catalogue);
  }
  return { ...EMPTY_STATE, history, evidence: evidenceOf(catalogue, record) };
}

/** Saves the state of seven days in a folder. */
export async function saveSevenDays(catalogue: Catalogue, folder: string): Promise<void> {
  const opened = await openStore(`file:${folder}`, { role: "private" });
  if (opened.kind === "refused") throw new Error(opened.message);
  await saveState(opened.store, imagineSevenDays(catalogue, Date.now()), undefined);
}

/** One synthetic run. */
export function imagineRun(catalogue: Catalogue, atMs: number, random: () => number): RunRecord {
  const endpoints = catalogue.services.flatMap((service) => service.endpoints);
  const results = endpoints.map(({ url }, index): [string, EndpointResult] => {
    const outcome = index % 50 === 49 ? fail(url) : answer(url, random);
    const isFlaky = outcome.kind === "ok" && random() < 0.005;
    // So that a quiet run asks a browser about a third of what it would ask at first.
    const browser = { isOpen: outcome.kind === "ok", atMs };
    return [url, { outcome, isFlaky, attempts: [outcome], browser }];
  });
  const anchors = catalogue.anchors.map(({ url }): [string, Outcome] => [url, answer(url, random)]);
  return {
    atMs,
    isCongested: false,
    connectivity: FINE,
    results: new Map(results),
    anchors: new Map(anchors),
    networks: new Map(endpoints.map(({ url }) => [url, "TEST-NET-1"])),
  };
}

function answer(url: string, random: () => number): Outcome {
  const totalMs = Math.round(180 + 80 * random() ** 2);
  const timings = {
    dnsMs: 12,
    tcpMs: 11,
    tlsMs: 24,
    firstByteMs: totalMs - 60,
    bodyMs: 13,
    totalMs,
  };
  const seen = { httpStatus: 200, bodyBytes: 65_536, rawBytes: 72_000, tlsVerified: true };
  return { kind: "ok", trace: { url, redirects: 0, address: "192.0.2.1", ...seen, timings } };
}

function fail(url: string): Outcome {
  const trace: Trace = {
    url,
    redirects: 0,
    address: "192.0.2.1",
    bodyBytes: 0,
    rawBytes: 0,
    tlsVerified: null,
    timings: { dnsMs: 12, tcpMs: 5_000, totalMs: 5_012 },
  };
  return { kind: "failed", stage: "tcp", code: "tcp-timeout", trace };
}

function evidenceOf(
  catalogue: Catalogue,
  record: RunRecord | undefined,
): ReadonlyMap<string, ServiceEvidence> {
  return new Map(
    catalogue.services.map(({ slug, endpoints }) => {
      const seen = endpoints.flatMap(({ url }) => {
        const result = record?.results.get(url);
        return result === undefined ? [] : [{ url, result }];
      });
      return [slug, { runAtMs: record?.atMs ?? 0, endpoints: seen }];
    }),
  );
}

/** The generator of Park and Miller, 0–1, so that every bench measures the same history. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The cost of the pure parts of one run with a history. */
export interface CoreCost {
  readonly decodeMs: number;
  readonly foldMs: number;
  /** Decides all verdicts and builds the 86 documents. */
  readonly concludeMs: number;
  readonly encodeMs: number;
}

/** Measures all steps of a run except probing and writing, once. */
export function measureCore(bytes: Uint8Array, catalogue: Catalogue, nowMs: number): CoreCost {
  const decoded = timed(() => decodeState(bytes));
  if (decoded.value.kind !== "ok") throw new Error(decoded.value.message);
  const { value: state } = decoded.value;
  const record = imagineRun(catalogue, nowMs, createRandom(2));
  const folded = timed(() => fold(state.history, record, catalogue));
  const concluded = timed(() =>
    buildDocuments(decideServices(catalogue, folded.value, new Map(), nowMs, nowMs)),
  );
  const encoded = timed(() => encodeState({ ...state, history: folded.value }));
  return {
    decodeMs: decoded.ms,
    foldMs: folded.ms,
    concludeMs: concluded.ms,
    encodeMs: encoded.ms,
  };
}

function timed<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const startMs = performance.now();
  const value = work();
  return { value, ms: performance.now() - startMs };
}
