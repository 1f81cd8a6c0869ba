import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/model/time.ts";
import { T0 } from "../../model/samples.ts";
import { createOwnerHarness } from "./owner-harness.ts";

const T0_SECONDS = T0 / 1_000;

test("a registration gives an id, a key, and where to put the proof", async () => {
  const { ask } = createOwnerHarness();
  const body = { url: "https://shop.example.ru/x#part", name: " Лавка ", public: true };
  const answer = await ask("POST", "/monitors", { body });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("Location")).toBe("/monitors/monitor-1");
  expect(answer.headers.get("ETag")).toBe('"1"');
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  const { token, challenge } = answer.body;
  expect(token).toMatch(/^[\w-]{43}$/u);
  expect(challenge.token).toMatch(/^[\w-]{22}$/u);
  expect(answer.body).toEqual({
    id: "monitor-1",
    token,
    until: T0_SECONDS + 86_400,
    challenge: {
      for: "first",
      url: "https://shop.example.ru/x",
      until: T0_SECONDS + 86_400,
      token: challenge.token,
      file: {
        url: "https://shop.example.ru/.well-known/status-snapshot/monitor-1.txt",
        content: challenge.token,
      },
      dns: {
        name: "_status-snapshot-challenge.shop.example.ru",
        type: "TXT",
        value: challenge.token,
      },
      meta: {
        url: "https://shop.example.ru/x",
        tag: `<meta name="status-snapshot" content="${challenge.token}">`,
      },
    },
  });
});

test("a registration is not answered before it is durable", async () => {
  let resolve: (() => void) | undefined;
  const written = new Promise<void>((done) => {
    resolve = done;
  });
  const { ask } = createOwnerHarness({ writeEdits: () => written });
  let isAnswered = false;
  const asking = ask("POST", "/monitors", { body: { url: "https://shop.example.ru/" } }).then(
    (answer) => {
      isAnswered = true;
      return answer;
    },
  );
  await new Promise((done) => {
    setImmediate(done);
  });
  expect(isAnswered).toBe(false);
  resolve?.();
  expect((await asking).status).toBe(201);
});

test("a store that fails refuses every change, and nothing is left of it", async () => {
  const failures: string[] = [];
  const { ask, prove, store } = createOwnerHarness({
    onFailure: (message) => failures.push(message),
  });
  const { id, token: key } = await prove();
  store.isDown = true;
  const refused = await ask("POST", "/monitors", { body: { url: "https://a.example.ru/" } });
  expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
  expect(refused.headers.get("Retry-After")).toBe("5");
  expect(failures).toEqual(["the store is down"]);
  for (const [method, path, body] of [
    ["PATCH", `/monitors/${id}`, { name: "x" }],
    ["DELETE", `/monitors/${id}`, undefined],
    ["POST", `/monitors/${id}/token`, undefined],
  ] as const)
    expect((await ask(method, path, { key, body })).status).toBe(503);
  const { body } = await ask("GET", `/monitors/${id}`, { key });
  expect(body).toMatchObject({ name: "shop.example.ru", status: "proved" });
  expect((await ask("GET", "/monitors/monitor-2", { key })).status).toBe(404);
});

