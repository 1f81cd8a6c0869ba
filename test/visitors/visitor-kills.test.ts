import { describe, expect, test } from "vitest";
import { createSignal } from "../../src/model/stopping.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { atDepth } from "../depth.ts";
import { createDyingStore } from "../mortal.ts";
import { createRandom } from "../random.ts";
import { bodyOf, createVisitorHarness, visitorsIn } from "./visitor-harness.ts";

const KILLS = atDepth(60, 1_000);

/** Longer than any request of the memory store, and than the pause between two writes. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 30);
  });
}

test(`${KILLS} kills of one of two intakes lose nothing that was answered`, async () => {
  const draw = createRandom(20_261_124);
  const random = (below: number): number => Math.floor(draw() * below);
  const store = createMemoryStore();
  /** By id: what was answered last, and what was asked for but not answered. */
  const wanted = new Map<string, { services: string | null; open: (string | null)[] }>();
  const tokens = new Map<string, string>();
  const choices = ["vtb", "telegram", "sberbank"];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const mortal = createDyingStore(store, 1 + random(24), random(2) === 0);
    const intakes = [createVisitorHarness(mortal), createVisitorHarness(store)];
    const edit = async (id: string, at: number): Promise<void> => {
      const intake = intakes[at % 2];
      const record = wanted.get(id);
      const token = tokens.get(id);
      if (intake === undefined || record === undefined) return;
      const slug = random(4) === 0 ? null : (choices[random(3)] ?? "vtb");
      record.open.push(slug);
      const answer =
        slug === null
          ? await intake.ask("DELETE", `/push/${id}`, { token })
          : await intake.ask("PUT", `/push/${id}`, { token, body: { services: [slug] } });
      if (answer.status === 200 || answer.status === 204) {
        record.services = slug;
        record.open = [];
      }
    };
    const subscribing = [0, 1, 2].map(async (at) => {
      const body = bodyOf(`${kill}-${at}`, ["vtb"]);
      const answer = await intakes[at % 2]?.ask("POST", "/push", { body });
      if (answer?.status !== 201) return;
      tokens.set(answer.body.id, answer.body.token);
      wanted.set(answer.body.id, { services: "vtb", open: [] });
    });
    const editing = [...wanted.keys()].slice(-4).map((id, at) => edit(id, at));
    // The process is gone when none of them goes on.
    await Promise.race([Promise.all([...subscribing, ...editing]), settled()]);
  }
  await settled();
  const found = await visitorsIn(store);
  expect(tokens.size).toBeGreaterThan(KILLS);
  for (const [id, { services, open }] of wanted) {
    const now = found.get(id)?.services.join() ?? null;
    expect([id, [services, ...open].includes(now)]).toEqual([id, true]);
  }
}, 600_000);

describe("two intakes at once", () => {
  test("keep every subscription", async () => {
    const store = createMemoryStore();
    const intakes = [0, 1].map(() =>
      createVisitorHarness(store, {
        requests: { burst: 10_000 },
        subscriptions: { burst: 10_000 },
      }),
    );
    const many = atDepth(400, 4_000);
    const post = async (at: number): Promise<string> => {
      const answer = await intakes[at % 2]?.ask("POST", "/push", { body: bodyOf(`b${at}`) });
      return answer?.status === 201 ? answer.body.id : "refused";
    };
    const ids = await Promise.all(Array.from({ length: many }, (_, at) => post(at)));
    const found = await visitorsIn(store);
    expect(ids.filter((id) => !found.has(id))).toEqual([]);
    expect(found.size).toBe(many);
  });
});

describe("a store that", () => {
  const failing = (isUnknown: boolean, store: ObjectStore, times: number): ObjectStore => {
    let left = times;
    return {
      ...store,
      write: async (key, object, condition) => {
        left -= 1;
        if (left < 0) return store.write(key, object, condition);
        if (isUnknown) await store.write(key, object, condition);
        throw new StoreError("write", key, "the store is down", { isUnknown });
      },
    };
  };

  test("is down gives 503 with a time, and nothing is kept", async () => {
    const store = createMemoryStore();
    const { ask, failures } = createVisitorHarness(failing(false, store, 99));
    const answer = await ask("POST", "/push", { body: bodyOf("a") });
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "30"]);
    expect(failures).toEqual(["the store is down"]);
    expect((await visitorsIn(store)).size).toBe(0);
  });

  test("loses an answer does not make an end of a subscription a 404", async () => {
    const store = createMemoryStore();
    const { body } = await createVisitorHarness(store).ask("POST", "/push", { body: bodyOf("a") });
    const { id, token } = body;
    const { ask } = createVisitorHarness(failing(true, store, 1));
    expect((await ask("DELETE", `/push/${id}`, { token })).status).toBe(204);
    expect((await visitorsIn(store)).size).toBe(0);
  });

  test("says nothing of what it was given gives 503", async () => {
    const storage = { editShard: async () => undefined, announceUntried: async () => undefined };
    const { ask } = createVisitorHarness(undefined, { storage });
    expect((await ask("POST", "/push", { body: bodyOf("a") })).status).toBe(503);
  });

  test("is slow is waited for when an intake ends", async () => {
    const [written, release] = createSignal<void>();
    const storage = { editShard: () => written, announceUntried: async () => undefined };
    const { ask, intake } = createVisitorHarness(undefined, { storage });
    const asking = ask("POST", "/push", { body: bodyOf("a") });
    // Its body is read first.
    await new Promise((resolve) => void setTimeout(resolve, 20));
    let isClosed = false;
    const closing = intake.close().then(() => (isClosed = true));
    await new Promise((resolve) => void setImmediate(resolve));
    expect(isClosed).toBe(false);
    release();
    await Promise.all([closing, asking]);
    expect(isClosed).toBe(true);
  });

  test("has a damaged object keeps it, and refuses its subscriptions", async () => {
    const store = createMemoryStore();
    const { ask, failures } = createVisitorHarness(store);
    await ask("POST", "/push", { body: bodyOf("a") });
    const [key = ""] = await store.list("push");
    const damaged = { body: Buffer.from("{"), contentType: "x", cacheControl: "x" };
    await store.write(key, damaged);
    expect((await ask("POST", "/push", { body: bodyOf("a") })).status).toBe(503);
    expect(failures.join()).toContain("restore it from a copy");
    expect(Buffer.from((await store.read(key))?.body ?? "").toString()).toBe("{");
  });
});
