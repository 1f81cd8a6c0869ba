import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { LOOPBACK_PROBE } from "./loopback-probe.ts";
import { makePushKey, pushKeysOf } from "../../src/setup/files/push-key.ts";
import type { UnusualOperators } from "../../src/model/service/reports.ts";
import type { PastOutages } from "../../src/model/service/accuracy.ts";
import type { Service } from "../../src/model/service/catalogue.ts";
import { EMPTY_STATE, type State } from "../../src/model/state.ts";
import { MINUTE_MS } from "../../src/model/time.ts";
import type { VerdictChange } from "../../src/model/service/verdict-change.ts";
import { type Visitor, VISITOR_KEPT_MS, visitorShardOf } from "../../src/model/monitor/visitor.ts";
import { createPushClient } from "../../src/notify/channels/push.ts";
import { deliver } from "../../src/notify/deliver.ts";
import { openLedgers } from "../../src/notify/ledger.ts";
import { encodeState } from "../../src/state/codec/state.ts";
import { STATE_KEY } from "../../src/state/state-file.ts";
import { createVisitorReader, editVisitorShard } from "../../src/state/visitor-shards.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { atDepth } from "../depth.ts";
import { T0 } from "../model/samples.ts";
import { createMortal, writeInSteps } from "../mortal.ts";
import { createSubscriber } from "./decrypt-push.ts";
import { createRandom } from "../random.ts";
import { createVisitorSource } from "../../src/notify/visitors/visitor-source.ts";
import { createStateReader, type StateAudience } from "../../src/notify/state-audience.ts";
import { sha256Of } from "../../src/http-server/json-api.ts";

const RUN_MS = 5 * MINUTE_MS;
const SLUGS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];
const NO_PAUSE = async (): Promise<void> => undefined;

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
}

interface Fates {
  nowMs: number;
  runMs: number;
  trouble: number;
  lostAnswers: number;
  /** Of the changes from now on. */
  past?: PastOutages;
  operators?: UnusualOperators;
}

/** Services that change, browsers that follow them, the service of their maker, and a notifier that may die at any step. */
async function createWorld() {
  const random = createRandom(11);
  const subscriber = createSubscriber();
  const world: Fates = { nowMs: T0, runMs: T0, trouble: 0, lostAnswers: 0 };
  const [stateStore, ledgerStore] = [createMemoryStore(), createMemoryStore()];
  const codes = new Map<string, "ok" | "fail">(SLUGS.map((slug) => [slug, "ok"]));
  const changes: VerdictChange[] = [];
  const heard = new Map<string, Shown[]>();
  const gone = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const name = (request.url ?? "").slice(1);
      const fate = random();
      if (gone.has(name)) return void response.writeHead(410).end();
      if (fate < world.trouble / 2) return void response.writeHead(503).end();
      if (fate < world.trouble) return void response.writeHead(429, { "Retry-After": "900" }).end();
      const text = subscriber.decrypt(Buffer.concat(chunks));
      heard.set(name, [...(heard.get(name) ?? []), JSON.parse(text)]);
      if (fate < 1 - world.trouble) return void response.writeHead(201).end();
      world.lostAnswers += 1;
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const write = async (): Promise<void> => {
    const state: State = {
      ...EMPTY_STATE,
      baseUrl: "https://status.example.ru",
      history: { ...EMPTY_STATE.history, updatedAtMs: world.runMs },
      verdicts: { codes, changes, next: changes.length + 1 },
    };
    const body = encodeState(state);
    await stateStore.write(STATE_KEY, { body, contentType: "x", cacheControl: "x" });
  };
  return {
    random,
    world,
    stateStore,
    ledgerStore,
    heard,
    gone,
    codes,
    changes,
    subscribe: async (name: string, services: readonly string[], renewedAtMs = T0) => {
      const endpoint = `http://127.0.0.1:${port}/${name}`;
      const id = sha256Of(endpoint);
      const visitor: Visitor = {
        id,
        endpoint,
        ...subscriber.keys,
        tokenHash: sha256Of(name),
        language: "ru",
        services,
        renewedAtMs,
      };
      const add = (shard: ReadonlyMap<string, Visitor>) => new Map(shard).set(id, visitor);
      await editVisitorShard(stateStore, visitorShardOf(id), add, NO_PAUSE);
    },
    visitors: createVisitorReader(stateStore),
    /** A run in which these services turn. */
    run: async (turning: readonly string[]) => {
      world.runMs += RUN_MS;
      world.nowMs = world.runMs;
      for (const slug of turning) {
        const before = codes.get(slug) ?? "ok";
        const code = before === "ok" ? "fail" : "ok";
        codes.set(slug, code);
        const seq = changes.length + 1;
        const scope = "unknown" as const;
        const atMs = world.runMs;
        const about = { scope, isSurge: false, live: false, past: world.past };
        const { operators } = world;
        changes.push({ seq, slug, atMs, before, code, ...about, operators });
      }
      await write();
    },
  };
}