describe("a proof", () => {
  test("is looked for when it is asked for, and told with what was found", async () => {
    const { ask, register, putFile } = createOwnerHarness();
    const { id, token: key, challenge } = await register();
    const before = await ask("POST", `/monitors/${id}/verify`, { key });
    expect([before.status, before.body.status]).toEqual([202, "pending"]);
    expect(before.body.look.places).toContainEqual({
      method: "file",
      place: challenge.file.url,
      found: "absent",
    });
    putFile(challenge);
    const after = await ask("POST", `/monitors/${id}/verify`, { key });
    expect([after.status, after.body.status]).toEqual([202, "proved"]);
    const { body, headers } = await ask("GET", `/monitors/${id}`, { key });
    expect(body).toMatchObject({ status: "proved", proof: { method: "file" }, challenges: [] });
    expect(headers.get("ETag")).toBe('"2"');
  });

  test("is looked for six times a minute at most", async () => {
    const { ask, register, clock } = createOwnerHarness();
    const { id, token: key } = await register();
    const verify = () => ask("POST", `/monitors/${id}/verify`, { key });
    for (let times = 0; times < 6; times += 1) expect((await verify()).status).toBe(202);
    const late = await verify();
    expect([late.status, late.headers.get("Retry-After")]).toEqual([429, "10"]);
    clock.nowMs += 10_000;
    expect((await verify()).status).toBe(202);
  });

  test("is looked for by itself every 5 minutes, for a day", async () => {
    const { intake, register, looks, clock } = createOwnerHarness();
    await register();
    const tick = async (): Promise<void> => {
      intake.tick();
      await intake.close();
    };
    await tick();
    expect(looks.length).toBe(1);
    clock.nowMs += 5 * MINUTE_MS - 1;
    await tick();
    expect(looks.length).toBe(1);
    clock.nowMs += 1;
    await tick();
    expect(looks.length).toBe(2);
    clock.nowMs = T0 + DAY_MS;
    await tick();
    expect(looks.length).toBe(2);
  });

  test("is looked for daily, and is gone once it is missed; then it heals", async () => {
    const { intake, ask, prove, looks, clock, published, putFile } = createOwnerHarness();
    const { id, token: key, challenge } = await prove();
    const lookAfter = async (ms: number): Promise<number> => {
      clock.nowMs += ms;
      const before = looks.length;
      intake.tick();
      await intake.close();
      return looks.length - before;
    };
    const statusOf = async () => (await ask("GET", `/monitors/${id}`, { key })).body;
    expect(await lookAfter(DAY_MS)).toBe(1);
    expect(await lookAfter(MINUTE_MS)).toBe(0);
    published.clear();
    expect(await lookAfter(DAY_MS)).toBe(1);
    const lostAt = T0_SECONDS + 2 * 86_400 + 60;
    expect(await statusOf()).toMatchObject({
      status: "lost",
      proof: { lostAt, pageUntil: lostAt + 30 * 86_400 },
    });
    expect(await lookAfter(MINUTE_MS)).toBe(0);
    expect(await lookAfter(DAY_MS)).toBe(1);
    putFile(challenge);
    expect(await lookAfter(DAY_MS)).toBe(1);
    expect((await statusOf()).status).toBe("proved");
    expect((await statusOf()).proof.lostAt).toBeUndefined();
  });

  test("of another registration for the same host is not its own", async () => {
    const { ask, register, putFile, published } = createOwnerHarness();
    const mine = await register();
    const theirs = await register();
    putFile(mine.challenge);
    published.set(theirs.challenge.file.url, mine.challenge.token);
    published.set(theirs.challenge.dns.name, mine.challenge.token);
    const verify = (one: typeof mine) =>
      ask("POST", `/monitors/${one.id}/verify`, { key: one.token });
    expect((await verify(theirs)).body.status).toBe("pending");
    expect((await verify(mine)).body.status).toBe("proved");
    expect((await verify(theirs)).body.status).toBe("pending");
  });

  test("of a domain that denies is a refusal for good", async () => {
    const { ask, prove, denied, intake, looks } = createOwnerHarness();
    const { id, token: key } = await prove();
    denied.add("shop.example.ru");
    await ask("POST", `/monitors/${id}/verify`, { key });
    const { body } = await ask("GET", `/monitors/${id}`, { key });
    expect(body).toMatchObject({ status: "refused", refusal: { kind: "denied" } });
    const asked = looks.length;
    intake.tick();
    expect((await ask("POST", `/monitors/${id}/verify`, { key })).body.code).toBe("refused");
    expect((await ask("PATCH", `/monitors/${id}`, { key, body: {} })).body.code).toBe("refused");
    expect(looks.length).toBe(asked);
  });
});

