import { describe, expect, test } from "vitest";
import { addFolded } from "../../../src/model/folded-ids.ts";
import { DAY_MS, HOUR_MS } from "../../../src/model/time.ts";
import { sha256Of } from "../../../src/http-server/json-api.ts";
import { accessByKey } from "../../../src/monitors/owner-api/owner-access.ts";
import type { CheckedCondition } from "../../../src/monitors/owner-api/owner-responses.ts";
import { provedMonitor } from "../../model/owned-samples.ts";
import { T0 } from "../../model/samples.ts";
import { createOwnerHarness, NOTHING } from "./owner-harness.ts";

const T0_SECONDS = T0 / 1_000;
const DAY_S = 86_400;
const COUNT = { decided: 9, healthy: 8 };
const CHECKED: CheckedCondition = {
  condition: "failing",
  sinceMs: T0 - 5_000,
  code: "tcp-timeout",
  counts: { "24h": COUNT, "7d": COUNT, "30d": COUNT, "90d": COUNT },
};

/** Where the token of `monitor-1` belongs. */
const placesOf = (token: string) => ({
  file: {
    url: "https://shop.example.ru/.well-known/status-snapshot/monitor-1.txt",
    content: token,
  },
  dns: { name: "_status-snapshot-challenge.shop.example.ru", type: "TXT", value: token },
  meta: {
    url: "https://shop.example.ru/",
    tag: `<meta name="status-snapshot" content="${token}">`,
  },
});

describe("the record", () => {
  test("of a proved monitor says everything that is known of it", async () => {
    const { ask, prove } = createOwnerHarness({
      conditionOf: async () => CHECKED,
      alerts: { pushKey: "key", isPlainAllowed: false },
    });
    const { id, token: key, challenge } = await prove(undefined, { label: "x" });
    const { status, body, headers } = await ask("GET", `/monitors/${id}`, { key });
    expect([status, headers.get("ETag")]).toEqual([200, '"2"']);
    const places = placesOf(challenge.token);
    expect(body).toEqual({
      id: "monitor-1",
      url: "https://shop.example.ru/",
      name: "shop.example.ru",
      public: false,
      label: "x",
      status: "proved",
      createdAt: T0_SECONDS,
      proof: {
        method: "file",
        provedAt: T0_SECONDS,
        seenAt: T0_SECONDS,
        token: challenge.token,
        ...places,
      },
      challenges: [],
      lastLook: {
        at: T0_SECONDS,
        denied: false,
        places: [
          { method: "dns", place: places.dns.name, found: "absent" },
          { method: "file", place: places.file.url, found: "found" },
          { method: "meta", place: places.meta.url, found: "absent" },
        ],
      },
      lastCheck: {
        state: "failing",
        since: T0_SECONDS - 5,
        code: "tcp-timeout",
        checks: CHECKED.counts,
      },
      pushKey: "key",
      channels: [],
    });
  });

  test("of a monitor that was never decided has no time of its condition", async () => {
    const { ask, prove } = createOwnerHarness({
      conditionOf: async () => ({ condition: "unknown", sinceMs: null, counts: CHECKED.counts }),
    });
    const { id, token: key } = await prove();
    const { body } = await ask("GET", `/monitors/${id}`, { key });
    expect(body.lastCheck).toEqual({ state: "unknown", since: null, checks: CHECKED.counts });
  });

  test("of a lost proof says how long the page and the record stay", async () => {
    const { ask, prove, published, clock } = createOwnerHarness();
    const { id, token: key } = await prove();
    published.clear();
    clock.nowMs += HOUR_MS;
    await ask("POST", `/monitors/${id}/verify`, { key });
    const lostAt = T0_SECONDS + 3_600;
    expect((await ask("GET", `/monitors/${id}`, { key })).body).toMatchObject({
      status: "lost",
      proof: { lostAt, pageUntil: lostAt + 30 * DAY_S, recordUntil: lostAt + 120 * DAY_S },
    });
  });

  test("of a refused monitor says why, and since when", async () => {
    const { ask, prove, denied } = createOwnerHarness();
    const { id, token: key } = await prove();
    denied.add("shop.example.ru");
    const { body } = await ask("POST", `/monitors/${id}/verify`, { key });
    const look = { at: T0_SECONDS, denied: true, places: [] };
    expect(body).toEqual({ id, status: "refused", look });
    expect((await ask("GET", `/monitors/${id}`, { key })).body).toMatchObject({
      refusal: { kind: "denied", at: T0_SECONDS },
      lastLook: look,
    });
  });

  test("of a removed monitor says until when it can be restored", async () => {
    const { ask, prove, clock } = createOwnerHarness();
    const { id, token: key } = await prove();
    clock.nowMs += HOUR_MS;
    await ask("DELETE", `/monitors/${id}`, { key });
    const again = await ask("DELETE", `/monitors/${id}`, { key });
    const restorableUntil = T0_SECONDS + 3_600 + DAY_S;
    expect(again.body).toEqual({ id, status: "removed", restorableUntil });
    const { body } = await ask("GET", `/monitors/${id}`, { key });
    expect(body).toMatchObject({ status: "removed", restorableUntil });
  });
});

