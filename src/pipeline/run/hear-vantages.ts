import type { Service } from "../../model/service/catalogue.ts";
import type { Outcome } from "../../model/probe-outcome.ts";
import type { Emit } from "../../model/run-event.ts";
import { type ObjectStore, StoreError } from "../../model/store.ts";
import { SECOND_MS } from "../../model/time.ts";
import type { Ask, AskMark, Vantage, VantagesState } from "../../model/service/vantage.ts";
import type { VantageAnswer, VantageNews } from "../../services/interference/fold-vantages.ts";
import { digestUrls } from "../../vantages/ask-codec.ts";
import { readEvidence, removeEvidence, writeAsk } from "../../vantages/exchange.ts";

/** Where a run meets its vantages. */
export interface VantageExchange {
  readonly vantages: readonly Vantage[];
  readonly store: ObjectStore;
  readonly newAskId: () => string;
}

/** A run waits no longer than this for the store of the exchange. Source: docs/services/vantages.md, "The exchange". */
const PATIENCE_MS = 2 * SECOND_MS;

/** What a run and its vantages say to each other. Nothing of it ever makes a run fail. */
export interface Conversation {
  /** Asks for the endpoints of the run, in the background. */
  readonly ask: (outcomes: ReadonlyMap<string, Outcome>) => void;
  /**
   * What the vantages have answered so far, for the publish of the first pass, or for that of the end. At the end the ask of the run is
   * part of the news; if something fails, the answers to it are read as well, which had the time of the confirmations.
   */
  readonly hear: (moment: "first-pass" | "quiet-end" | "failing-end") => Promise<VantageNews>;
}

export interface ConversationDependencies {
  readonly exchange?: VantageExchange;
  readonly emit: Emit;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A monotonic clock, milliseconds. */
  readonly now: () => number;
}

/** Begins to read the answers to the last asks. Without an exchange there is nothing to hear. */
export function openConversation(
  deps: ConversationDependencies,
  known: VantagesState,
  services: readonly Service[],
  atMs: number,
): Conversation {
  const { exchange } = deps;
  if (exchange === undefined)
    return { ask: () => undefined, hear: () => Promise.resolve({ vantages: [], answers: [] }) };
  const reader = createReader(exchange, services, deps.emit);
  const earlier = readEach(exchange.vantages, (vantage) =>
    reader(
      vantage,
      known.asks.toReversed().filter((ask) => isNewer(known, vantage, ask)),
    ),
  );
  const patience = createPatience(deps);
  let asked: Promise<AskMark | undefined> = Promise.resolve(undefined);
  return {
    ask: (outcomes) => {
      asked = sendAsk(deps, exchange, { known, services, atMs, outcomes });
    },
    hear: async (moment) => {
      const mark = moment === "first-pass" ? undefined : await patience(asked, undefined);
      const latest =
        mark === undefined || moment !== "failing-end"
          ? Promise.resolve([])
          : readEach(exchange.vantages, (vantage) => reader(vantage, [mark]));
      const old = await patience(earlier, []);
      const fresh = await patience(latest, []);
      const answers = new Map(
        [...old, ...fresh].map((answer) => [answer.evidence.vantage, answer] as const),
      );
      const standing = describeHeard(exchange, known, [...answers.keys()]);
      deps.emit({ event: "vantages-heard", ...standing });
      return { vantages: exchange.vantages, answers: [...answers.values()], ask: mark };
    },
  };
}

/** Whether an ask is newer than the last answer of a vantage that is known. */
function isNewer(known: VantagesState, { id }: Vantage, ask: AskMark): boolean {
  const place = known.asks.findIndex((one) => one.id === known.heard.get(id)?.askId);
  return known.asks.indexOf(ask) > place;
}

function describeHeard(
  { vantages }: VantageExchange,
  known: VantagesState,
  now: readonly string[],
): { readonly heard: readonly string[]; readonly silent: readonly string[] } {
  const ids = vantages.map(({ id }) => id);
  const believed = new Set(known.asks.map(({ id }) => id));
  const isHeard = (id: string): boolean =>
    now.includes(id) || believed.has(known.heard.get(id)?.askId ?? "");
  return { heard: ids.filter(isHeard), silent: ids.filter((id) => !isHeard(id)) };
}