describe("a change", () => {
  test("sets settings, and null brings the default back", async () => {
    const { ask, prove } = createOwnerHarness();
    const { id, token: key } = await prove("https://shop.example.ru/", { label: "x" });
    const change = (body: object) => ask("PATCH", `/monitors/${id}`, { key, body });
    const set = await change({ name: "Лавка", public: true, expect: [200], timeoutMs: 3_000 });
    expect(set.status).toBe(200);
    expect(set.body).toMatchObject({ name: "Лавка", public: true, expect: [200], label: "x" });
    const { body } = await change({ name: null, label: null, expect: null });
    expect(body).toMatchObject({ name: "shop.example.ru", public: true, timeoutMs: 3_000 });
    expect([body.label, body.expect]).toEqual([undefined, undefined]);
  });

  test("with an outdated tag is refused, also if two come at once", async () => {
    const { ask, prove } = createOwnerHarness();
    const { id, token: key } = await prove();
    const change = (name: string, tag: string) =>
      ask("PATCH", `/monitors/${id}`, { key, body: { name }, headers: { "If-Match": tag } });
    const both = await Promise.all([change("a", '"2"'), change("b", '"2"')]);
    expect(both.map(({ status }) => status)).toEqual([200, 412]);
    expect((await change("c", '"2"')).body.code).toBe("changed");
    expect((await change("c", '"1", "3"')).status).toBe(200);
    expect((await change("d", "*")).status).toBe(200);
  });

  test("names every fault by its place", async () => {
    const { ask, prove } = createOwnerHarness();
    const { id, token: key } = await prove();
    const body = { name: 3, expect: [99], color: "red", url: "http://127.0.0.1/" };
    const answer = await ask("PATCH", `/monitors/${id}`, { key, body });
    expect([answer.status, answer.body.code]).toEqual([422, "invalid"]);
    const pointers = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers.toSorted()).toEqual(["/color", "/expect/0", "/name", "/url"]);
  });

  test("to another page of the host needs no proof, to another host it does", async () => {
    const { ask, prove, putFile } = createOwnerHarness();
    const { id, token: key } = await prove();
    const move = (url: string) => ask("PATCH", `/monitors/${id}`, { key, body: { url } });
    expect((await move("https://shop.example.ru/b")).body).toMatchObject({
      url: "https://shop.example.ru/b",
      challenges: [],
    });
    for (const url of [
      "https://www.example.ru/",
      "http://shop.example.ru/",
      "https://new.example/",
    ]) {
      const { body } = await move(url);
      expect(body).toMatchObject({ url: "https://shop.example.ru/b", status: "proved" });
      expect(body.challenges).toMatchObject([{ for: "url", url }]);
    }
    const { body } = await ask("GET", `/monitors/${id}`, { key });
    const [challenge] = body.challenges;
    putFile(challenge);
    const after = await ask("POST", `/monitors/${id}/verify`, { key });
    expect(after.body.status).toBe("proved");
    const moved = await ask("GET", `/monitors/${id}`, { key });
    expect(moved.body).toMatchObject({ url: "https://new.example/", challenges: [] });
  });

  test("to another page needs a proof if the proof was on the page", async () => {
    const { ask, register, published } = createOwnerHarness();
    const { id, token: key, challenge } = await register("https://blogs.example/me");
    published.set("https://blogs.example/me", challenge.token);
    await ask("POST", `/monitors/${id}/verify`, { key });
    const body = { url: "https://blogs.example/somebody" };
    const moved = await ask("PATCH", `/monitors/${id}`, { key, body });
    expect(moved.body.url).toBe("https://blogs.example/me");
    expect(moved.body.challenges).toMatchObject([{ for: "url", url: body.url }]);
  });

  test("of the host before any proof is refused", async () => {
    const { ask, register } = createOwnerHarness();
    const { id, token: key } = await register();
    const answer = await ask("PATCH", `/monitors/${id}`, { key, body: { url: "https://b.ru/" } });
    expect([answer.status, answer.body.code]).toEqual([409, "not-proved"]);
  });
});

test("a monitor that a thief of its key has removed comes back with a new key", async () => {
  const { ask, prove, clock, intake, putFile, denied } = createOwnerHarness();
  const { id, token: stolen } = await prove();
  const move = { url: "https://thief.example.ru/" };
  await ask("PATCH", `/monitors/${id}`, { key: stolen, body: move });
  await ask("DELETE", `/monitors/${id}`, { key: stolen });
  clock.nowMs += 23 * HOUR_MS;
  intake.tick();
  const asked = await ask("POST", `/monitors/${id}/token`);
  expect(asked.status).toBe(201);
  // The day of the removal ends before that of the request.
  clock.nowMs += 20 * HOUR_MS;
  intake.tick();
  await intake.close();
  putFile(asked.body.challenge);
  denied.add("thief.example.ru");
  const key: string = asked.body.token;
  const verified = await ask("POST", `/monitors/${id}/verify`, { key });
  expect(verified.body.status).toBe("proved");
  const { body } = await ask("GET", `/monitors/${id}`, { key });
  expect(body).toMatchObject({ status: "proved", url: "https://shop.example.ru/" });
  expect(body.challenges).toEqual([]);
  expect((await ask("GET", `/monitors/${id}`, { key: stolen })).status).toBe(404);
});

test("a removed monitor can be restored for a day, and nothing else", async () => {
  const { ask, prove, clock, intake } = createOwnerHarness();
  const { id, token: key } = await prove();
  const removed = await ask("DELETE", `/monitors/${id}`, { key });
  expect([removed.status, removed.body.restorableUntil]).toEqual([202, T0_SECONDS + 86_400]);
  for (const [method, path, body] of [
    ["PATCH", "", {}],
    ["POST", "/verify", undefined],
  ] as const) {
    const answer = await ask(method, `/monitors/${id}${path}`, { key, body });
    expect([method, path, answer.body.code]).toEqual([method, path, "removed"]);
  }
  const restored = await ask("POST", `/monitors/${id}/restore`, { key });
  expect([restored.status, restored.body.status]).toEqual([200, "proved"]);
  await ask("DELETE", `/monitors/${id}`, { key });
  clock.nowMs += DAY_MS;
  intake.tick();
  expect((await ask("GET", `/monitors/${id}`, { key })).status).toBe(404);
});
