import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import { createPool } from "../../src/probe/pool.ts";
import type { Behaviour } from "../simulated-internet/behaviour.ts";
import {
  LIMITS,
  openHarness,
  resolverOf,
  wordFor,
  type Harness,
  type SeeOptions,
} from "./harness.ts";
import { runScript } from "../run-script.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

/** Handles of sockets and DNS queries, including those of the simulated internet. */
function networkHandles(): string[] {
  const kinds = /TCP|TLS|Query|Connect|Channel/u;
  return process
    .getActiveResourcesInfo()
    .filter((kind) => kinds.test(kind))
    .toSorted();
}

describe("an abort", () => {
  // Only the abort can end these.
  const deps = { limits: LIMITS };
  const WORKSPACES: readonly (readonly [string, (options: SeeOptions) => Promise<Outcome>])[] = [
    [
      "DNS",
      (options) =>
        harness.seeDns(
          { kind: "silent" },
          { ...options, deps: { resolve: resolverOf(harness.internet, 60_000) } },
        ),
    ],
    ["TCP", (options) => harness.see({ kind: "tcp-blackhole" }, { ...options, deps })],
    ["TLS", (options) => harness.see({ kind: "tls-silence" }, { ...options, deps })],
    ["HTTP", (options) => harness.see({ kind: "http-silence" }, { ...options, deps })],
    [
      "the body",
      (options) => harness.see({ kind: "body-stall", afterBytes: 9_000 }, { ...options, deps }),
    ],
    [
      "a body without a length",
      (options) => harness.see({ kind: "body-drip", intervalMs: 10 }, { ...options, deps }),
    ],
    [
      "the second hop",
      (options) => {
        const to = `https://${harness.newHost({ kind: "http-silence" })}/`;
        return harness.see({ kind: "redirect", to }, { ...options, deps });
      },
    ],
  ];

  test.for(WORKSPACES)(
    "during %s ends the probe at once and leaves nothing open",
    async ([, see]) => {
      const before = networkHandles();
      const stop = new AbortController();
      const seen = see({ signal: stop.signal });
      await new Promise((resolve) => setTimeout(resolve, 120));
      stop.abort("aborted");
      expect(await seen).toEqual({ kind: "skipped", reason: "aborted" });
      await expect.poll(networkHandles).toEqual(before);
    },
  );

  test("before the probe costs no connection", async () => {
    const host = harness.newHost();
    const signal = AbortSignal.abort("deadline");
    const outcome = await harness.probe(`https://${host}/`, { signal });
    expect(outcome).toEqual({ kind: "skipped", reason: "deadline" });
    expect(harness.internet.connections(host)).toBe(0);
  });
});

test("nothing stays open, whatever the server does", async () => {
  const before = networkHandles();
  const behaviours: Behaviour[] = [
    { kind: "page" },
    { kind: "page", certificate: "expired" },
    { kind: "http-silence" },
    { kind: "headers-endless" },
    { kind: "informational-flood", intervalMs: 0 },
    { kind: "redirect-endless" },
    { kind: "body-endless" },
    { kind: "body-stall", afterBytes: 100 },
    { kind: "tls-silence" },
    { kind: "tls-alert", alert: "handshake_failure" },
    { kind: "page", wire: { kind: "cut", afterRawBytes: 16_384, ending: "silence" } },
    { kind: "tcp-blackhole" },
  ];
  await Promise.all(behaviours.map((behaviour) => harness.see(behaviour)));
  await expect.poll(networkHandles).toEqual(before);
});

