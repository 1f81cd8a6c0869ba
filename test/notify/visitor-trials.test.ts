import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { LOOPBACK_PROBE } from "./loopback-probe.ts";
import { makePushKey, pushKeysOf } from "../../src/setup/files/push-key.ts";
import { createTrials, oneAtATime } from "../../src/notify/visitors/visitor-trials.ts";
import { HOUR_MS } from "../../src/model/time.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { createPushClient } from "../../src/notify/channels/push.ts";
import { createVisitorReader } from "../../src/state/visitor-shards.ts";
import { createSubscriber } from "./decrypt-push.ts";
import { createVisitorHarness, SERVICES, visitorsIn } from "../visitors/visitor-harness.ts";

const KEYS = { ...pushKeysOf(await makePushKey()), contact: "mailto:a@example.ru" };
/** The service of a browser's maker, which knows those whose names begin with "real", an intake, and a notifier. */
async function openWorld() {
  const asked: { readonly name: string; readonly ttl: unknown; readonly bytes: number }[] = [];
  const world = { status: 410 };
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? "";
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => {
      asked.push({ name, ttl: request.headers["ttl"], bytes });
      response.writeHead(name.startsWith("real") ? 201 : world.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const hasService = (slug: string): boolean => SERVICES.includes(slug);
  const rules = { refusalOfUrl: () => undefined, isPlainAllowed: true, hasService };
  const harness = createVisitorHarness(undefined, { rules });
  const ended: number[] = [];
  return {
    ...harness,
    asked,
    ended,
    world,
    subscribe: async (name: string) => {
      const subscription = {
        endpoint: `http://127.0.0.1:${port}/${name}`,
        keys: createSubscriber().keys,
      };
      return (await harness.ask("POST", "/push", { body: { subscription, services: ["vtb"] } }))
        .status;
    },
    notifier: (store: ObjectStore = harness.store, stop = new AbortController().signal) =>
      createTrials({
        stateStore: store,
        readVisitors: createVisitorReader(store),
        prepare: async () => {
          const deps = { probe: LOOPBACK_PROBE, signal: new AbortController().signal };
          const push = createPushClient(KEYS, deps);
          return (visitor) => push.try(visitor, "mailto:a@example.ru");
        },
        wallMs: () => harness.clock.nowMs,
        stop,
        onGone: (count) => ended.push(count),
      }),
    /** Names of the stored endpoints, with a question mark behind those that were not tried. */
    names: async () =>
      [...(await visitorsIn(harness.store)).values()]
        .map(
          ({ endpoint, isUntried }) => new URL(endpoint).pathname.slice(1) + (isUntried ? "?" : ""),
        )
        .toSorted(),
  };
}

test("a new subscription is tried once, without a text; a made-up one is erased", async () => {
  const { subscribe, notifier, names, asked, ended } = await openWorld();
  expect([await subscribe("real-a"), await subscribe("made-up")]).toEqual([201, 201]);
  expect(await names()).toEqual(["made-up?", "real-a?"]);
  const look = notifier();
  await look();
  expect(await names()).toEqual(["real-a"]);
  expect(asked.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    { name: "made-up", ttl: "0", bytes: 0 },
    { name: "real-a", ttl: "0", bytes: 0 },
  ]);
  expect(ended).toEqual([1]);
  await look();
  expect(asked).toHaveLength(2);
  // A renewal of what is known is not new.
  await subscribe("real-a");
  await look();
  expect([await names(), asked.length]).toEqual([["real-a"], 2]);
});

test("one whose service does not answer is kept, and tried again after an hour", async () => {
  const { subscribe, notifier, names, asked, clock, world } = await openWorld();
  world.status = 503;
  await subscribe("late");
  const look = notifier();
  await look();
  expect([await names(), asked.length]).toEqual([["late?"], 1]);
  await look();
  expect(asked).toHaveLength(1);
  world.status = 201;
  clock.nowMs += HOUR_MS;
  await look();
  expect([await names(), asked.length]).toEqual([["late"], 2]);
});

test("after a stop no subscription is tried, and each stays to be tried", async () => {
  const { subscribe, notifier, names, asked, store } = await openWorld();
  for (const name of ["real-a", "made-up"]) await subscribe(name);
  await notifier(store, AbortSignal.abort())();
  expect([await names(), asked]).toEqual([["made-up?", "real-a?"], []]);
});

test("what a trial has found is written although another writer was faster", async () => {
  const { subscribe, notifier, names, store } = await openWorld();
  await subscribe("real-a");
  let conflicts = 1;
  const busy: ObjectStore = {
    ...store,
    write: async (key, ...more) => {
      if (key.endsWith(".txt") || conflicts === 0) return store.write(key, ...more);
      conflicts -= 1;
      return { kind: "conflict" };
    },
  };
  await notifier(busy)();
  expect([conflicts, await names()]).toEqual([0, ["real-a"]]);
});

test("of two notifiers one tries", async () => {
  const { subscribe, notifier, asked } = await openWorld();
  await subscribe("real-a");
  await Promise.all([notifier()(), notifier()()]);
  expect(asked).toHaveLength(1);
});

test("no look reads the subscriptions when there are none to try", async () => {
  const { store, notifier } = await openWorld();
  const keys: string[] = [];
  const watched: ObjectStore = {
    ...store,
    read: (key, maxBytes) => {
      keys.push(key);
      return store.read(key, maxBytes);
    },
  };
  const look = notifier(watched);
  await look();
  await look();
  expect(keys).toEqual(["push/untried.txt", "push/untried.txt"]);
});

test("work that is running is not begun again, and can be waited for", async () => {
  let [begun, ended] = [0, 0];
  const work = oneAtATime(
    async () => {
      begun += 1;
      await new Promise((resolve) => void setImmediate(resolve));
      ended += 1;
    },
    () => undefined,
  );
  await work.settle();
  work.start();
  work.start();
  await work.settle();
  expect([begun, ended]).toEqual([1, 1]);
  work.start();
  await work.settle();
  expect([begun, ended]).toEqual([2, 2]);
});

test("a failure of the store that comes back after a success is told again", async () => {
  const told: string[] = [];
  const ends = [
    () => Promise.reject(new StoreError("read", "a", "the store is down")),
    () => Promise.resolve(),
    () => Promise.reject(new StoreError("read", "a", "the store is down")),
  ];
  const work = oneAtATime(
    async () => ends.shift()?.(),
    (sentence) => void told.push(sentence),
  );
  while (ends.length > 0) {
    work.start();
    await work.settle();
  }
  expect(told).toHaveLength(2);
});

test("a failure of the store is told once, until another one, and a defect is thrown", async () => {
  const told: string[] = [];
  let error: Error = new StoreError("read", "a", "the store is down");
  const work = oneAtATime(
    () => Promise.reject(error),
    (sentence) => void told.push(sentence),
  );
  const fail = async (next: Error): Promise<void> => {
    error = next;
    work.start();
    await work.settle();
  };
  await fail(error);
  await fail(error);
  const [first] = told;
  expect(told).toEqual([expect.stringContaining("the store is down")]);
  await fail(new StoreError("read", "a", "no answer"));
  await fail(new StoreError("read", "a", "the store is down"));
  expect(told).toEqual([first, expect.stringContaining("no answer"), first]);
  await expect(fail(new TypeError("a defect"))).rejects.toThrow("a defect");
});
