import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProofLook } from "../../../src/model/monitor/owned-monitor.ts";
import { readNewMonitor } from "../../../src/monitors/registry/read-request.ts";
import { buildUrlGuard } from "../../../src/probe/probe-config.ts";
import { tokenOf } from "../../model/owned-samples.ts";
import { HOSTILE_ADDRESSES, hostileUrls } from "./hostile-urls.ts";
import { type LookHarness, startLookHarness } from "./look-harness.ts";

const TOKEN = tokenOf("t");
const PROOFS = ["/.well-known/status-snapshot/a.txt", "/", "/page?x=1"];

let harness: LookHarness;
beforeAll(async () => {
  harness = await startLookHarness();
  for (const path of PROOFS)
    harness.site.set(path, `${TOKEN}\n<meta name="status-snapshot" content="${TOKEN}">`);
  harness.dns.set("*", { kind: "nxdomain" });
});
afterAll(() => harness.close());

const isFound = ({ places }: ProofLook): boolean =>
  [...places.values()].some(({ finding }) => finding.kind === "found");

/** As a stranger would have it: past the check of the text, straight to the look. */
async function lookAt(url: string, isGuarded = true): Promise<ProofLook | undefined> {
  if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol)) return undefined;
  return harness.lookWith({}, isGuarded)({ id: "a", url, tokens: [TOKEN], withinMs: 20_000 });
}

test("a look reaches nothing that the guard refuses, whatever the URL", async () => {
  const urls = hostileUrls(harness.port);
  expect(urls.length).toBeGreaterThan(500);
  for (const url of urls) {
    const look = await lookAt(url);
    expect([url, look !== undefined && isFound(look)]).toEqual([url, false]);
  }
  expect(harness.requests).toEqual([]);
});

test("without the guard, many of the same URLs reach this machine", async () => {
  const urls = hostileUrls(harness.port).filter((url) => url.includes(`:${harness.port}`));
  const loopback = urls.filter((url) => url.startsWith("http:") && hostOf(url) === "127.0.0.1");
  for (const url of loopback) await lookAt(url, false);
  expect(loopback.length).toBeGreaterThan(20);
  expect(harness.requests.length).toBeGreaterThan(20);
  harness.forgetRequests();
});

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

test("a registration of any of them is refused by its text", () => {
  const rules = {
    refusalOfUrl: buildUrlGuard({
      allowPrivate: [],
      allowedPorts: [harness.port],
      ownAddresses: [],
    }),
  };
  for (const url of hostileUrls(harness.port)) {
    const read = readNewMonitor(JSON.stringify({ url }), "a", rules);
    expect([url, read.kind]).toEqual([url, "invalid"]);
  }
});

test("a name that leads to a special address is not connected to", async () => {
  for (const [at, address] of HOSTILE_ADDRESSES.entries()) {
    const host = `name-${at}.example`;
    harness.dns.set(host, { kind: "answer", addresses: [address] });
    const look = await lookAt(`http://${host}:${harness.port}/`);
    const codes = [...(look?.places.values() ?? [])].map(({ finding }) => finding);
    expect([address, codes.filter(({ kind }) => kind === "failed").length]).toEqual([address, 2]);
  }
  expect(harness.requests).toEqual([]);
});

test("a name that changes its address between two queries is judged at each", async () => {
  const own = { kind: "answer", addresses: ["127.0.0.1"] } as const;
  const steps = [{ kind: "empty" }, own, { kind: "empty" }, own] as const;
  harness.dns.set("rebinding.example", { kind: "sequence", steps });
  const look = await lookAt(`http://rebinding.example:${harness.port}/`);
  expect(look && isFound(look)).toBe(false);
  expect(harness.requests).toEqual([]);
});

test("a redirect to any of them is not followed", async () => {
  const start = `start.example:${harness.port}`;
  const file = "/.well-known/status-snapshot/b.txt";
  const look = harness.lookWith({
    connectTo: [`start.example:${harness.port}:127.0.0.1:${harness.port}`],
  });
  for (const url of hostileUrls(harness.port)) {
    if (/[^ -~]/u.test(url) || !/^https?:\/\//iu.test(url)) continue;
    harness.forgetRequests();
    harness.site.set(`start.example${file}`, url);
    harness.site.set("start.example/start", url);
    const query = { id: "b", url: `http://${start}/start`, tokens: [TOKEN], withinMs: 20_000 };
    expect([url, isFound(await look(query))]).toEqual([url, false]);
    const foreign = harness.requests.filter((one) => !one.startsWith("start.example/"));
    expect([url, foreign]).toEqual([url, []]);
  }
});

test("a redirect within the domain to a special address is not followed", async () => {
  harness.forgetRequests();
  harness.dns.set("inner.start.example", { kind: "answer", addresses: ["127.0.0.1"] });
  harness.site.set("start.example/inner", `http://inner.start.example:${harness.port}/page?x=1`);
  const look = harness.lookWith({
    connectTo: [`start.example:${harness.port}:127.0.0.1:${harness.port}`],
  });
  const url = `http://start.example:${harness.port}/inner`;
  const { places } = await look({ id: "c", url, tokens: [TOKEN], withinMs: 20_000 });
  expect(places.get("meta")?.finding).toEqual({ kind: "failed", code: "dns-special-address" });
  expect(harness.requests.filter((one) => !one.startsWith("start.example/"))).toEqual([]);
});
