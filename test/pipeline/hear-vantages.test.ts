import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, type CryptoKey } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { sleep } from "../../src/setup/io.ts";
import type { RunEvent } from "../../src/model/run-event.ts";
import { EMPTY_STATE, type State } from "../../src/model/state.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { DAY_MS, MINUTE_MS } from "../../src/model/time.ts";
import type { Ask, Vantage, VantageEvidence } from "../../src/model/service/vantage.ts";
import { type Conversation, openConversation } from "../../src/pipeline/run/hear-vantages.ts";
import { applyClaims, judgeScopes } from "../../src/pipeline/publish/judge-scopes.ts";
import { foldVantages } from "../../src/services/interference/fold-vantages.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { digestUrls, putEvidence, createAskReader } from "../../src/vantages/exchange.ts";
import { signEvidence } from "../../src/vantages/evidence-codec.ts";
import { endpointOf, failed, resultOf, serviceHistoryOf, T0, serviceOf } from "../model/samples.ts";

const URL_A = "https://a.ru/";
const SERVICE = { ...serviceOf("a", [endpointOf(URL_A, true)]), isAbroad: true };
const CUT = {
  ...resultOf(failed("tls-reset", { address: "192.0.2.1" })),
  experiment: [{ kind: "neutral-name", answer: "answered" }] as const,
};

/** A service that is cut by name since the last run. */
const FAILING: State = {
  ...EMPTY_STATE,
  history: {
    ...EMPTY_STATE.history,
    updatedAtMs: T0,
    services: new Map([["a", serviceHistoryOf({ checkClass: "failing", sinceMs: T0 })]]),
  },
  evidence: new Map([["a", { runAtMs: T0, endpoints: [{ url: URL_A, result: CUT }] }]]),
};

type Key = { readonly id: string; readonly privateKey: CryptoKey };

let store: ObjectStore;
let vantages: readonly Vantage[];
let keys: readonly Key[];
const events: RunEvent[] = [];

beforeEach(async () => {
  store = createMemoryStore();
  events.length = 0;
  const made = await Promise.all(
    ["fra", "hel"].map(async (id, at) => {
      const pair = await generateKeyPair("EdDSA", { crv: "Ed25519" });
      const { x = "" } = await exportJWK(pair.publicKey);
      const kind = "control" as const;
      const vantage = { id, kind, country: "DE", asn: at + 1, network: id, publicKey: x };
      return { vantage, key: { id, privateKey: pair.privateKey } };
    }),
  );
  vantages = made.map(({ vantage }) => vantage);
  keys = made.map(({ key }) => key);
});

/** What hangs is given up at once, so it must not be a store that has to do something. */
const giveUp = (): Promise<void> => Promise.resolve();

const converse = (
  state: State,
  exchangeStore: ObjectStore = store,
  patience: typeof sleep = sleep,
): Conversation =>
  openConversation(
    { emit: (event) => void events.push(event), sleep: patience, now: () => 0 },
    { vantages, store: exchangeStore, newAskId: () => randomUUID() },
    state.vantages,
    [SERVICE],
    T0,
  );

/** Nothing answers the runner, so nothing counts towards calibration. */
const SILENT = { counts: () => false, statuses: new Map(), isListed: () => true };

/** The state after a run that asks and hears what was answered before. */
async function runOnce(state: State): Promise<State> {
  const conversation = converse(state);
  conversation.ask(new Map([[URL_A, CUT.outcome]]));
  const news = await conversation.hear("quiet-end");
  const heard = { ...state, vantages: foldVantages(state.vantages, news, SILENT, T0) };
  const scopes = judgeScopes({ services: [SERVICE] }, heard, T0);
  return { ...heard, history: applyClaims(heard.history, { services: [SERVICE] }, scopes, T0) };
}

async function newestAsk(): Promise<Ask> {
  const ask = await createAskReader(store, () => undefined)();
  if (ask === undefined) throw new Error("no ask");
  return ask;
}

const evidenceOf = (ask: Ask, id: string, changes: Partial<VantageEvidence> = {}) => ({
  vantage: id,
  askId: ask.id,
  urls: digestUrls([URL_A]),
  atMs: T0,
  connectivity: "fine" as const,
  isWhiteList: null,
  results: [{ code: "ok" as const, ms: 10, address: "192.0.2.1", sameAddress: "works" as const }],
  ...changes,
});

/** Each vantage answers an ask; the first one with these changes. */
async function answer(ask: Ask, changes: Partial<VantageEvidence> = {}): Promise<void> {
  for (const [at, { id, privateKey }] of keys.entries()) {
    const evidence = evidenceOf(ask, id, at === 0 ? changes : {});
    await putEvidence(store, id, ask.id, await signEvidence(evidence, privateKey));
  }
}

const claimsOf = ({ history }: State): readonly string[] =>
  (history.services.get("a")?.claims ?? []).map(({ url }) => url);

const refusals = (): readonly string[] =>
  events.flatMap((event) => (event.event === "evidence-refused" ? [event.reason] : []));

test("two honest answers claim what is cut", async () => {
  const asked = await runOnce(FAILING);
  expect(claimsOf(asked)).toEqual([]);
  await answer(await newestAsk());
  expect(claimsOf(await runOnce(asked))).toEqual([URL_A]);
  expect(refusals()).toEqual([]);
});

test("a clock that is a day off moves nothing: the answer is believed all the same", async () => {
  const asked = await runOnce(FAILING);
  await answer(await newestAsk(), { atMs: T0 + DAY_MS });
  expect(claimsOf(await runOnce(asked))).toEqual([URL_A]);
});

