import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { COLOR_OF, type VerdictCode } from "../../src/contract/codes/verdict.ts";

/* A website, the Bot APIs of Telegram and of MAX, and a webhook, on one port of loopback. */

export const TELEGRAM_TOKEN = "123456:telegram-secret-of-a-test";
export const MAX_TOKEN = "max-secret-of-a-test";

/** A message that stands in a chat. */
export interface ChatMessage {
  readonly id: string;
  readonly texts: string[];
  readonly isSilent: boolean;
}

export interface Hook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How an API answers in place of what it should. `accepts`: it does what is asked, and then does not answer. */
export type Trouble =
  | { readonly status: number; readonly body?: object; readonly accepts?: true }
  | "accepts"
  | "reset";

export interface FakeChange {
  readonly slug: string;
  /** Unix seconds. */
  readonly at: number;
  readonly before: VerdictCode;
  readonly code: VerdictCode;
  readonly surge?: boolean;
  readonly past?: object;
  readonly operators?: object;
}

function numbered(
  { slug, at, before, code, surge = false, past, operators }: FakeChange,
  seq: number,
) {
  const color = COLOR_OF[code];
  return {
    seq,
    id: `${slug}.${at}.${code}`,
    slug,
    at,
    before,
    code,
    color,
    scope: "everywhere",
    surge,
    past,
    operators,
  };
}

/** What the receivers have, and how they behave. */
function createWorld() {
  return {
    changes: [] as FakeChange[],
    /** Number of the first change. */
    first: 1,
    updated: 0,
    codes: new Map<string, VerdictCode>(),
    /** In place of a document, by path. */
    pages: new Map<string, { readonly status: number; readonly body: string }>(),
    telegram: new Map<string, ChatMessage[]>(),
    max: new Map<string, ChatMessage[]>(),
    hooks: [] as Hook[],
    /** What APIs were asked, without tokens. */
    asked: [] as string[],
    trouble: undefined as ((method: string) => Trouble | undefined) | undefined,
  };
}

export type FakeWorld = ReturnType<typeof createWorld>;