describe("in its own process", () => {
  const probeThere = async (
    url: string,
    env: Readonly<Record<string, string>>,
  ): Promise<{ word: string; handles: string[]; timers: number }> => {
    // JSON keeps only the addresses of the simulated internet.
    const internet = JSON.stringify(harness.internet);
    return (await runScript("probe/probe-script.ts", [internet, url], env)) as {
      word: string;
      handles: string[];
      timers: number;
    };
  };

  test("proxies in the environment and getaddrinfo are not used, and no timer is left", async () => {
    const proxy = createServer((socket) => socket.destroy());
    let visits = 0;
    proxy.on("connection", () => (visits += 1));
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"];
    const env = {
      ...Object.fromEntries(names.map((name) => [name, address])),
      NODE_USE_ENV_PROXY: "1",
      NO_PROXY: "",
      NODE_EXTRA_CA_CERTS: harness.internet.rootCaFile,
    };
    for (const scheme of ["http", "https"]) {
      const { word, handles, timers } = await probeThere(`${scheme}://${harness.newHost()}/`, env);
      expect([word, timers]).toEqual(["ok", 0]);
      expect(handles).toContain("QUERYWRAP");
      expect(handles).not.toContain("GETADDRINFOREQWRAP");
    }
    expect(visits).toBe(0);
    proxy.close();
  });

  test("the roots of NODE_EXTRA_CA_CERTS count, an unknown root does not", async () => {
    const url = `https://${harness.newHost()}/`;
    const good = await probeThere(url, { NODE_EXTRA_CA_CERTS: harness.internet.rootCaFile });
    const strange = await probeThere(url, { NODE_EXTRA_CA_CERTS: harness.internet.nationalCaFile });
    expect([good.word, strange.word]).toEqual(["ok", "cert-unknown-issuer"]);
    expect([good.timers, strange.timers]).toEqual([0, 0]);
  });
});

test("300 concurrent probes of every kind have the right outcomes", async () => {
  const kinds: readonly (readonly [Behaviour, string])[] = [
    [{ kind: "page" }, "ok"],
    [{ kind: "page", delayMs: 200 }, "ok"],
    [{ kind: "page", status: 404 }, "ok"],
    [{ kind: "page", status: 502 }, "http-server-error"],
    [{ kind: "body-endless" }, "ok"],
    [{ kind: "legal-refusal" }, "http-legal-refusal"],
    [{ kind: "redirect-loop" }, "redirect-loop"],
    [{ kind: "tls-reset" }, "tls-reset"],
    [{ kind: "tls-close" }, "tls-closed"],
    [{ kind: "tls-silence" }, "tls-timeout"],
    [{ kind: "tcp-refused" }, "tcp-refused"],
    [{ kind: "tcp-blackhole" }, "tcp-timeout"],
    [{ kind: "http-reset" }, "http-broken"],
    [{ kind: "http-close" }, "http-broken"],
    [{ kind: "http-silence" }, "http-timeout"],
    [{ kind: "informational-flood", intervalMs: 0 }, "http-informational-flood"],
    [{ kind: "page", certificate: "expired" }, "cert-expired"],
    [{ kind: "page", certificate: "self-signed" }, "cert-self-signed"],
    [{ kind: "body-stall", afterBytes: 9_000 }, "body-stall"],
    [{ kind: "body-reset", afterBytes: 20_000 }, "body-broken"],
    [{ kind: "body-close", afterBytes: 20_000 }, "body-broken"],
    [
      { kind: "page", wire: { kind: "cut", afterRawBytes: 16_384, ending: "silence" } },
      "body-stall",
    ],
  ];
  const pool = createPool({ concurrency: 64, perHost: 2 });
  const before = networkHandles();
  const tasks = Array.from({ length: 300 }, (_, index) => {
    const [behaviour, word] = kinds[index % kinds.length] ?? [{ kind: "page" }, "ok"];
    return { behaviour, expected: `${index % kinds.length} ${behaviour.kind} ${word}` };
  });
  const seen = await Promise.all(
    tasks.map(({ behaviour }, index) =>
      pool(`host${index}`, async () => {
        const outcome = await harness.see(behaviour);
        // libuv reports an RST that arrives with the last bytes as a FIN, which may happen here with one thread.
        const word = wordFor(outcome).replace(/^(http|body)-(?:reset|closed)$/u, "$1-broken");
        return `${index % kinds.length} ${behaviour.kind} ${word}`;
      }),
    ),
  );
  expect(seen).toEqual(tasks.map(({ expected }) => expected));
  await expect.poll(networkHandles).toEqual(before);
});