describe("moves nothing:", () => {
  test.each<[string, Partial<VantageEvidence>]>([
    ["one that is offline", { connectivity: "offline" }],
    ["one that lies: it does not open there", { results: [{ code: "tcp-timeout", ms: 1 }] }],
    ["one that probed nothing", { results: [{ code: "skipped", ms: 0 }] }],
    ["one behind a white list", { isWhiteList: true }],
  ])("%s", async (_, changes) => {
    const asked = await runOnce(FAILING);
    await answer(await newestAsk(), changes);
    expect(claimsOf(await runOnce(asked))).toEqual([]);
  });

  test("a lie that a service works, while it works here", async () => {
    const healthy: State = { ...FAILING, evidence: new Map() };
    const asked = await runOnce(healthy);
    await answer(await newestAsk(), { results: [{ code: "tcp-timeout", ms: 1 }] });
    const after = await runOnce(asked);
    expect(after.history).toEqual(healthy.history);
  });

  test("one that is silent", async () => {
    const asked = await runOnce(FAILING);
    const ask = await newestAsk();
    const [, second] = keys;
    if (second === undefined) throw new Error("no second vantage");
    const bytes = await signEvidence(evidenceOf(ask, second.id), second.privateKey);
    await putEvidence(store, second.id, ask.id, bytes);
    expect(claimsOf(await runOnce(asked))).toEqual([]);
    expect(events.at(-1)).toEqual({ event: "vantages-heard", heard: ["hel"], silent: ["fra"] });
  });

  test("answers that come after two more asks", async () => {
    const asked = await runOnce(FAILING);
    const ask = await newestAsk();
    const later = await runOnce(await runOnce(asked));
    await answer(ask);
    expect(claimsOf(await runOnce(later))).toEqual([]);
  });

  test("answers to an earlier ask, put again under a new one", async () => {
    const asked = await runOnce(FAILING);
    const old = await newestAsk();
    const next = await runOnce(asked);
    const ask = await newestAsk();
    for (const { id, privateKey } of keys)
      await putEvidence(store, id, ask.id, await signEvidence(evidenceOf(old, id), privateKey));
    expect(claimsOf(await runOnce(next))).toEqual([]);
    expect(refusals()).toEqual(["other-ask", "other-ask"]);
  });

  test("answers that others signed, and what is no answer", async () => {
    const asked = await runOnce(FAILING);
    const ask = await newestAsk();
    const [first, second] = keys;
    if (first === undefined || second === undefined) throw new Error("no keys");
    const forged = await signEvidence(evidenceOf(ask, first.id), second.privateKey);
    await putEvidence(store, first.id, ask.id, forged);
    await putEvidence(store, second.id, ask.id, Buffer.alloc(1_000_000));
    expect(claimsOf(await runOnce(asked))).toEqual([]);
    expect(refusals().toSorted()).toEqual(["bad-signature", "too-large"]);
  });
});

test("a claim stays while a control is silent, and ends with the outage", async () => {
  const asked = await runOnce(FAILING);
  await answer(await newestAsk());
  const claimed = await runOnce(asked);
  const silent = await runOnce(await runOnce(await runOnce(claimed)));
  expect(claimsOf(silent)).toEqual([URL_A]);
  const over = new Map([["a", serviceHistoryOf({ checkClass: "up" })]]);
  const healthy = { ...silent, history: { ...silent.history, services: over } };
  expect(claimsOf(await runOnce(healthy))).toEqual([]);
});

describe("the run goes on with a store that", () => {
  const broken = (act: () => Promise<never>): ObjectStore => ({
    ...createMemoryStore(),
    read: act,
    write: act,
  });

  test.each<[string, () => Promise<never>]>([
    ["it is down", () => Promise.reject(new StoreError("read", "ask", "it is down"))],
    ["the store of the exchange is slow", () => new Promise<never>(() => undefined)],
  ])("fails or hangs: %s", async (message, act) => {
    const asked = await runOnce(FAILING);
    const conversation = converse(asked, broken(act), giveUp);
    conversation.ask(new Map([[URL_A, CUT.outcome]]));
    expect(await conversation.hear("failing-end")).toMatchObject({ answers: [], ask: undefined });
    expect(events).toContainEqual({ event: "exchange-failed", message });
  });
});

test("answers about another catalogue are left alone", async () => {
  const asked = await runOnce(FAILING);
  await answer(await newestAsk());
  const url = "https://b.ru/";
  const other = { ...SERVICE, endpoints: SERVICE.endpoints.map((one) => ({ ...one, url })) };
  const conversation = openConversation(
    { emit: (event) => void events.push(event), sleep, now: () => 0 },
    { vantages, store, newAskId: () => randomUUID() },
    asked.vantages,
    [other],
    T0 + 5 * MINUTE_MS,
  );
  expect(await conversation.hear("quiet-end")).toMatchObject({ answers: [] });
  expect(refusals()).toEqual([]);
});

test("another key under the same id is another vantage", async () => {
  const asked = await runOnce(FAILING);
  await answer(await newestAsk());
  const claimed = await runOnce(asked);
  expect(claimed.vantages.heard.size).toBe(2);
  vantages = vantages.map((one) => (one.id === "fra" ? { ...one, publicKey: "new" } : one));
  const after = await runOnce(claimed);
  expect([...after.vantages.heard.keys()]).toEqual(["hel"]);
});
