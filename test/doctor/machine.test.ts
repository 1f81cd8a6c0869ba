import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkMachine, judgeAddresses, judgeSpace } from "../../src/doctor/machine.ts";
import { findFreePort } from "../free-port.ts";
import { makeScratchFolder } from "../store/scratch.ts";

type MachineFlags = Parameters<typeof checkMachine>[0];

const FLAGS: MachineFlags = {
  settings: undefined,
  line: "hosting",
  heartbeatUrl: undefined,
  metricsFile: undefined,
  store: "file:not-there-yet",
  state: "file:.",
};

async function check(
  changes: Partial<MachineFlags> = {},
  { warnings = [], env = {} }: { warnings?: string[]; env?: Record<string, string> } = {},
) {
  const checks = await checkMachine({ ...FLAGS, ...changes }, warnings, env);
  return new Map(checks.map(({ name, ...finding }) => [name, finding]));
}

test("a machine without anything special has five checks and no doubt", async () => {
  const checks = await check();
  expect([...checks.keys()]).toEqual(["settings", "line", "IPv4", "proxies", "disk"]);
  expect(checks.get("settings")).toEqual({ result: "ok", detail: "no settings file" });
  expect(checks.get("line")).toEqual({
    result: "ok",
    detail: "hosting; set line if this machine has another one",
  });
  expect(checks.get("proxies")).toEqual({ result: "ok", detail: "none" });
  expect(checks.get("disk")?.detail).toMatch(/^\d+ MiB free at /u);
});

test("the settings file is named, and warnings of the settings are those of a run", async () => {
  expect((await check({ settings: "site.yaml" })).get("settings")?.detail).toBe("site.yaml");
  expect((await check({}, { warnings: ["One.", "Two."] })).get("settings")).toEqual({
    result: "warn",
    detail: "One. Two.",
  });
});

test("proxies in either spelling are named as ignored, empty ones are none", async () => {
  const env = { https_proxy: "http://a", ALL_PROXY: "socks5://b", http_proxy: "" };
  expect((await check({}, { env })).get("proxies")).toEqual({
    result: "warn",
    detail:
      "https_proxy, ALL_PROXY: ignored, because the runner measures its own line. Make sure that it has one.",
  });
  const all = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
  const set = Object.fromEntries(all.map((name) => [name, "x"]));
  expect((await check({}, { env: { ...set, no_proxy: "x" } })).get("proxies")?.detail).toMatch(
    new RegExp(`^${all.join(", ")}: `, "u"),
  );
});

test("the folder of the metrics is tried", async () => {
  const folder = makeScratchFolder();
  const metricsFile = join(folder, "status.prom");
  expect((await check({ metricsFile })).get("metricsFile")).toEqual({
    result: "ok",
    detail: `${folder} can be written`,
  });
  expect((await check({ metricsFile: join(folder, "no/status.prom") })).get("metricsFile")).toEqual(
    {
      result: "fail",
      detail: expect.stringMatching(
        /^\/.*\/no\/status\.prom cannot be written: ENOENT.*\. Create its folder, and let this user write there\.$/u,
      ),
    },
  );
});

test("the host of the heartbeat is reached without a heartbeat", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { result, detail } = (await check({ heartbeatUrl: `${origin}/ping` })).get("heartbeatUrl")!;
  expect({ result, detail }).toEqual({
    result: "ok",
    detail: `${origin} answers; a heartbeat is sent by runs alone`,
  });
  expect(asked).not.toContain("/ping");
  const gone = `http://127.0.0.1:${await findFreePort()}/ping`;
  expect((await check({ heartbeatUrl: gone })).get("heartbeatUrl")).toEqual({
    result: "fail",
    detail: expect.stringMatching(
      /^https?:\/\/\S+ was not reached: \w+\. Fix heartbeatUrl, or the way to that host\.$/u,
    ),
  });
});

describe("of addresses", () => {
  const address = (family: "IPv4" | "IPv6", internal: boolean, value: string) => ({
    address: value,
    netmask: "",
    mac: "",
    internal,
    cidr: null,
    ...(family === "IPv4" ? { family } : { family, scopeid: 0 }),
  });

  test("IPv4 outside this machine is enough", () => {
    const all = {
      lo: [address("IPv4", true, "127.0.0.1")],
      x: [address("IPv4", false, "192.0.2.1"), address("IPv6", false, "2001:db8::1")],
      y: [address("IPv4", false, "192.0.2.2")],
    };
    expect(judgeAddresses(all)).toEqual({ result: "ok", detail: "192.0.2.1, 192.0.2.2" });
  });

  test("a loopback address, IPv6 or nothing is not", () => {
    for (const all of [
      {},
      { lo: [address("IPv4", true, "127.0.0.1")] },
      { x: [address("IPv6", false, "2001:db8::1")], none: undefined },
    ])
      expect(judgeAddresses(all)).toEqual({
        result: "warn",
        detail:
          "this machine has no IPv4 address, and most services have no other: they would seem to be down. Give it one.",
      });
  });
});

describe("of space", () => {
  const MIB = 1024 * 1024;
  const space = (mib: number, path = "a") => ({ path, freeBytes: mib * MIB });

  test.each([
    [99.9, "fail"],
    [100, "warn"],
    [1_023.9, "warn"],
    [1_024, "ok"],
  ])("%d MiB: %s", (mib, result) => {
    expect(judgeSpace([space(mib)]).result).toBe(result);
  });

  test("the place with the least decides, and is named", () => {
    expect(judgeSpace([space(2_000), space(50, "b"), space(1_500)])).toEqual({
      result: "fail",
      detail: '50 MiB free at b: free some, or a run will end with "no space left".',
    });
    expect(judgeSpace([space(1_024.9)])).toEqual({ result: "ok", detail: "1024 MiB free at a" });
    expect(judgeSpace([])).toEqual({ result: "warn", detail: "its free space is unknown." });
  });
});