type World = Awaited<ReturnType<typeof createWorld>>;

/** One cycle of a new process; it may die at one of its writes of the ledger, before it takes effect or after. */
async function cycle(
  one: World,
  diesAt = Number.POSITIVE_INFINITY,
  emit: StateAudience["emit"] = () => undefined,
): Promise<unknown> {
  const { world, stateStore, ledgerStore, random } = one;
  const takesEffect = random() < 0.5;
  const mortal = createMortal(diesAt, () => takesEffect);
  const stop = new AbortController();
  const services = new Map(SLUGS.map((slug) => [slug, { slug, name: slug } as Service]));
  const source = createVisitorSource({
    stateStore,
    readState: createStateReader(stateStore),
    push: createPushClient(KEYS, { probe: LOOPBACK_PROBE, signal: stop.signal }),
    probe: LOOPBACK_PROBE,
    services,
    wallMs: () => world.nowMs,
    stop: stop.signal,
    emit,
    warn: () => undefined,
  });
  const ledgers = await openLedgers(writeInSteps(ledgerStore, mortal), source.ledgerKeys);
  const done = await Promise.race([
    deliver(source, {
      ledgers,
      holder: `process-${world.nowMs}`,
      wallMs: () => world.nowMs,
      signal: stop.signal,
    }),
    mortal.death,
  ]);
  // Its requests end with a process.
  if (done === "died") stop.abort();
  return done;
}

const KEYS = pushKeysOf(await makePushKey());

/** What a browser knows of its services: the signs of the last messages about each. */
function knownBy(shown: readonly Shown[]): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const { title, body, tag } of shown) {
    const [sign = "", name = ""] = title.split(" ");
    if (tag !== "services") known.set(name, sign);
    for (const line of tag === "services" ? body.split("\n") : []) {
      const [, each = "", names = ""] = /^(\S+) .*\(\d+\): (.*)$/u.exec(line) ?? [];
      for (const one of names.split(", ")) known.set(one, each);
    }
  }
  return known;
}

const SIGNS = { ok: "🟢", fail: "🔴" } as const;

test("through kills, lost answers and refusals, browsers know how their services are", async () => {
  const one = await createWorld();
  const { random, world, heard, codes } = one;
  const followed = new Map<string, readonly string[]>();
  for (let at = 0; at < 12; at += 1) {
    const services = SLUGS.filter(() => random() < 0.4);
    if (services.length === 0) continue;
    followed.set(`b${at}`, services);
    await one.subscribe(`b${at}`, services);
  }
  await one.run([]);
  await cycle(one);
  const wanted = atDepth(12, 30);
  let kills = 0;
  while (kills < wanted) {
    world.trouble = random() < 0.4 ? 0.3 : 0;
    await one.run(SLUGS.filter(() => random() < 0.12));
    for (let minute = 0; minute < 5; minute += 2) {
      world.nowMs = world.runMs + minute * MINUTE_MS + 20_000;
      const done = await cycle(one, random() < 0.5 ? 1 + Math.floor(random() * 4) : undefined);
      if (done === "died") kills += 1;
    }
  }
  world.trouble = 0;
  for (let rest = 0; rest < 30; rest += 1) {
    await one.run([]);
    for (const after of [20_000, 150_000]) {
      world.nowMs = world.runMs + after;
      await cycle(one);
    }
  }
  for (const [name, services] of followed) {
    const known = knownBy(heard.get(name) ?? []);
    const wrong = services.filter(
      (slug) => (known.get(slug) ?? SIGNS.ok) !== SIGNS[codes.get(slug) ?? "ok"],
    );
    expect([name, wrong]).toEqual([name, []]);
    expect([...known.keys()].filter((slug) => !services.includes(slug))).toEqual([]);
  }
  // Failures have the minute in which they began, so that an equal text is a repetition.
  const failures = [...heard].flatMap(([name, shown]) =>
    shown.filter(({ title }) => title.startsWith("🔴")).map(({ body, tag }) => name + tag + body),
  );
  expect(failures.length).toBeGreaterThan(wanted / 4);
  const repetitions = failures.length - new Set(failures).size;
  // A kill can repeat a message of each browser that was under way.
  expect(repetitions).toBeLessThanOrEqual(kills * followed.size + world.lostAnswers);
}, 600_000);

test("refusals of many browsers in one cycle are one line of the log", async () => {
  const one = await createWorld();
  for (const name of ["a", "b", "c"]) await one.subscribe(name, ["alpha"]);
  await one.run([]);
  await cycle(one);
  one.world.trouble = 2;
  await one.run(["alpha"]);
  await one.run([]);
  const events: string[] = [];
  await cycle(one, undefined, ({ event }) => void events.push(event));
  expect(events.filter((event) => event === "push-failed")).toHaveLength(1);
});

