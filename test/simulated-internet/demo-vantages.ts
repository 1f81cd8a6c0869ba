import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import type { State } from "../../src/model/state.ts";
import { toUtcDay } from "../../src/model/time.ts";
import type {
  Ask,
  Vantage,
  VantageEvidence,
  VantageResult,
} from "../../src/model/service/vantage.ts";
import type { VantageExchange } from "../../src/pipeline/run/hear-vantages.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { digestUrls, putEvidence, createAskReader } from "../../src/vantages/exchange.ts";
import { signEvidence } from "../../src/vantages/evidence-codec.ts";
import { SCENARIOS } from "./demo-scenarios.ts";

/** The places of the demo beside the runner. */
export const DEMO_PLACES = ["fra", "hel", "msk2"] as const;
export type DemoPlace = (typeof DEMO_PLACES)[number];

const ABOUT: Readonly<Record<DemoPlace, Omit<Vantage, "id" | "publicKey">>> = {
  fra: { kind: "control", country: "DE", asn: 24_940, network: "Hetzner" },
  hel: { kind: "control", country: "FI", asn: 202_053, network: "UpCloud" },
  msk2: { kind: "moscow", country: "RU", asn: 8_359, network: "МТС" },
};

/** The vantages of the demo, which answer by the scenarios: with real keys and signatures, over a real exchange. */
export interface DemoVantages {
  readonly exchange: VantageExchange;
  /** Each answers the newest ask. */
  readonly answer: () => Promise<void>;
}

export async function openDemoVantages(): Promise<DemoVantages> {
  const store = createMemoryStore();
  const keys = await Promise.all(
    DEMO_PLACES.map((id) =>
      generateKeyPair("EdDSA", { crv: "Ed25519" }).then((pair) => ({ id, ...pair })),
    ),
  );
  const vantages = await Promise.all(
    keys.map(async ({ id, publicKey }) => {
      return { id, ...ABOUT[id], publicKey: (await exportJWK(publicKey)).x ?? "" };
    }),
  );
  return {
    exchange: { vantages, store, newAskId: () => randomUUID() },
    answer: async () => {
      const ask = await createAskReader(store, () => undefined)();
      if (ask === undefined) return;
      for (const { id, privateKey } of keys)
        await putEvidence(store, id, ask.id, await signEvidence(toEvidence(id, ask), privateKey));
    },
  };
}

function toEvidence(place: DemoPlace, ask: Ask): VantageEvidence {
  return {
    vantage: place,
    askId: ask.id,
    urls: digestUrls(ask.endpoints.map(({ url }) => url)),
    atMs: ask.atMs,
    connectivity: "fine",
    isWhiteList: null,
    results: ask.endpoints.map(({ url }) => toResult(place, url, ask)),
  };
}

/** What fails for the runner fails everywhere, unless the scenario says otherwise. */
function toResult(place: DemoPlace, url: string, { failing }: Ask): VantageResult {
  const { host } = new URL(url);
  const scenario = SCENARIOS.find(({ behaviours = {} }) => host in behaviours);
  const isFailing = failing.has(url) && scenario?.opensIn?.includes(place) !== true;
  if (isFailing) return { code: "tcp-timeout", ms: 5_000 };
  return {
    code: "ok",
    ms: 80,
    address: "192.0.2.1",
    ...(typeof failing.get(url) === "string" ? { sameAddress: "works" as const } : {}),
  };
}

/** The vantages of a state with a week in which every endpoint answered them, so that their failures count. */
export function imagineTallies({ vantages }: State, nowMs: number): State["vantages"] {
  const today = toUtcDay(nowMs);
  const days = Array.from({ length: 7 }, (_, at) => ({
    day: today - 6 + at,
    healthy: 288,
    failed: 0,
  }));
  const tallies = [...vantages.heard].map(([id, { results }]) => {
    return [id, new Map([...results.keys()].map((url) => [url, days]))] as const;
  });
  return { ...vantages, tallies: new Map(tallies) };
}
