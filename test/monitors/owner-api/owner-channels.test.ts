import { describe, expect, test } from "vitest";
import { MAX_CHANNELS } from "../../../src/model/monitor/owner-channel.ts";
import { createSubscriber } from "../../notify/decrypt-push.ts";
import { type Asked, createOwnerHarness } from "./owner-harness.ts";

const PUSH_KEY = "B".repeat(87);
const HOOK = "https://hooks.example.ru/status?key=1";
const { keys } = createSubscriber();

/** A proved monitor of an intake that tells owners. */
async function start(isPlainAllowed = false) {
  const harness = createOwnerHarness({ alerts: { pushKey: PUSH_KEY, isPlainAllowed } });
  const { id, token: key } = await harness.prove();
  const ask = (method: string, path: string, asked: Asked = {}) =>
    harness.ask(method, `/monitors/${id}${path}`, { key, ...asked });
  const add = (body: unknown) => ask("POST", "/channels", { body });
  return { ...harness, id, key, askIt: ask, add };
}

describe("a channel", () => {
  test("of a webhook gives its secret once, and is in the record without it", async () => {
    const { askIt, add, clock } = await start();
    const { status, headers, body } = await add({ webhook: HOOK });
    expect([status, body.kind]).toEqual([201, "webhook"]);
    expect(Buffer.from(body.secret.slice("whsec_".length), "base64").length).toBe(24);
    expect(headers.get("Location")).toMatch(new RegExp(`/channels/${body.id}$`, "u"));
    const { body: record, text } = await askIt("GET", "");
    const addedAt = Math.floor(clock.nowMs / 1_000);
    expect(record.channels).toEqual([{ id: body.id, kind: "webhook", to: HOOK, addedAt }]);
    expect(record.pushKey).toBe(PUSH_KEY);
    expect(text).not.toContain(body.secret);
  });

  test("of a browser is shown by the service that it goes through, and by nothing else", async () => {
    const { askIt, add } = await start();
    const endpoint = "https://push.example.com/send/secret";
    const padded = { p256dh: `${keys.p256dh}=`, auth: `${keys.auth}==` };
    const { status } = await add({
      push: { endpoint, expirationTime: null, keys: padded },
      language: "en",
    });
    expect(status).toBe(201);
    const { body, text } = await askIt("GET", "");
    expect(body.channels).toMatchObject([{ kind: "push", to: "push.example.com" }]);
    expect(text).not.toContain("secret");
  });

  test.each([
    ["webhook", { webhook: HOOK }],
    ["browser", { push: { endpoint: "https://push.example.com/send/1", keys } }],
  ])("of the same %s replaces the one before", async (_, receiver) => {
    const { askIt, add, edits } = await start();
    await add(receiver);
    const { body } = await add(receiver);
    const { body: record } = await askIt("GET", "");
    expect(record.channels.map((one: { id: string }) => one.id)).toEqual([body.id]);
    expect(edits.filter(({ kind }) => kind === "channel-added").length).toBe(2);
  });

  test("is removed by its id; one that is not there, too", async () => {
    const { askIt, add } = await start();
    const { body } = await add({ webhook: HOOK });
    for (const id of [body.id, body.id, "x".repeat(22)]) {
      const { status, body: record } = await askIt("DELETE", `/channels/${id}`);
      expect([status, record.channels]).toEqual([200, []]);
    }
  });

  test("beyond the fifth is refused, also if two come at once", async () => {
    const { add } = await start();
    const all = await Promise.all(
      Array.from({ length: MAX_CHANNELS + 2 }, (_, at) => add({ webhook: `${HOOK}${at}` })),
    );
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 409, 409]);
    expect(all.at(-1)?.body.code).toBe("limit-channels");
  });
});

describe("refused is", () => {
  test.each([
    [{ webhook: "http://hooks.example.ru/" }, "/webhook"],
    [{ webhook: "https://127.0.0.1/" }, "/webhook"],
    [{ webhook: "https://user:secret@hooks.example.ru/" }, "/webhook"],
    [{ webhook: "https://hooks.example.ru:22/" }, "/webhook"],
    [{ webhook: 7 }, "/webhook"],
    [{ push: { endpoint: "https://[::1]/", keys } }, "/push/endpoint"],
    [{ push: { endpoint: HOOK, keys: { ...keys, auth: "short" } } }, "/push/keys/auth"],
    [{ push: { endpoint: HOOK, keys: { ...keys, p256dh: "A".repeat(87) } } }, "/push/keys/p256dh"],
    [{ webhook: HOOK, push: { endpoint: HOOK, keys } }, ""],
    [{}, ""],
    [{ webhook: HOOK, language: "de" }, "/language"],
    [{ mail: "a@example.ru" }, "/mail"],
  ])("%j, with its place", async (body, pointer) => {
    const { add } = await start();
    const answer = await add(body);
    expect([answer.status, answer.body.code]).toEqual([422, "invalid"]);
    expect(answer.body.errors.map((one: { pointer: string }) => one.pointer)).toContain(pointer);
  });

  test("what is no JSON object", async () => {
    const { add } = await start();
    for (const body of ["{", "[]", "null", '"x"']) expect((await add(body)).status).toBe(400);
  });

  test("every channel where no notifier runs, and the record says nothing of alerts", async () => {
    const { ask, prove } = createOwnerHarness();
    const { id, token: key } = await prove();
    const answer = await ask("POST", `/monitors/${id}/channels`, { key, body: { webhook: HOOK } });
    expect([answer.status, answer.body.code]).toEqual([404, "alerts-off"]);
    expect((await ask("GET", `/monitors/${id}`, { key })).body.pushKey).toBeUndefined();
  });

  test("a channel before the proof, with a wrong key, with the key of a request", async () => {
    const { ask, register, id, askIt } = await start();
    const pending = await register();
    const path = `/monitors/${pending.id}/channels`;
    const early = await ask("POST", path, { key: pending.token, body: { webhook: HOOK } });
    expect([early.status, early.body.code]).toEqual([409, "not-proved"]);
    const wrong = await askIt("POST", "/channels", { key: "x".repeat(43), body: {} });
    expect(wrong.status).toBe(404);
    const { body: lost } = await ask("POST", `/monitors/${id}/token`);
    const candidate = await askIt("POST", "/channels", { key: lost.token, body: {} });
    expect([candidate.status, candidate.body.code]).toEqual([409, "not-proved"]);
  });

  test("a channel while the store is down, and nothing is left of it", async () => {
    const { askIt, add, store } = await start();
    store.isDown = true;
    expect((await add({ webhook: HOOK })).status).toBe(503);
    store.isDown = false;
    expect((await askIt("GET", "")).body.channels).toEqual([]);
  });
});