test("a browser that answers 410 is erased, and others are told", async () => {
  const one = await createWorld();
  await one.subscribe("here", ["alpha"]);
  await one.subscribe("gone", ["alpha"]);
  one.gone.add("gone");
  await one.run([]);
  await cycle(one);
  await one.run(["alpha"]);
  await one.run([]);
  const events: unknown[] = [];
  await cycle(one, undefined, (event) => events.push(event));
  expect(events).toContainEqual({ event: "subscriptions-ended", count: 1 });
  expect((await one.visitors()).map(({ endpoint }) => endpoint.split("/").at(-1))).toEqual([
    "here",
  ]);
  expect(one.heard.get("here")).toMatchObject([{ tag: "service.alpha" }]);
});

test("one that was not heard of for a year is erased and told nothing", async () => {
  const one = await createWorld();
  await one.subscribe("old", ["alpha"], T0 - VISITOR_KEPT_MS + 1.5 * RUN_MS);
  await one.subscribe("new", ["alpha"], T0 - VISITOR_KEPT_MS + 60 * RUN_MS);
  await one.run([]);
  await cycle(one);
  await one.run(["alpha"]);
  await one.run([]);
  await cycle(one);
  expect([...one.heard.keys()]).toEqual(["new"]);
  expect(await one.visitors()).toHaveLength(1);
});

test("one that subscribes after a change is not told of it", async () => {
  const one = await createWorld();
  await one.subscribe("first", ["beta"]);
  await one.run([]);
  await cycle(one);
  await one.run(["alpha"]);
  await cycle(one);
  await one.subscribe("late", ["alpha"]);
  for (let rest = 0; rest < 5; rest += 1) {
    await one.run([]);
    await cycle(one);
  }
  expect([...one.heard]).toEqual([]);
  await one.run(["alpha"]);
  await one.run([]);
  await cycle(one);
  expect([...one.heard.keys()]).toEqual(["late"]);
});

test("a failure is told with how long outages of the service have lasted", async () => {
  const one = await createWorld();
  await one.subscribe("all", ["alpha"]);
  await one.run([]);
  await cycle(one);
  one.world.past = {
    of: "category",
    days: 30,
    count: 7,
    medianMs: 21 * MINUTE_MS,
    longestMs: 60 * MINUTE_MS,
  };
  await one.run(["alpha"]);
  await one.run([]);
  await cycle(one);
  expect(one.heard.get("all")?.[0]?.body).toContain(
    "Сбои всех сервисов этой категории за 30 дней: 7. Половина закончилась за 21 минуту или быстрее",
  );
});

test("a failure is told with whose subscribers report more often than usual", async () => {
  const one = await createWorld();
  await one.subscribe("all", ["alpha"]);
  await one.run([]);
  await cycle(one);
  const shares = (["mts", "t2"] as const).map((operator) => ({ operator, percent: 41, usual: 9 }));
  one.world.operators = { shares, isAlone: false };
  await one.run(["alpha"]);
  await one.run([]);
  await cycle(one);
  expect(one.heard.get("all")?.[0]?.body).toContain(
    "Жалуются чаще обычного: МТС (41\u00A0% жалоб, обычно 9\u00A0%), T2 (41\u00A0% жалоб, обычно 9\u00A0%).",
  );
});

test("all services of a browser at once are one notification", async () => {
  const one = await createWorld();
  await one.subscribe("all", SLUGS);
  await one.run([]);
  await cycle(one);
  await one.run(SLUGS);
  await one.run([]);
  await cycle(one);
  expect(one.heard.get("all")).toMatchObject([{ tag: "services" }]);
  expect(knownBy(one.heard.get("all") ?? []).size).toBe(SLUGS.length);
});

test("what is not followed any more is not told", async () => {
  const one = await createWorld();
  await one.subscribe("changed", ["alpha", "beta"]);
  await one.run([]);
  await cycle(one);
  await one.run(["alpha"]);
  await cycle(one);
  await one.subscribe("changed", ["beta"]);
  await one.run([]);
  await cycle(one);
  expect([...one.heard]).toEqual([]);
});

test("a runner that has not run for a quarter of an hour tells nothing", async () => {
  const one = await createWorld();
  await one.subscribe("a", ["alpha"]);
  await one.run([]);
  await cycle(one);
  await one.run(["alpha"]);
  await one.run([]);
  one.world.nowMs += 20 * MINUTE_MS;
  await cycle(one);
  expect([...one.heard]).toEqual([]);
  await one.run(["beta"]);
  one.world.runMs += 20 * MINUTE_MS;
  await one.run([]);
  await cycle(one);
  expect([...one.heard.keys()]).toEqual(["a"]);
});
