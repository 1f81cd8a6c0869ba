import { readProxies } from "../../src/http-server/client-address.ts";
import { createNetworkKeys } from "../../src/http-server/network-key.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import type { Visitor } from "../../src/model/visitor.ts";
import { buildUrlGuard } from "../../src/probe/probe-config.ts";
import { createVisitorReader, editVisitorShard } from "../../src/state/visitor-shards.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import {
  createVisitorIntake,
  type VisitorIntake,
  type VisitorIntakeSettings,
} from "../../src/visitors/create-visitor-intake.ts";
import { T0 } from "../model/samples.ts";
import { createSubscriber } from "../notify/decrypt-push.ts";

export interface AskedOf {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line typescript/no-explicit-any -- tests read many shapes
  readonly body: any;
}

export const SERVICES: readonly string[] = ["sberbank", "telegram", "vtb"];

/** A subscription as a browser writes it, at the service of a maker. */
export function subscriptionOf(name: string): object {
  return {
    endpoint: `https://fcm.googleapis.com/fcm/send/${name}`,
    expirationTime: null,
    keys: createSubscriber().keys,
  };
}

/** A body that is accepted. */
export function bodyOf(name: string, services: readonly string[] = ["vtb"]): object {
  return { subscription: subscriptionOf(name), services, language: "ru" };
}

/** Every record in a store, by id. */
export async function visitorsIn(store: ObjectStore): Promise<ReadonlyMap<string, Visitor>> {
  const shards = await createVisitorReader(store)();
  return new Map([...shards.values()].flatMap((shard) => [...shard]));
}

/** The visitors' part of an intake with the clock of the test. */
export interface VisitorHarness {
  readonly intake: VisitorIntake;
  readonly store: ObjectStore;
  readonly clock: { nowMs: number };
  readonly failures: string[];
  readonly ask: (method: string, path: string, asked?: AskedOf) => Promise<Answered>;
}

export function createVisitorHarness(
  store: ObjectStore = createMemoryStore(),
  changes: Partial<VisitorIntakeSettings> = {},
): VisitorHarness {
  const clock = { nowMs: T0 };
  const failures: string[] = [];
  const proxies = readProxies(["192.0.2.0/24"]);
  if (proxies.kind !== "ok") throw new Error("the proxies are wrong");
  const intake = createVisitorIntake({
    allowedOrigins: ["https://partner.example"],
    ownOrigin: "https://status.example.ru",
    isOn: true,
    proxies: proxies.proxies,
    rules: {
      refusalOfUrl: buildUrlGuard({ allowPrivate: [], allowedPorts: [], ownAddresses: [] }),
      isPlainAllowed: false,
      hasService: (slug) => SERVICES.includes(slug),
    },
    toNetworkKey: createNetworkKeys(new Uint8Array(32)),
    editShard: (number, apply) => editVisitorShard(store, number, apply, async () => undefined),
    nowMs: () => clock.nowMs,
    onFailure: (message) => failures.push(message),
    ...changes,
  });
  const ask: VisitorHarness["ask"] = async (method, path, asked = {}) => {
    const { token, body, from = "198.51.100.7", headers = {} } = asked;
    const request = new Request(`https://status.example.ru${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        "X-Forwarded-For": from,
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const response = await intake.app.fetch(request, { remoteAddress: "192.0.2.1" });
    const text = await response.text();
    const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : text,
    };
  };
  return { intake, store, clock, failures, ask };
}
