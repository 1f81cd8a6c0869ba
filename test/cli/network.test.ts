import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DnsBehaviour } from "../simulated-internet/behaviour.ts";
import { isFull } from "../depth.ts";
import { eventsNamed } from "./cli.ts";
import { useCliFixture } from "./cli-fixture.ts";

const { internet, workspace } = useCliFixture(!isFull);

/** Failure codes of the endpoints in the log of a run, by the first label of the host. */
function codesByHost(stderr: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    eventsNamed(stderr, "endpoint-measured").map(({ url, result }) => {
      const { outcome } = result as { outcome: { kind: string; code?: string } };
      return [new URL(String(url)).hostname.split(".")[0], outcome.code ?? outcome.kind];
    }),
  );
}

describe.concurrent("the network", () => {
  test("a proxy in the environment is never used", async () => {
    const one = await workspace();
    const dead = `http://127.0.0.1:${internet().refusedPort}`;
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"];
    const env = Object.fromEntries(names.map((name) => [name, dead]));
    const result = await one.run([], { ...env, NODE_USE_ENV_PROXY: "1" });
    expect(result).toMatchObject({ code: 0 });
    expect(await one.codes()).toEqual({ alpha: "ok", beta: "ok", gamma: "ok" });
  });

  test("--extra-ca adds to NODE_EXTRA_CA_CERTS, only for national endpoints", async () => {
    const one = await workspace([
      { slug: "bank", endpoints: [{ host: "bank", trust: "national" }] },
      { slug: "shop", endpoints: [{ host: "shop" }] },
      { slug: "mixed", endpoints: [{ host: "mixed", trust: "national" }] },
    ]);
    await one.set("bank", { kind: "page", certificate: "national" });
    await one.set("shop", { kind: "page", certificate: "national" });
    const result = await one.run(["--extra-ca", internet().nationalCaFile]);
    expect(codesByHost(result.stderr)).toEqual({
      bank: "ok",
      shop: "cert-unknown-issuer",
      mixed: "ok",
    });
    const verified = eventsNamed(result.stderr, "endpoint-measured").flatMap(
      ({ result: measured }) => {
        const { outcome } = measured as {
          outcome: { kind: string; trace: { tlsVerified: boolean } };
        };
        return outcome.kind === "ok" ? [outcome.trace.tlsVerified] : [];
      },
    );
    expect(verified).toEqual([true, true]);
  });

  test("each false answer of a resolver has its own failure code", async () => {
    const lies = {
      gone: { kind: "nxdomain" },
      broken: { kind: "servfail" },
      refusing: { kind: "refused" },
      empty: { kind: "empty" },
      inward: { kind: "answer", addresses: ["10.0.0.1"] },
    } as const satisfies Record<string, DnsBehaviour>;
    const port = String(internet().tlsPort);
    const names = [...Object.keys(lies), "honest"];
    const one = await workspace(names.map((slug) => ({ slug })));
    for (const [name, lie] of Object.entries(lies)) internet().setDns(one.host(name), lie);
    internet().setDns(one.host("honest"), { kind: "answer", addresses: ["127.0.0.1"] });
    // A rule without an address moves the port alone, so the names are looked up.
    const rules = names.map((name) => `${one.host(name)}:443::${port}`);
    const anchors = internet().connectToLines(
      ["d1", "d2", "d3", "d4", "f1", "f2", "f3"].map(one.host),
    );
    await writeFile(join(one.folder, "hosts.txt"), [...rules, ...anchors].join("\n"));
    const dns = `127.0.0.1:${internet().dnsPort}`;
    const result = await one.run(["--dns", dns, "--allow-private", "127.0.0.0/8"]);
    expect(result).toMatchObject({ code: 0 });
    expect(codesByHost(result.stderr)).toEqual({
      gone: "dns-nxdomain",
      broken: "dns-servfail",
      refusing: "dns-refused",
      empty: "dns-no-answer",
      inward: "dns-special-address",
      honest: "ok",
    });
    // They have never answered, so nothing is known of them.
    expect(await one.codes()).toEqual({
      ...Object.fromEntries(Object.keys(lies).map((name) => [name, "none"])),
      honest: "ok",
    });
    expect(internet().dnsQueries(one.host("honest")).udp).toBeGreaterThan(0);
  });

  test("--dns tcp://… queries only over TCP", async () => {
    const one = await workspace([{ slug: "honest" }]);
    internet().setDns(one.host("honest"), { kind: "answer", addresses: ["127.0.0.1"] });
    const anchors = internet().connectToLines(
      ["d1", "d2", "d3", "d4", "f1", "f2", "f3"].map(one.host),
    );
    const rule = `${one.host("honest")}:443::${internet().tlsPort}`;
    await writeFile(join(one.folder, "hosts.txt"), [rule, ...anchors].join("\n"));
    const dns = `tcp://127.0.0.1:${internet().dnsPort}`;
    const args = ["--dns", dns, "--allow-private", "127.0.0.0/8"];
    const result = await one.program(["run", ...one.options, ...args]);
    expect(codesByHost(result.stderr)).toEqual({ honest: "ok" });
    const queries = internet().dnsQueries(one.host("honest"));
    expect(queries.udp).toBe(0);
    expect(queries.tcp).toBeGreaterThan(0);
  });
});
