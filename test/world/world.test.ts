import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Behaviour } from "./behaviour.ts";
import { askRaw } from "./raw-client.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let publicCa: string;
beforeAll(async () => {
  world = await startWorld();
  publicCa = readFileSync(world.rootCaFile, "utf8");
});
afterAll(() => world.close());

test("port 80 of a host with a TLS fault answers a page", async () => {
  world.set("mixed.test", { kind: "tls-reset" });
  const answer = await askRaw({ port: world.httpPort, host: "mixed.test" });
  expect(answer.text).toMatch(/^HTTP\/1\.1 200 /u);
});

test("a scheme or a URL can differ from its host", async () => {
  world.set("parts.test", { kind: "page", status: 200 });
  world.set("http://parts.test", { kind: "page", status: 500 });
  world.set("https://parts.test/bank?x=1", { kind: "page", status: 503 });
  const secure = { port: world.tlsPort, host: "parts.test", ca: [publicCa] };
  expect((await askRaw(secure)).text).toMatch(/^HTTP\/1\.1 200/u);
  expect((await askRaw({ ...secure, path: "/bank?x=1" })).text).toMatch(/^HTTP\/1\.1 503/u);
  const plain = { port: world.httpPort, host: "parts.test" };
  expect((await askRaw(plain)).text).toMatch(/^HTTP\/1\.1 500/u);
});

test("a sequence goes on by one step a connection and stays at the last", async () => {
  const question = { port: world.tlsPort, host: "seq.test", ca: [publicCa] };
  world.set("seq.test", { kind: "sequence", steps: [{ kind: "tls-reset" }, { kind: "page" }] });
  const ends = [];
  for (let count = 0; count < 3; count += 1) ends.push((await askRaw(question)).ended);
  expect(ends).toEqual(["ECONNRESET", "closed", "closed"]);
  expect(world.connections("seq.test")).toBe(3);
});

test("a schedule changes with time", async () => {
  const question = { port: world.tlsPort, host: "sched.test", ca: [publicCa] };
  const first = { fromMs: 0, behaviour: { kind: "page", status: 200 } } as const;
  const second = { kind: "page", status: 502 } as const;
  const schedule = (fromMs: number): void =>
    world.set("sched.test", {
      kind: "schedule",
      steps: [first, { fromMs, behaviour: second }],
    });
  schedule(3_600_000);
  expect((await askRaw(question)).text).toMatch(/^HTTP\/1\.1 200/u);
  schedule(50);
  const text = async (): Promise<string> => (await askRaw(question)).text;
  await expect.poll(text).toMatch(/^HTTP\/1\.1 502/u);
});

test("the most connections open at once are counted, and the requests kept", async () => {
  world.set("busy.test", { kind: "page", delayMs: 1_000 });
  const question = { port: world.tlsPort, host: "busy.test", ca: [publicCa] };
  await Promise.all([1, 2, 3].map(() => askRaw(question)));
  await askRaw(question);
  expect(world.stats("busy.test")).toMatchObject({ connections: 4, peakOpen: 3, open: 0 });
  expect(world.stats("busy.test").requests[0]).toMatch(/^GET \/ HTTP\/1\.1\r\nHost: busy/u);
});

test("a host whose name fails is left out of the lines, until it behaves again", () => {
  world.set("named.test", { kind: "dns", dns: { kind: "nxdomain" } });
  expect(world.connectToLines(["named.test"])).toEqual([]);
  world.set("named.test", { kind: "page" });
  expect(world.connectToLines(["named.test"])).toEqual([
    `named.test:443:127.0.0.1:${world.tlsPort}`,
    `named.test:80:127.0.0.1:${world.httpPort}`,
  ]);
});

test("what makes no sense is refused", () => {
  const steps = [{ kind: "tcp-refused" }] as const;
  expect(() => world.set("a.test", { kind: "sequence", steps })).toThrow(/cannot be a step/u);
  expect(() => world.set("https://a.test/x", { kind: "tls-reset" })).toThrow(/before any URL/u);
  const typo: Behaviour = JSON.parse('{"kind":"tls-rest"}');
  expect(() => world.set("a.test", typo)).toThrow('a.test: unknown behaviour kind "tls-rest"');
});

test("closing a world ends what hangs in it and removes its files", async () => {
  const short = await startWorld({ fallback: { kind: "http-silence" } });
  const ca = [readFileSync(short.rootCaFile, "utf8")];
  const hanging = askRaw({ port: short.tlsPort, host: "x.test", ca, idleMs: 60_000 });
  while (short.stats("x.test").requests.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await short.close();
  expect((await hanging).ended).not.toBe("silent");
  expect(existsSync(short.rootCaFile)).toBe(false);
});

test("clients that hang up at any moment do no harm", async () => {
  const behaviours: Behaviour[] = [
    { kind: "page" },
    { kind: "page", delayMs: 10, bodyDelayMs: 10 },
    { kind: "page", wire: { kind: "throttle", bytesPerSecond: 100_000 } },
    { kind: "page", wire: { kind: "cut", afterRawBytes: 5_000, ending: "reset" } },
    { kind: "body-endless" },
    { kind: "body-reset", afterBytes: 5_000 },
    { kind: "headers-drip", intervalMs: 1 },
    { kind: "tls-silence" },
    { kind: "tls-alert", alert: "handshake_failure" },
  ];
  const ports = [world.tlsPort, world.httpPort];
  const asked = behaviours.flatMap((behaviour, index) => {
    world.set(`abort${index}.test`, behaviour);
    return Array.from({ length: 16 }, (_, maxMs) => {
      const port = ports[maxMs % 2] ?? 0;
      const ca = port === world.tlsPort ? { ca: [publicCa] } : {};
      return askRaw({ port, host: `abort${index}.test`, maxMs: maxMs * 3, ...ca });
    });
  });
  await Promise.all(asked);
  // Vitest itself fails the run on an error that nobody caught; here it remains to see the world alive.
  const after = await askRaw({ port: world.tlsPort, host: "alive.test", ca: [publicCa] });
  expect(after.ended).toBe("closed");
  const openNow = (): number[] =>
    behaviours.map((_, index) => world.stats(`abort${index}.test`).open);
  await expect.poll(openNow).toEqual(behaviours.map(() => 0));
});