export interface FakeReceivers {
  readonly world: FakeWorld;
  readonly url: string;
  readonly port: number;
  readonly reset: () => void;
  readonly close: () => Promise<void>;
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** Starts the receivers. */
export async function startReceivers(): Promise<FakeReceivers> {
  const world = createWorld();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://x");
      const body = Buffer.concat(chunks).toString();
      route({ request, response, path, query, body }, world);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    world,
    port,
    url: `http://127.0.0.1:${port}`,
    reset: () => void Object.assign(world, createWorld()),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function route(call: Call, world: FakeWorld): void {
  const { path, request } = call;
  const bot = /^\/telegram\/bot([^/]+)\/(\w+)$/u.exec(path);
  if (bot !== null) return answerTelegram(call, bot[1] ?? "", bot[2] ?? "", world);
  if (path.startsWith("/max/")) return answerMax(call, path.slice(4), world);
  if (path === "/hook") {
    const trouble = begin(call, "hook", world);
    if (trouble === undefined || accepts(trouble))
      world.hooks.push({ headers: request.headers as Record<string, string>, body: call.body });
    return finish(call, trouble, 200, {});
  }
  answerWebsite(call, world);
}

function answerWebsite({ path, request, response }: Call, world: FakeWorld): void {
  const page = world.pages.get(path) ?? pageOf(path, world);
  const etag = `"${createHash("sha256").update(page.body).digest("hex")}"`;
  world.asked.push(`GET ${path}`);
  if (page.status === 200 && request.headers["if-none-match"] === etag) {
    world.asked.push(`304 ${path}`);
    response.writeHead(304, { ETag: etag }).end();
  } else response.writeHead(page.status, { ETag: etag }).end(page.body);
}

function pageOf(path: string, world: FakeWorld): { status: number; body: string } {
  const { changes, first, updated, codes } = world;
  if (path === "/site/changes/v1.json") {
    const all = changes.map((change, at) => numbered(change, first + at));
    return { status: 200, body: JSON.stringify({ next: first + changes.length, changes: all }) };
  }
  if (path !== "/site/api/v1/status") return { status: 404, body: "" };
  const services = [...codes].map(([slug, code]) => {
    return { slug, name: nameOf(slug), color: COLOR_OF[code], code, live: code !== "ok" };
  });
  return { status: 200, body: JSON.stringify({ updated, services }) };
}

/** A name that has to be escaped. */
export function nameOf(slug: string): string {
  return `«${slug}» <& Ко>`;
}

function begin({ response }: Call, method: string, world: FakeWorld): Trouble | undefined {
  world.asked.push(method);
  const trouble = world.trouble?.(method);
  if (trouble === "reset") response.destroy();
  return trouble;
}

function accepts(trouble: Trouble | undefined): boolean {
  return (
    trouble === undefined ||
    trouble === "accepts" ||
    (trouble !== "reset" && trouble.accepts === true)
  );
}

function finish(
  { response }: Call,
  trouble: Trouble | undefined,
  status: number,
  content: object,
): void {
  if (trouble === "accepts" || trouble === "reset") response.destroy();
  else if (trouble !== undefined)
    response.writeHead(trouble.status).end(JSON.stringify(trouble.body ?? {}));
  else response.writeHead(status).end(JSON.stringify(content));
}

function refuse(status: number, description: string): Trouble {
  return { status, body: { ok: false, error_code: status, description } };
}

function answerTelegram(call: Call, token: string, method: string, world: FakeWorld): void {
  const asked = JSON.parse(call.body === "" ? "{}" : call.body);
  const chat = String(asked.chat_id ?? "");
  let trouble = begin(call, method, world);
  if (trouble === "reset") return;
  if (token !== TELEGRAM_TOKEN) trouble = refuse(401, "Unauthorized");
  else if (method !== "getMe" && !/^(?:@status|-100)/u.test(chat))
    trouble ??= refuse(400, "Bad Request: chat not found");
  const fault = faultIn(String(asked.text ?? "x"), 4_096);
  if (fault !== undefined) trouble ??= refuse(400, `Bad Request: ${fault}`);
  const messages = world.telegram.get(chat) ?? [];
  world.telegram.set(chat, messages);
  if (!accepts(trouble)) return finish(call, trouble, 200, {});
  if (method === "sendMessage") {
    const id = messages.length + 7;
    const isSilent = asked.disable_notification === true;
    messages.push({ id: String(id), texts: [asked.text], isSilent });
    return finish(call, trouble, 200, { ok: true, result: { message_id: id } });
  }
  if (method !== "editMessageText")
    return finish(call, trouble, 200, { ok: true, result: { id: 1 } });
  const old = messages.find(({ id }) => id === String(asked.message_id));
  if (old === undefined) trouble ??= refuse(400, "Bad Request: message to edit not found");
  else if (old.texts.at(-1) === asked.text)
    trouble ??= refuse(
      400,
      "Bad Request: message is not modified: specified new content is the same",
    );
  else old.texts.push(asked.text);
  finish(call, trouble, 200, { ok: true, result: { message_id: asked.message_id } });
}

function answerMax({ ...call }: Call, path: string, world: FakeWorld): void {
  const { request, query } = call;
  const method = `${request.method} ${path}`;
  let trouble = begin(call, method, world);
  if (trouble === "reset") return;
  if (request.headers.authorization !== MAX_TOKEN)
    trouble = { status: 401, body: { code: "verify.token", message: "Invalid access_token" } };
  const asked = JSON.parse(call.body === "" ? "{}" : call.body);
  const fault = faultIn(String(asked.text ?? "x"), 4_000);
  if (fault !== undefined)
    trouble ??= { status: 400, body: { code: "proto.payload", message: fault } };
  if (!accepts(trouble)) return finish(call, trouble, 200, {});
  if (method === "POST /messages") {
    const messages = world.max.get(query.get("chat_id") ?? "") ?? [];
    world.max.set(query.get("chat_id") ?? "", messages);
    const id = `mid.${messages.length + 1}`;
    messages.push({ id, texts: [asked.text], isSilent: asked.notify === false });
    return finish(call, trouble, 200, { message: { body: { mid: id, seq: 1, text: asked.text } } });
  }
  if (method !== "PUT /messages") return finish(call, trouble, 200, { user_id: 1 });
  const old = [...world.max.values()].flat().find(({ id }) => id === query.get("message_id"));
  if (old === undefined)
    return finish(
      call,
      { status: 404, body: { code: "message.not.found", message: "none" } },
      0,
      {},
    );
  old.texts.push(asked.text);
  finish(call, trouble, 200, { success: true });
}

/** What the messengers would refuse: unknown tags, bare signs, and too much text. */
function faultIn(html: string, longest: number): string | undefined {
  if (html === "" || html.length > longest) return "message is too long";
  const rest = html.replaceAll(/<b>[^<>]*<\/b>|<a href="[^"<>]+">[^<>]*<\/a>/gu, "");
  if (/[<>]/u.test(rest)) return "can't parse entities";
  return /&(?!amp;|lt;|gt;|quot;)/u.test(html) ? "can't parse entities" : undefined;
}
