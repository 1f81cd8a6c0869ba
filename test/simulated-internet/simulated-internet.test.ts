import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Behaviour } from "./behaviour.ts";
import { askRaw } from "./raw-client.ts";
import { startSimulatedInternet, type SimulatedInternet } from "./simulated-internet.ts";

let internet: SimulatedInternet;
let publicCa: string;
beforeAll(async () => {
  internet = await startSimulatedInternet();
  publicCa = readFileSync(internet.rootCaFile, "utf8");
});
afterAll(() => internet.close());

test("port 80 of a host with a TLS fault answers a page", async () => {
  internet.set("mixed.test", { kind: "tls-reset" });
  const answer = await askRaw({ port: internet.httpPort, host: "mixed.test" });
  expect(answer.text).toMatch(/^HTTP\/1\.1 200 /u);
});

test("a scheme or a URL can have another behaviour than its host", async () => {
  internet.set("parts.test", { kind: "page", status: 200 });
  internet.set("http://parts.test", { kind: "page", status: 500 });
  internet.set("https://parts.test/bank?x=1", { kind: "page", status: 503 });
  const secure = { port: internet.tlsPort, host: "parts.test", ca: [publicCa] };
  expect((await askRaw(secure)).text).toMatch(/^HTTP\/1\.1 200/u);
  expect((await askRaw({ ...secure, path: "/bank?x=1" })).text).toMatch(/^HTTP\/1\.1 503/u);
  const plain = { port: internet.httpPort, host: "parts.test" };
  expect((await askRaw(plain)).text).toMatch(/^HTTP\/1\.1 500/u);
});

test("a sequence advances one step per connection and repeats the last", async () => {
  const question = { port: internet.tlsPort, host: "seq.test", ca: [publicCa] };
  internet.set("seq.test", { kind: "sequence", steps: [{ kind: "tls-reset" }, { kind: "page" }] });
  const ends = [];
  for (let count = 0; count < 3; count += 1) ends.push((await askRaw(question)).ended);
  expect(ends).toEqual(["ECONNRESET", "closed", "closed"]);
  expect(internet.connections("seq.test")).toBe(3);
});

test("a schedule changes with time", async () => {
  const question = { port: internet.tlsPort, host: "sched.test", ca: [publicCa] };
  const first = { fromMs: 0, behaviour: { kind: "page", status: 200 } } as const;
  const second = { kind: "page", status: 502 } as const;
  const schedule = (fromMs: number): void =>
    internet.set("sched.test", {
      kind: "schedule",
      steps: [first, { fromMs, behaviour: second }],
    });
  schedule(3_600_000);
  expect((await askRaw(question)).text).toMatch(/^HTTP\/1\.1 200/u);
  schedule(50);
  const text = async (): Promise<string> => (await askRaw(question)).text;
  await expect.poll(text).toMatch(/^HTTP\/1\.1 502/u);
});

test("the peak of open connections is counted, and requests are recorded", async () => {
  internet.set("busy.test", { kind: "page", delayMs: 1_000 });
  const question = { port: internet.tlsPort, host: "busy.test", ca: [publicCa] };
  await Promise.all([1, 2, 3].map(() => askRaw(question)));
  await askRaw(question);
  expect(internet.stats("busy.test")).toMatchObject({ connections: 4, peakOpen: 3, open: 0 });
  expect(internet.stats("busy.test").requests[0]).toMatch(/^GET \/ HTTP\/1\.1\r\nHost: busy/u);
});

test("a host with a DNS fault has no lines until the fault is removed", () => {
  internet.set("named.test", { kind: "dns", dns: { kind: "nxdomain" } });
  expect(internet.connectToLines(["named.test"])).toEqual([]);
  internet.set("named.test", { kind: "page" });
  expect(internet.connectToLines(["named.test"])).toEqual([
    `named.test:443:127.0.0.1:${internet.tlsPort}`,
    `named.test:80:127.0.0.1:${internet.httpPort}`,
  ]);
});

test("invalid behaviours are refused", () => {
  const steps = [{ kind: "tcp-refused" }] as const;
  expect(() => internet.set("a.test", { kind: "sequence", steps })).toThrow(/cannot be a step/u);
  expect(() => internet.set("https://a.test/x", { kind: "tls-reset" })).toThrow(/before any URL/u);
  const typo: Behaviour = JSON.parse('{"kind":"tls-rest"}');
  expect(() => internet.set("a.test", typo)).toThrow('a.test: unknown behaviour kind "tls-rest"');
});

test("close ends open connections and removes the files", async () => {
  const short = await startSimulatedInternet({ fallback: { kind: "http-silence" } });
  const ca = [readFileSync(short.rootCaFile, "utf8")];
  const hanging = askRaw({ port: short.tlsPort, host: "x.test", ca, idleMs: 60_000 });
  while (short.stats("x.test").requests.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await short.close();
  expect((await hanging).ended).not.toBe("silent");
  expect(existsSync(short.rootCaFile)).toBe(false);
});

test("clients may close at any time", async () => {
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
  const ports = [internet.tlsPort, internet.httpPort];
  const asked = behaviours.flatMap((behaviour, index) => {
    internet.set(`abort${index}.test`, behaviour);
    return Array.from({ length: 16 }, (_, maxMs) => {
      const port = ports[maxMs % 2] ?? 0;
      const ca = port === internet.tlsPort ? { ca: [publicCa] } : {};
      return askRaw({ port, host: `abort${index}.test`, maxMs: maxMs * 3, ...ca });
    });
  });
  await Promise.all(asked);
  // Vitest fails the run on an uncaught error; here, the internet must still answer.
  const after = await askRaw({ port: internet.tlsPort, host: "alive.test", ca: [publicCa] });
  expect(after.ended).toBe("closed");
  const openNow = (): number[] =>
    behaviours.map((_, index) => internet.stats(`abort${index}.test`).open);
  await expect.poll(openNow).toEqual(behaviours.map(() => 0));
});
