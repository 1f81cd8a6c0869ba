import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { LOOPBACK_PROBE } from "./loopback-probe.ts";
import { TELEGRAM } from "../../src/notify/channels/telegram.ts";

const MIGRATED = {
  ok: false,
  description: "Bad Request: group chat was upgraded to a supergroup chat",
  parameters: { migrate_to_chat_id: -100_123 },
};

function answerTo(chat: unknown): { readonly status: number; readonly content: unknown } {
  const away = { migrate_to_chat_id: -100_999 };
  if (chat === "-7") return { status: 400, content: MIGRATED };
  if (chat === "-6") return { status: 400, content: { ...MIGRATED, parameters: away } };
  if (chat === away.migrate_to_chat_id) return { status: 403, content: { description: "no" } };
  if (chat === "-5") return { status: 502, content: "down" };
  return { status: 200, content: chat === "-8" ? {} : { ok: true, result: { message_id: 5 } } };
}

/** A relay of the Bot API that compresses all it answers, and a group that has moved. */
async function openRelay() {
  const chats: unknown[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const { chat_id: chat = "none" } = JSON.parse(text);
      chats.push(chat);
      const { status, content } = answerTo(chat);
      response.writeHead(status, { "Content-Encoding": "gzip" });
      response.end(gzipSync(JSON.stringify(content)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const deps = {
    probe: LOOPBACK_PROBE,
    signal: new AbortController().signal,
    env: {},
    killGroup: () => undefined,
    wallMs: () => 0,
  };
  const letter = {
    id: "1",
    language: "ru",
    html: () => ({ html: "a", isSilent: false }),
    plain: () => "a",
    payload: {},
  };
  const settings = (chat: string) => ({
    base: `http://127.0.0.1:${port}`,
    token: { env: "TOKEN" },
    chat,
  });
  return {
    chats,
    send: (chat: string) => TELEGRAM.send(settings(chat), "1:a", letter, deps),
    check: (chat: string) => TELEGRAM.test(settings(chat), "1:a", deps),
  };
}

test("an answer that a relay has compressed is understood, so that nothing is repeated", async () => {
  const { send } = await openRelay();
  const result = await send("9");
  expect(result).toEqual({ kind: "delivered", ref: "5" });
});

test("a message to a group that became a supergroup follows it, and that is told", async () => {
  const { chats, send } = await openRelay();
  const result = await send("-7");
  const note = `The group has become a supergroup: write chat: "-100123" in the file of channels.`;
  expect(result).toEqual({ kind: "delivered", ref: "5", note });
  expect(chats).toEqual(["-7", -100_123]);
});

test("a group that has moved to where the bot may not write is a failure", async () => {
  const { chats, send } = await openRelay();
  expect(await send("-6")).toEqual({ kind: "failed", reason: "status 403: no" });
  expect(chats).toEqual(["-6", -100_999]);
});

test("an answer that is not of the Bot API is a failure with its status", async () => {
  const { send } = await openRelay();
  expect(await send("-5")).toEqual({ kind: "failed", reason: "status 502" });
});

test("a check of the channel tells the new number too", async () => {
  const { check } = await openRelay();
  expect(await check("9")).toBeUndefined();
  expect(await check("-7")).toContain("-100123");
});

test("an answer 200 without ok is a failure", async () => {
  const { send } = await openRelay();
  expect(await send("-8")).toMatchObject({ kind: "failed" });
});