async function readEach(
  vantages: readonly Vantage[],
  read: (vantage: Vantage) => Promise<VantageAnswer | undefined>,
): Promise<readonly VantageAnswer[]> {
  const answers = await Promise.all(vantages.map(read));
  return answers.filter((answer) => answer !== undefined);
}

type Reader = (vantage: Vantage, asks: readonly AskMark[]) => Promise<VantageAnswer | undefined>;

/** Reads the answer of a vantage to the first of some asks that it answered. */
function createReader(
  { store }: VantageExchange,
  services: readonly Service[],
  emit: Emit,
): Reader {
  const urls = urlsOf(services);
  const digest = digestUrls(urls);
  return async (vantage, asks) => {
    // The library for signatures is loaded only where there are vantages.
    const { verifyEvidence } = await import("../../vantages/evidence-codec.ts");
    for (const ask of asks) {
      // After a change of the catalogue it is not known which result belongs to which endpoint.
      if (ask.urls !== digest) continue;
      const bytes = await unlessBroken(() => readEvidence(store, vantage, ask.id), emit);
      if (bytes === undefined) continue;
      const expected = { vantage, askId: ask.id, urls: digest, count: urls.length };
      const read = await verifyEvidence(bytes, expected);
      if (read.kind === "ok") return { evidence: read.evidence, signed: read.signed, urls };
      emit({ event: "evidence-refused", vantage: vantage.id, reason: read.reason });
    }
    return undefined;
  };
}

interface AskInput {
  readonly known: VantagesState;
  readonly services: readonly Service[];
  readonly atMs: number;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

async function sendAsk(
  { emit }: ConversationDependencies,
  { vantages, store, newAskId }: VantageExchange,
  { known, services, atMs, outcomes }: AskInput,
): Promise<AskMark | undefined> {
  const failing = [...outcomes].flatMap(([url, outcome]) =>
    outcome.kind === "failed" || outcome.kind === "denied"
      ? [[url, outcome.trace.address ?? null] as const]
      : [],
  );
  const newest = known.asks.at(-1);
  const ask: Ask = {
    id: newAskId(),
    after: newest?.id ?? null,
    atMs,
    endpoints: services.flatMap(({ endpoints }) => endpoints),
    failing: new Map(failing),
  };
  const isWritten = await unlessBroken(async () => {
    await writeAsk(store, ask);
    return true;
  }, emit);
  if (isWritten === undefined) return undefined;
  const [dropped] = known.asks;
  if (dropped !== undefined && dropped !== newest) void removeEvidence(store, vantages, dropped.id);
  return { id: ask.id, atMs, urls: digestUrls(urlsOf(services)), failing: ask.failing };
}

function urlsOf(services: readonly Service[]): readonly string[] {
  return services.flatMap(({ endpoints }) => endpoints.map(({ url }) => url));
}

/** Undefined, and a line in the log, if the store fails. */
async function unlessBroken<T>(act: () => Promise<T>, emit: Emit): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    emit({ event: "exchange-failed", message: error.message });
    return undefined;
  }
}

type Patience = <T>(promise: Promise<T>, otherwise: T) => Promise<T>;

/** Waits for promises, for no longer than all of them together may take. */
function createPatience({ emit, now, sleep }: ConversationDependencies): Patience {
  let leftMs = PATIENCE_MS;
  return async (promise, otherwise) => {
    const startMs = now();
    const end = new AbortController();
    const late = sleep(leftMs, end.signal).then(() => "late" as const);
    const result = await Promise.race([promise, late]);
    end.abort("aborted");
    leftMs = Math.max(0, leftMs - (now() - startMs));
    if (result !== "late") return result;
    emit({ event: "exchange-failed", message: "the store of the exchange is slow" });
    return otherwise;
  };
}