test("the holder of a key that waits sees its request and the looks, without the site", async () => {
  const { ask, prove } = createOwnerHarness();
  const { id } = await prove();
  const asked = await ask("POST", `/monitors/${id}/token`);
  const { token: key, challenge } = asked.body;
  const { file, dns, meta } = placesOf(challenge.token);
  const hidden = {
    for: "key",
    until: T0_SECONDS + DAY_S,
    token: challenge.token,
    file: { ...file, url: "/.well-known/status-snapshot/monitor-1.txt" },
    dns: { ...dns, name: "_status-snapshot-challenge" },
    meta: { tag: meta.tag },
  };
  expect([asked.status, asked.body]).toEqual([
    201,
    { id, token: key, until: T0_SECONDS + DAY_S, challenge: hidden },
  ]);
  // Found is the proof of the owner, not that of the request.
  const places = [
    { method: "dns", found: "absent" },
    { method: "file", found: "found" },
    { method: "meta", found: "absent" },
  ];
  const { body: verified } = await ask("POST", `/monitors/${id}/verify`, { key });
  const look = { at: T0_SECONDS, denied: false, places };
  expect(verified).toEqual({ id, status: "pending", look });
  expect((await ask("GET", `/monitors/${id}`, { key })).body).toEqual({
    id,
    status: "candidate",
    challenges: [hidden],
    lastLook: look,
  });
});

test("an owner who moves waits for the proof of the new address", async () => {
  const { ask, prove } = createOwnerHarness();
  const { id, token: key } = await prove();
  await ask("PATCH", `/monitors/${id}`, { key, body: { url: "https://new.example/" } });
  const { body } = await ask("POST", `/monitors/${id}/verify`, { key });
  expect(body.status).toBe("pending");
});

test("a problem has its code, its title and where it is explained", async () => {
  const { ask } = createOwnerHarness();
  expect((await ask("GET", "/monitors/unknown")).body).toEqual({
    type: "/api#problem-unknown",
    title: "There is no such monitor, or the key is wrong",
    status: 404,
    code: "unknown",
  });
  const { body } = await ask("POST", "/monitors", { body: "{" });
  expect(body).toMatchObject({ code: "malformed", detail: expect.stringContaining("JSON") });
});

test("a network that has added too many may come back in an hour", async () => {
  const { ask } = createOwnerHarness();
  const add = (at: number) =>
    ask("POST", "/monitors", { body: { url: `https://a${at}.ru/` }, from: "198.51.100.9" });
  for (let at = 0; at < 10; at += 1) await add(at);
  const { status, headers } = await add(10);
  expect([status, headers.get("Retry-After")]).toEqual([429, "3600"]);
});

test("a fault of our own is a 500 that says nothing", async () => {
  const { ask, prove } = createOwnerHarness({
    conditionOf: () => Promise.reject(new Error("secret")),
  });
  const { id, token: key } = await prove();
  const { status, text } = await ask("GET", `/monitors/${id}`, { key });
  expect([status, text]).toEqual([500, '{"title":"internal error","status":500}']);
  // The next action about the monitor has its turn.
  expect((await ask("DELETE", `/monitors/${id}`, { key })).status).toBe(202);
});

