import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { PATIENCE_MS } from "../patience.ts";
import { type DnsServer, startDnsServer } from "../simulated-internet/dns-server.ts";
import { listenAnywhere } from "../verify/socket-deployment.ts";
import { type Answered, ask } from "./ask.ts";
import { FRONT_HOST, getFrontCertificate } from "./front-certificate.ts";
import { findHeaderProblems, type FrontHarness, openFrontHarness } from "./front-harness.ts";
import type { Edit } from "./fronts.ts";
import { BADGE_ID } from "./public-bucket.ts";

const LIST = "/api/v1/status";
const BADGE = `/api/m/${BADGE_ID}/badge.svg`;

let harness: FrontHarness;

beforeAll(async () => {
  harness = await openFrontHarness(inject("ceph"));
});

afterAll(() => harness.close());

/** Edits that give the store a name, which the name server resolves with a TTL of one second. */
const NAMED: Readonly<
  Record<"nginx" | "caddy", (dns: DnsServer, host: string) => readonly Edit[]>
> = {
  nginx: (dns, host) => [
    ["resolver 127.0.0.53;", `resolver 127.0.0.1:${dns.port} ipv6=off;`],
    [`"http://${host}/`, `"http://${host.replace("127.0.0.1", "store.example")}/`],
    ["proxy_cache_valid 200 30s", "proxy_cache_valid 200 1s"],
  ],
  caddy: (dns, host) => [
    [`to http://${host}`, `to http://${host.replace("127.0.0.1", "store.example")}`],
    [
      "dial_timeout 1s\n\t\tresponse_header_timeout 3s",
      `dial_timeout 1s\n\t\tresponse_header_timeout 3s\n\t\tresolvers 127.0.0.1:${dns.port}`,
    ],
  ],
};

describe.each(["nginx", "caddy"] as const)("%s, with a host name as store", (name) => {
  test("resolves the name again after its TTL", async () => {
    const dns = await startDnsServer();
    const { host, port } = new URL(harness.relay.endpoint);
    dns.set("store.example", { kind: "answer", addresses: ["127.0.0.1"], ttlSeconds: 1 });
    const front = await harness.start(name, { edits: NAMED[name](dns, host) });
    const seen = new Set<string>();
    const elsewhere = createServer((request, response) => {
      seen.add(request.headers.host ?? "");
      response.setHeader("ETag", '"moved"').end("moved");
    });
    const get = (): Promise<Answered> => ask(front.url, BADGE);
    expect((await get()).body).toContain("<svg");

    await once(elsewhere.listen(Number(port), "127.0.0.2"), "listening");
    dns.set("store.example", { kind: "answer", addresses: ["127.0.0.2"], ttlSeconds: 1 });
    // Open connections keep their address.
    await harness.relay.setMode("refuse");
    await harness.relay.setMode("pass");
    await vi.waitFor(async () => expect((await get()).body).toBe("moved"), {
      timeout: PATIENCE_MS,
      interval: 250,
    });
    expect([...seen]).toEqual([`store.example:${port}`]);

    await front.stop();
    elsewhere.closeAllConnections();
    elsewhere.close();
    await dns.close();
  });
});

test("nginx serves cached objects while the name of the store cannot be resolved", async () => {
  const dns = await startDnsServer();
  const { host } = new URL(harness.relay.endpoint);
  dns.set("store.example", { kind: "answer", addresses: ["127.0.0.1"], ttlSeconds: 1 });
  const front = await harness.start("nginx", { edits: NAMED.nginx(dns, host) });
  const kept = await ask(front.url, LIST);
  expect(kept.status).toBe(200);
  for (const kind of ["nxdomain", "servfail"] as const) {
    dns.set("store.example", { kind });
    const before = harness.relay.seen.length;
    // At first nginx uses the cached address, until it expires.
    await vi.waitFor(
      async () => {
        expect((await ask(front.url, "/api/m/other/badge.svg")).status).toBe(503);
      },
      { timeout: PATIENCE_MS, interval: 500 },
    );
    const stale = await ask(front.url, LIST, { headers: { Origin: "https://site.example" } });
    expect([kind, stale.status, stale.body]).toEqual([kind, 200, kept.body]);
    expect(stale.header("etag")).toBe(kept.header("etag"));
    expect(stale.header("cache-control")).toBe("max-age=60");
    expect(findHeaderProblems(stale)).toEqual([]);
    const never = await ask(front.url, "/api/m/never/badge.svg");
    expect([never.status, never.body]).toEqual([503, '{"error":"temporarily unavailable"}']);
    expect(never.header("retry-after")).toBe("10");
    expect(findHeaderProblems(never)).toEqual([]);
    expect(harness.relay.seen.slice(before).map(({ target }) => target)).not.toContain(
      expect.stringContaining("never"),
    );
  }
  await front.stop();
  await dns.close();
});

test("nginx sends its name to a store over TLS, and refuses another certificate", async () => {
  const { certificatePem, keyPem } = await getFrontCertificate();
  const names = new Set<unknown>();
  const store = createTlsServer({ cert: certificatePem, key: keyPem }, (request, response) => {
    names
      .add(request.headers.host)
      .add("servername" in request.socket && request.socket.servername);
    response.setHeader("Content-Type", "application/json; charset=utf-8").end("over TLS");
  });
  const { port } = await listenAnywhere(store);
  const dns = await startDnsServer();
  for (const name of [FRONT_HOST, "other.example"]) {
    dns.set(name, { kind: "answer", addresses: ["127.0.0.1"] });
    const front = await harness.start("nginx", {
      edits: [
        [`"${harness.relay.endpoint}/`, `"https://${name}:${port}/`],
        ["resolver 127.0.0.53;", `resolver 127.0.0.1:${dns.port} ipv6=off;`],
      ],
    });
    const answer = await ask(front.url, LIST);
    const isRight = name === FRONT_HOST;
    expect([name, answer.status]).toEqual([name, isRight ? 200 : 503]);
    if (isRight) expect(answer.body).toBe("over TLS");
    await front.stop();
  }
  expect([...names]).toEqual([`${FRONT_HOST}:${port}`, FRONT_HOST]);
  store.closeAllConnections();
  store.close();
  await dns.close();
});
