import type { MeasureDependencies } from "./measurement.ts";
import type { Service } from "../../model/service/catalogue.ts";
import type { Outcome } from "../../model/probe-outcome.ts";
import type { Emit } from "../../model/run-event.ts";
import { type ObjectStore, StoreError } from "../../model/store.ts";
import { SECOND_MS } from "../../model/time.ts";
import type { Ask, AskMark, Vantage, VantagesState } from "../../model/service/vantage.ts";
import type { VantageAnswer, VantageNews } from "../../services/interference/fold-vantages.ts";
import { mayBeFiltered } from "../../probe/browser/second-opinion.ts";
import { digestUrls, readEvidence, removeEvidence, writeAsk } from "../../vantages/exchange.ts";

/** Where a run meets its vantages. */
export interface VantageExchange {
  readonly vantages: readonly Vantage[];
  readonly store: ObjectStore;
  readonly newAskId: () => string;
}

/** A run waits no longer than this for the store of the exchange. Source: docs/services/vantages.md, "The exchange". */
const PATIENCE_MS = 2 * SECOND_MS;

/** What a run and its vantages say to each other. Nothing of it ever makes a run fail. */
export type Conversation = ReturnType<typeof openConversation>;

type ConversationDependencies = Pick<MeasureDependencies, "emit" | "now" | "sleep">;

/** Begins to read the answers to the last asks. Without an exchange there is nothing to hear. */
export function openConversation(
  deps: ConversationDependencies,
  exchange: VantageExchange | undefined,
  known: VantagesState,
  services: readonly Service[],
  atMs: number,
) {
  const nothing: VantageNews = { vantages: [], answers: [] };
  if (exchange === undefined) return { ask: () => undefined, hear: async () => nothing };
  const { vantages } = exchange;
  const urls = services.flatMap((service) => service.endpoints.map(({ url }) => url));
  const read = createReader(exchange, urls, deps.emit);
  const readEach = async (asksOf: (vantage: Vantage) => readonly AskMark[]) => {
    const answers = await Promise.all(vantages.map((vantage) => read(vantage, asksOf(vantage))));
    return answers.filter((answer) => answer !== undefined);
  };
  const earlier = readEach((vantage) => asksSince(known, vantage).toReversed());
  const patience = createPatience(deps);
  const questions = questionsOf(known, vantages, services);
  let asked: Promise<AskMark | undefined> = Promise.resolve(undefined);
  return {
    /** Asks for the endpoints of the run, in the background. */
    ask: (outcomes: ReadonlyMap<string, Outcome>): void => {
      const ask = { id: exchange.newAskId(), atMs, failing: failingIn(outcomes) };
      asked = unlessStoreFails(deps.emit, "exchange-failed", async () => {
        await writeAsk(exchange.store, { ...ask, ...questions });
        const [dropped, ...kept] = known.asks;
        if (dropped !== undefined && kept.length > 0)
          void removeEvidence(exchange.store, vantages, dropped.id);
        return { ...ask, urls: digestUrls(urls) };
      });
    },
    /**
     * What the vantages have answered so far, for the publish of the first pass, or for that of the end. At the end the ask of the run is
     * part of the news; if something fails, the answers to it are read as well, which had the time of the confirmations.
     */
    hear: async (moment: "first-pass" | "quiet-end" | "failing-end"): Promise<VantageNews> => {
      const ask = moment === "first-pass" ? undefined : await patience(asked, undefined);
      const isRead = ask !== undefined && moment === "failing-end";
      const latest = isRead ? readEach(() => [ask]) : Promise.resolve([]);
      const old = await patience(earlier, []);
      const fresh = await patience(latest, []);
      const answers = new Map(
        [...old, ...fresh].map((answer) => [answer.evidence.vantage, answer] as const),
      );
      const ids = vantages.map(({ id }) => id);
      const heard = ids.filter((id) => answers.has(id) || isBelieved(known, id));
      const silent = ids.filter((id) => !heard.includes(id));
      deps.emit({ event: "vantages-heard", heard, silent });
      return { vantages, answers: [...answers.values()], ask };
    },
  };
}

/** What is asked, and which of it places in Moscow ask as a browser, too. */
function questionsOf(
  { asks }: VantagesState,
  vantages: readonly Vantage[],
  services: readonly Service[],
): Omit<Ask, "id" | "atMs" | "failing"> {
  return {
    after: asks.at(-1)?.id ?? null,
    endpoints: services.flatMap((service) => service.endpoints),
    experimenters: vantages.filter(({ kind }) => kind === "moscow").map(({ id }) => id),
    browsers: services.flatMap((service) =>
      service.endpoints.filter((one) => mayBeFiltered(service, one)).map(({ url }) => url),
    ),
  };
}

/** The asks after the one that a vantage answered last. */
function asksSince(known: VantagesState, { id }: Vantage): readonly AskMark[] {
  const place = known.asks.findIndex((one) => one.id === known.heard.get(id)?.askId);
  return known.asks.slice(place + 1);
}

/** Whether the last answer of a vantage is to an ask that still counts. */
function isBelieved({ asks, heard }: VantagesState, vantage: string): boolean {
  return asks.some(({ id }) => id === heard.get(vantage)?.askId);
}

/** The addresses of the endpoints that fail, by URL. */
function failingIn(outcomes: ReadonlyMap<string, Outcome>): AskMark["failing"] {
  return new Map(
    [...outcomes].flatMap(([url, outcome]) =>
      outcome.kind === "failed" || outcome.kind === "denied"
        ? [[url, outcome.trace.address ?? null] as const]
        : [],
    ),
  );
}

/** Reads the answer of a vantage to the first of some asks that it answered. */
function createReader({ store }: VantageExchange, urls: readonly string[], emit: Emit) {
  const digest = digestUrls(urls);
  return async (vantage: Vantage, asks: readonly AskMark[]): Promise<VantageAnswer | undefined> => {
    // The library for signatures is loaded only where there are vantages.
    const { verifyEvidence } = await import("../../vantages/evidence-codec.ts");
    for (const { id: askId, urls: asked } of asks) {
      // After a change of the catalogue it is not known which result belongs to which endpoint.
      if (asked !== digest) continue;
      const readBytes = () => readEvidence(store, vantage, askId);
      const bytes = await unlessStoreFails(emit, "exchange-failed", readBytes);
      if (bytes === undefined) continue;
      const expected = { vantage, askId, urls: digest, count: urls.length };
      const read = await verifyEvidence(bytes, expected);
      if (read.kind === "ok") return { evidence: read.evidence, signed: read.signed, urls };
      emit({ event: "evidence-refused", vantage: vantage.id, reason: read.reason });
    }
    return undefined;
  };
}

/** Undefined, and an event, if the store fails. */
export async function unlessStoreFails<T>(
  emit: Emit,
  event: "archive-deferred" | "exchange-failed",
  act: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    emit({ event, message: error.message });
    return undefined;
  }
}

/** Waits for promises, for no longer than all of them together may take. */
function createPatience({ emit, now, sleep }: ConversationDependencies) {
  let leftMs = PATIENCE_MS;
  return async <T>(promise: Promise<T>, otherwise: T): Promise<T> => {
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
