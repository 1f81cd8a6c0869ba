import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { PATIENCE_MS } from "../patience.ts";
import { type DnsServer, startDnsServer } from "../world/dns-server.ts";
import { listenAnywhere } from "../verify/good-deployment.ts";
import { type Answered, ask } from "./ask.ts";
import { FRONT_HOST, getFrontCertificate } from "./front-certificate.ts";
import { findHeaderProblems, type FrontLab, openFrontLab } from "./front-lab.ts";
import type { Edit } from "./fronts.ts";
import { BADGE_ID } from "./public-bucket.ts";

const LIST = "/api/v1/status";
const BADGE = `/api/m/${BADGE_ID}/badge.svg`;

let lab: FrontLab;

beforeAll(async () => {
  lab = await openFrontLab(inject("ceph"));
});

afterAll(() => lab.close());

/** The store by a name that this name server knows, asked about anew after a second. */
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

describe.each(["nginx", "caddy"] as const)("%s, with a store by name", (name) => {
  test("asks for its address again", async () => {
    const dns = await startDnsServer();
    const { host, port } = new URL(lab.relay.endpoint);
    dns.set("store.example", { kind: "answer", addresses: ["127.0.0.1"], ttlSeconds: 1 });
    const front = await lab.start(name, { edits: NAMED[name](dns, host) });
    const seen = new Set<string>();
    const elsewhere = createServer((request, response) => {
      seen.add(request.headers.host ?? "");
      response.setHeader("ETag", '"moved"').end("moved");
    });
    const get = (): Promise<Answered> => ask(front.url, BADGE);
    expect((await get()).body).toContain("<svg");

    await once(elsewhere.listen(Number(port), "127.0.0.2"), "listening");
    dns.set("store.example", { kind: "answer", addresses: ["127.0.0.2"], ttlSeconds: 1 });
    // A connection that is open stays with the address it has.
    await lab.relay.setMode("refuse");
    await lab.relay.setMode("pass");
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

test("nginx serves what it has while the address of the store cannot be had", async () => {
  const dns = await startDnsServer();
  const { host } = new URL(lab.relay.endpoint);
  dns.set("store.example", { kind: "answer", addresses: ["127.0.0.1"], ttlSeconds: 1 });
  const front = await lab.start("nginx", { edits: NAMED.nginx(dns, host) });
  const kept = await ask(front.url, LIST);
  expect(kept.status).toBe(200);
  for (const kind of ["nxdomain", "servfail"] as const) {
    dns.set("store.example", { kind });
    const before = lab.relay.seen.length;
    // Until what was resolved before has expired, and then for good.
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
    expect(lab.relay.seen.slice(before).map(({ target }) => target)).not.toContain(
      expect.stringContaining("never"),
    );
  }
  await front.stop();
  await dns.close();
});

test("nginx asks a store over TLS by its name, and believes no certificate of another", async () => {
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
    const front = await lab.start("nginx", {
      edits: [
        [`"${lab.relay.endpoint}/`, `"https://${name}:${port}/`],
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
