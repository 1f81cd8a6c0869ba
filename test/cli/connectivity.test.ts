import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DnsBehaviour } from "../simulated-internet/behaviour.ts";
import { eventsNamed, until } from "./cli.ts";
import type { Workspace } from "./workspace.ts";
import { useCliFixture } from "./cli-fixture.ts";

const { internet, workspace } = useCliFixture(true);
const ALL_OK = { alpha: "ok", beta: "ok", gamma: "ok" };

async function cut(one: Workspace, hosts: readonly string[]): Promise<void> {
  for (const host of hosts) await one.set(host, { kind: "tcp-refused" });
}

/** The connectivity in the last event. */
function lastConnectivity(stderr: string): unknown {
  return eventsNamed(stderr, "anchors-probed").at(-1)?.["connectivity"];
}

const urlsOf = (one: Workspace, hosts: readonly string[]): readonly string[] =>
  hosts.map((host) => `https://${one.host(host)}/`);

describe("a run with partly broken connectivity is valid, and reports it", () => {
  test.each([
    ["half of the domestic networks", ["d1", "d2"], "half", "only a part of the domestic networks"],
    ["the path abroad", ["f1", "f2", "f3"], "abroad-cut", "path abroad is cut"],
  ] as const)("without %s", async (_, hosts, state, words) => {
    const one = await workspace();
    await cut(one, hosts);
    const result = await one.run();
    expect(result).toMatchObject({ code: 0 });
    expect(lastConnectivity(result.stderr)).toMatchObject({
      state,
      unreachable: urlsOf(one, hosts),
    });
    expect(result.stdout).toContain(words);
    expect(await one.codes()).toEqual(ALL_OK);
    const explained = await one.cli(["explain", "alpha", "--catalogue", "catalogue.json"]);
    expect(explained.stdout).toContain(`Network path of the last run: ${state}.`);
  });

  test("with one dead anchor it is fine, and the anchor is named", async () => {
    const one = await workspace();
    await cut(one, ["d1"]);
    const result = await one.run();
    expect(result).toMatchObject({ code: 0 });
    expect(lastConnectivity(result.stderr)).toMatchObject({ state: "fine" });
    expect(result.stdout).toContain(`did not answer: ${urlsOf(one, ["d1"]).join()}`);
  });
});

describe("a run whose anchors are looked up", () => {
  /** A workspace with eight more anchors, in `.ru`, and a name server that answers as given for all anchors. */
  async function withZone(ru: DnsBehaviour, others: DnsBehaviour) {
    const one = await workspace();
    const names = Array.from({ length: 8 }, (_, at) => `a${at}.${one.host("x").split(".")[1]}.ru`);
    const text = await readFile(join(one.folder, "catalogue.json"), "utf8");
    const catalogue: { anchors: { url: string }[] } = JSON.parse(text);
    const usual = catalogue.anchors.map(({ url }) => new URL(url).hostname);
    const added = names.map((name) => ({
      url: `https://${name}/`,
      scope: "domestic",
      network: name,
    }));
    const anchors = [...added, ...catalogue.anchors];
    await writeFile(
      join(one.folder, "catalogue.json"),
      JSON.stringify({ ...catalogue, anchors }, undefined, 1),
    );
    for (const name of names) internet().setDns(name, ru);
    for (const name of usual) internet().setDns(name, others);
    const services = one.hosts.map(one.host).filter((host) => !usual.includes(host));
    // A rule without an address moves the port alone, so the names are looked up.
    const rules = [...names, ...usual].map((name) => `${name}:443::${internet().tlsPort}`);
    const hosts = [...rules, ...internet().connectToLines(services)].join("\n");
    await writeFile(join(one.folder, "hosts.txt"), hosts);
    const dns = ["--dns", `127.0.0.1:${internet().dnsPort}`, "--allow-private", "127.0.0.0/8"];
    return { one, run: () => one.run(dns) };
  }

  const HERE: DnsBehaviour = { kind: "answer", addresses: ["127.0.0.1"] };

  test("continues without `.ru`, and says that the zone is gone", async () => {
    const { one, run } = await withZone({ kind: "servfail" }, HERE);
    const result = await run();
    expect(result).toMatchObject({ code: 0 });
    expect(lastConnectivity(result.stderr)).toMatchObject({ state: "fine", failingZones: ["ru"] });
    expect(result.stdout).toContain("No name of .ru can be looked up");
    expect(await one.codes()).toEqual(ALL_OK);
  });

  test("is offline without a resolver", async () => {
    const { run } = await withZone({ kind: "refused" }, { kind: "refused" });
    const result = await run();
    // The first run of an installation.
    expect(result).toMatchObject({ code: 0 });
    expect(eventsNamed(result.stderr, "run-offline")[0]?.["unreachable"]).toHaveLength(15);
  });
});

test("verdicts without changes are published before the confirmations of changes end", async () => {
  const one = await workspace();
  await one.run(["--at", "2026-11-01T12:00:00Z"]);
  await one.set("beta", { kind: "tls-reset" });
  const args = ["--at", "2026-11-01T12:05:00Z", "--set", "confirm=3000", "--set", "deadline=3600"];
  const running = one.start(["run", ...one.options, ...args]);
  await until("the list has the time of the run", async () => {
    return (await one.list()).updated === Date.parse("2026-11-01T12:05:00Z") / 1_000;
  });
  expect(await one.codes()).toEqual(ALL_OK);
  expect(eventsNamed(running.stderr(), "run-finished")).toEqual([]);
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 1 });
  // The next run confirms the failure.
  await one.run(["--at", "2026-11-01T12:10:00Z"]);
  expect(await one.codes()).toMatchObject({ beta: "fail" });
});
