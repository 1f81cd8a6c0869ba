import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { makePushKey, pushKeysOf } from "../../src/setup/files/push-key.ts";
import { createPushClient } from "../../src/notify/channels/push.ts";
import { sendWebhook } from "../../src/notify/channels/webhook.ts";
import {
  buildProbeDependencies,
  buildUrlGuard,
  type ProbeConfig,
} from "../../src/probe/probe-config.ts";
import { HOSTILE_ADDRESSES, hostileUrls } from "../monitors/proof/hostile-urls.ts";
import { startDnsServer } from "../simulated-internet/dns-server.ts";
import { createSubscriber } from "./decrypt-push.ts";

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

let received: Received[] = [];
let reply: Reply | "silence" | "reset" = { status: 204 };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: Buffer.concat(chunks) });
    if (reply === "reset") response.destroy();
    else if (reply !== "silence") response.writeHead(reply.status, reply.headers).end("thanks");
  });
});
let dns: Awaited<ReturnType<typeof startDnsServer>>;
let url = "";
beforeAll(async () => {
  dns = await startDnsServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${portOf()}/hook?key=1`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await dns.close();
});
beforeEach(() => {
  received = [];
  reply = { status: 204 };
});

const portOf = (): number => (server.address() as AddressInfo).port;

function depsWith(changes: Partial<ProbeConfig> = {}) {
  const config: ProbeConfig = {
    dns: `127.0.0.1:${dns.port}`,
    allowPrivate: ["127.0.0.1/32"],
    ownAddresses: [],
    connectTo: [],
    roots: { everywhere: [], national: [] },
    allowedPorts: [portOf()],
    fingerprints: [],
    ...changes,
  };
  const probe = { ...buildProbeDependencies(config), refusalOfUrl: buildUrlGuard(config) };
  return { probe, signal: new AbortController().signal };
}

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const MESSAGE = { id: "shop.7", payload: { type: "monitor.failing", data: { name: "Лавка ☕" } } };

const hook = (deps = depsWith(), to = url) =>
  sendWebhook({ url: to, secret: SECRET }, MESSAGE, Date.now(), deps);

describe("a webhook", () => {
  test("is a signed request that the library of Standard Webhooks accepts", async () => {
    expect(await hook()).toEqual({ kind: "delivered" });
    const [{ method, url: path, headers, body } = raise()] = received;
    expect([method, path, headers["webhook-id"]]).toEqual(["POST", "/hook?key=1", "shop.7"]);
    expect(headers["content-type"]).toBe("application/json");
    const sent = headers as Record<string, string>;
    expect(new Webhook(SECRET).verify(body, sent)).toEqual(MESSAGE.payload);
    expect(() => new Webhook(SECRET).verify(`${body.toString()} `, sent)).toThrow("signature");
  });

  test.each([
    [{ status: 200 }, { kind: "delivered" }],
    [{ status: 410 }, { kind: "gone" }],
    [{ status: 404 }, { kind: "failed", reason: "status 404" }],
    [{ status: 500 }, { kind: "failed", reason: "status 500" }],
    [
      { status: 429, headers: { "Retry-After": "120" } },
      { kind: "failed", reason: "status 429", retryAfterMs: 120_000 },
    ],
    [
      { status: 503, headers: { "Retry-After": "999999999" } },
      { kind: "failed", reason: "status 503", retryAfterMs: 86_400_000 },
    ],
    [
      { status: 503, headers: { "Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT" } },
      { kind: "failed", reason: "status 503" },
    ],
    ["reset", { kind: "failed", reason: "http-closed" }],
  ] as const)("that is answered with %o is %o", async (answer, result) => {
    reply = answer;
    expect(await hook()).toEqual(result);
    expect(received.length).toBe(1);
  });

  test("follows no redirect", async () => {
    reply = { status: 307, headers: { Location: url } };
    expect(await hook()).toEqual({ kind: "failed", reason: "status 307" });
    expect(received.length).toBe(1);
  });

  test("to a receiver that says nothing ends in time", async () => {
    reply = "silence";
    expect(await hook()).toEqual({ kind: "failed", reason: "http-timeout" });
  });
});

describe("the guard", () => {
  test("lets no message through to what a monitor may not have", async () => {
    const deps = depsWith({ allowPrivate: [] });
    const urls = hostileUrls(portOf()).filter(
      (one) => URL.canParse(one) && /^https?:$/u.test(new URL(one).protocol),
    );
    expect(urls.length).toBeGreaterThan(300);
    for (const one of urls) expect([one, (await hook(deps, one)).kind]).toEqual([one, "failed"]);
    expect(received).toEqual([]);
  });

  test("judges each address that a name leads to", async () => {
    for (const [at, address] of [...HOSTILE_ADDRESSES, "127.0.0.1"].entries()) {
      const host = `hook-${at}.example`;
      dns.set(host, { kind: "answer", addresses: [address] });
      const result = await hook(depsWith({ allowPrivate: [] }), `http://${host}:${portOf()}/`);
      expect([address, result.kind]).toEqual([address, "failed"]);
    }
    expect(received).toEqual([]);
  });
});

describe("a push", () => {
  const notice = { title: "Лавка не открывается", body: "", tag: "shop", url: "https://a.ru/" };

  const contact = "mailto:status@example.ru";

  async function push(keys = createSubscriber().keys) {
    const own = pushKeysOf(await makePushKey());
    const endpoint = url.replace("/hook?key=1", "/send/1");
    const { send } = createPushClient(own, depsWith());
    return { own, result: await send({ endpoint, ...keys }, notice, contact) };
  }

  test("is readable for its browser alone, and names its sender", async () => {
    const { own, result } = await push();
    expect(result).toEqual({ kind: "delivered" });
    const [{ url: path, headers, body } = raise()] = received;
    expect([path, headers["content-encoding"], headers["ttl"]]).toEqual([
      "/send/1",
      "aes128gcm",
      "86400",
    ]);
    expect(headers["topic"]).toMatch(/^[\w-]{32}$/u);
    expect(JSON.parse(createSubscriber().decrypt(body))).toEqual(notice);
    expect(() => createSubscriber(2).decrypt(body)).toThrow("Unsupported state");
    const [, token = "", key] = /^vapid t=(.+), k=(.+)$/u.exec(headers.authorization ?? "") ?? [];
    expect(key).toBe(own.publicKey);
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(claims).toMatchObject({ aud: new URL(url).origin, sub: contact });
  });

  test.each([404, 410])("to a subscription that has ended, %i, is the last", async (status) => {
    reply = { status };
    expect((await push()).result).toEqual({ kind: "gone" });
  });

  test("for keys that are no point of the curve is the last, and sends nothing", async () => {
    const { auth } = createSubscriber().keys;
    const p256dh = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 9)]).toString("base64url");
    expect((await push({ p256dh, auth })).result).toEqual({ kind: "gone" });
    expect(received).toEqual([]);
  });
});

function raise(): never {
  throw new Error("nothing was received");
}
