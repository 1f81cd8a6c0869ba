import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Outcome } from "../../src/model/outcome.ts";
import { createPool } from "../../src/probe/pool.ts";
import type { Behaviour } from "../world/behaviour.ts";
import { LIMITS, openLab, resolverOf, wordFor, type Lab, type SeeOptions } from "./lab.ts";
import { runScript } from "./run-script.ts";

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

/** Handles of sockets and of questions to name servers, the world's own included. */
function networkHandles(): string[] {
  const kinds = /TCP|TLS|Query|Connect|Channel/u;
  return process
    .getActiveResourcesInfo()
    .filter((kind) => kinds.test(kind))
    .toSorted();
}

describe("an abort", () => {
  // Only the abort can end them.
  const deps = { limits: LIMITS };
  const STAGES: readonly (readonly [string, (options: SeeOptions) => Promise<Outcome>])[] = [
    [
      "DNS",
      (options) =>
        lab.seeDns(
          { kind: "silent" },
          { ...options, deps: { resolve: resolverOf(lab.world, 60_000) } },
        ),
    ],
    ["TCP", (options) => lab.see({ kind: "tcp-blackhole" }, { ...options, deps })],
    ["TLS", (options) => lab.see({ kind: "tls-silence" }, { ...options, deps })],
    ["HTTP", (options) => lab.see({ kind: "http-silence" }, { ...options, deps })],
    [
      "the body",
      (options) => lab.see({ kind: "body-stall", afterBytes: 9_000 }, { ...options, deps }),
    ],
    [
      "a body without a length",
      (options) => lab.see({ kind: "body-drip", intervalMs: 10 }, { ...options, deps }),
    ],
    [
      "the second hop",
      (options) => {
        const to = `https://${lab.newHost({ kind: "http-silence" })}/`;
        return lab.see({ kind: "redirect", to }, { ...options, deps });
      },
    ],
  ];

  test.for(STAGES)("during %s ends the probe at once and leaves nothing open", async ([, see]) => {
    const before = networkHandles();
    const stop = new AbortController();
    const seen = see({ signal: stop.signal });
    await new Promise((resolve) => setTimeout(resolve, 120));
    stop.abort("aborted");
    expect(await seen).toEqual({ kind: "skipped", reason: "aborted" });
    await expect.poll(networkHandles).toEqual(before);
  });

  test("before the probe costs no connection", async () => {
    const host = lab.newHost();
    const signal = AbortSignal.abort("deadline");
    const outcome = await lab.probe(`https://${host}/`, { signal });
    expect(outcome).toEqual({ kind: "skipped", reason: "deadline" });
    expect(lab.world.connections(host)).toBe(0);
  });
});

test("whatever the server does, nothing stays open", async () => {
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
  await Promise.all(behaviours.map((behaviour) => lab.see(behaviour)));
  await expect.poll(networkHandles).toEqual(before);
});

describe("in a process of its own", () => {
  const probeThere = async (
    url: string,
    env: Readonly<Record<string, string>>,
  ): Promise<{ word: string; handles: string[] }> => {
    // `World` is more than its addresses, but JSON keeps nothing else of it.
    const world = JSON.stringify(lab.world);
    return (await runScript("probe-script.ts", [world, url], env)) as {
      word: string;
      handles: string[];
    };
  };

  test("proxies in the environment are not asked, and no name goes through getaddrinfo", async () => {
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
      NODE_EXTRA_CA_CERTS: lab.world.rootCaFile,
    };
    for (const scheme of ["http", "https"]) {
      const { word, handles } = await probeThere(`${scheme}://${lab.newHost()}/`, env);
      expect(word).toBe("ok");
      expect(handles).toContain("QUERYWRAP");
      expect(handles).not.toContain("GETADDRINFOREQWRAP");
    }
    expect(visits).toBe(0);
    proxy.close();
  });

  test("the roots of NODE_EXTRA_CA_CERTS count, and a strange root does not", async () => {
    const url = `https://${lab.newHost()}/`;
    const good = await probeThere(url, { NODE_EXTRA_CA_CERTS: lab.world.rootCaFile });
    const strange = await probeThere(url, { NODE_EXTRA_CA_CERTS: lab.world.nationalCaFile });
    expect([good.word, strange.word]).toEqual(["ok", "cert-unknown-issuer"]);
  });
});

test("300 probes at once, of every kind, come out right each", async () => {
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
        const outcome = await lab.see(behaviour);
        // An RST that arrives together with the last bytes looks like a FIN to libuv: here, with one thread, it may.
        const word = wordFor(outcome).replace(/^(http|body)-(?:reset|closed)$/u, "$1-broken");
        return `${index % kinds.length} ${behaviour.kind} ${word}`;
      }),
    ),
  );
  expect(seen).toEqual(tasks.map(({ expected }) => expected));
  await expect.poll(networkHandles).toEqual(before);
});