test.each([
  ["GET, PATCH, DELETE, OPTIONS", "/monitors/a"],
  ["POST, OPTIONS", "/monitors"],
  ["POST, OPTIONS", "/monitors/a/verify"],
  ["POST, OPTIONS", "/monitors/a/token"],
  ["POST, OPTIONS", "/monitors/a/restore"],
  ["POST, OPTIONS", "/monitors/a/channels"],
  ["DELETE, OPTIONS", `/monitors/a/channels/${"c".repeat(22)}`],
])("the methods %s are allowed at %s, with a query too", async (methods, path) => {
  const { ask } = createOwnerHarness();
  const { status, headers } = await ask("OPTIONS", `${path}?x=1`);
  expect([status, headers.get("Allow")]).toEqual([204, methods]);
});

test.each([21, 23])("a channel whose id has %i characters is a 404", async (length) => {
  const { ask } = createOwnerHarness();
  const path = `/monitors/a/channels/${"c".repeat(length)}`;
  expect((await ask("OPTIONS", path)).status).toBe(404);
});

test("edits that change pages are urgent, others wait for a calm moment", async () => {
  const told: unknown[] = [];
  const { ask, register, putFile, intake } = createOwnerHarness({
    onEdit: ({ kind }, isUrgent) => told.push([kind, isUrgent]),
  });
  expect(intake.waiting()).toBe("none");
  const { id, token: key, challenge } = await register();
  expect(intake.waiting()).toBe("calm");
  await ask("POST", `/monitors/${id}/token`);
  expect(intake.waiting()).toBe("calm");
  putFile(challenge);
  await ask("POST", `/monitors/${id}/verify`, { key });
  expect(intake.waiting()).toBe("urgent");
  await ask("PATCH", `/monitors/${id}`, { key, body: { name: "x" } });
  expect(told).toEqual([
    ["register", false],
    ["challenge", false],
    ["proof-seen", true],
    ["change", true],
  ]);
  // A generation that has counted none of them.
  intake.update({ ...NOTHING, isAll: false }, true);
  expect(intake.waiting()).toBe("urgent");
  expect(await intake.metrics()).toContain("status_snapshot_owner_edits_waiting 4\n");
});

test("a generation that has counted an edit makes nothing wait", async () => {
  const ids: string[] = [];
  const { prove, intake, ask } = createOwnerHarness({
    writeEdits: async (id) => void ids.push(id),
  });
  const { id, token: key } = await prove();
  const folded = addFolded(new Map(), ids, T0);
  const owned = { ...provedMonitor(id), keyHash: sha256Of(key) };
  intake.update({ ...NOTHING, folded, records: [[id, owned]] }, true);
  expect(intake.waiting()).toBe("none");
  expect((await ask("GET", `/monitors/${id}`, { key })).body.status).toBe("proved");
  // All records, without this one: it is gone.
  intake.update({ ...NOTHING, folded }, true);
  expect((await ask("GET", `/monitors/${id}`, { key })).status).toBe(404);
});

describe("a key", () => {
  const key = "k".repeat(43);
  const owned = { ...provedMonitor("a"), keyHash: sha256Of(key) };

  test.each([
    [key, true],
    ["l".repeat(43), false],
    [undefined, false],
  ])("%j opens the monitor: %s", (given, isOpen) => {
    expect(accessByKey(owned, given, T0)?.kind === "owner").toBe(isOpen);
  });

  test("of a request opens it for a day", () => {
    const asking = "l".repeat(43);
    const goal = { kind: "key", keyHash: sha256Of(asking) } as const;
    const challenge = { token: "t", goal, sinceMs: T0, network: "n" };
    const asked = { ...owned, challenges: [challenge] };
    const at = (nowMs: number) => accessByKey(asked, asking, nowMs);
    expect(at(T0 + DAY_MS - 1)).toEqual({ kind: "candidate", owned: asked, challenge });
    expect(at(T0 + DAY_MS)).toBeUndefined();
  });
});
