import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/model/run-event.ts";
import type { Given } from "../../src/setup/options/option-row.ts";
import { readFlags, RUN } from "../../src/setup/options/options.ts";
import { collectProblems } from "../../src/setup/parse-options.ts";
import { prepareRun } from "../../src/setup/run-setup.ts";
import { makeScratchFolder } from "../store/scratch.ts";
import { writeSmallCatalogue } from "./small-catalogue.ts";

const IO = {
  env: {},
  setEnv: () => undefined,
  print: () => undefined,
  wallMs: () => 0,
  stop: new AbortController().signal,
  killGroup: () => undefined,
};

const VANTAGES = `vantages:
  - id: fra
    kind: control
    country: DE
    asn: 24940
    network: Hetzner
    publicKey: 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo
`;

/** A folder with a catalogue and a file of vantages, and runs from it. */
async function openFolder() {
  const folder = makeScratchFolder();
  const path = (name: string): string => join(folder, name);
  const catalogue = writeSmallCatalogue(folder);
  await writeFile(path("vantages.yaml"), VANTAGES);
  const stores = { store: `file:${path("public")}`, state: `file:${path("state")}` };
  const prepare = (given: Readonly<Record<string, Given>> = {}) => {
    const problems = collectProblems();
    return prepareRun(readFlags(RUN, { catalogue, ...stores, ...given }, problems), problems, IO);
  };
  const told = async (given: Readonly<Record<string, Given>>): Promise<string> =>
    prepare(given).then(
      () => "",
      (error: unknown) => String(error),
    );
  return { path, prepare, told };
}

test("a run has the bounds that were given, or the defaults", async () => {
  const { prepare } = await openFolder();
  const byDefault = await prepare();
  expect(byDefault.options).toEqual({
    perHost: 2,
    confirmDelaysMs: [20_000, 60_000, 100_000],
    doubtDelayMs: 160_000,
    concurrency: 64,
    deadlineMs: 240_000,
    only: [],
  });
  expect([byDefault.deps.line, byDefault.warnings]).toEqual(["hosting", []]);
  const given = {
    only: ["sberbank"],
    concurrency: "7",
    deadline: "9",
    confirm: "none",
    line: "home",
  };
  const own = await prepare(given);
  expect(own.options).toMatchObject({ only: ["sberbank"], concurrency: 7, deadlineMs: 9_000 });
  expect(own.deps.line).toBe("home");
});

test.each([
  ["20,60,100,160", "160", true],
  ["20,60,100,160", "160.5", false],
  ["5,30", "30", true],
  ["5,30", "31", false],
  ["none", "1", false],
])("--confirm %s with --deadline %s s is doubtful: %s", async (confirm, deadline, isDoubtful) => {
  const { warnings } = await (await openFolder()).prepare({ confirm, deadline });
  expect(warnings.some((one) => one.includes("no new failure can be confirmed"))).toBe(isDoubtful);
});

test("a service that the catalogue does not have cannot be the only one", async () => {
  const { told } = await openFolder();
  expect(await told({ only: ["sberbank", "vtb"] })).toContain(
    "--only vtb: the catalogue has no such service. The catalogue file lists the slugs.",
  );
  expect(await told({ only: ["sber"] })).toContain(
    "--only sber: the catalogue has no such service. Did you mean sberbank?",
  );
  expect(await told({ only: ["sberbank"], catalogue: "/nowhere" })).not.toContain("--only");
});

test("vantages need an exchange and an exchange needs vantages", async () => {
  const { path, told } = await openFolder();
  const vantages = path("vantages.yaml");
  expect(await told({ vantages })).toContain(
    `vantages ${vantages}: name the store in which the vantages meet the runner, as exchange.`,
  );
  expect(await told({ vantages, exchange: "x" })).not.toContain("name the store in which");
  expect(await told({ exchange: "file:exchange" })).toContain(
    "exchange file:exchange: vantages.yaml does not exist. Name their file as vantages.",
  );
  expect(await told({ vantages: path("none"), exchange: "file:exchange" })).toContain(
    "none: the file does not exist.",
  );
  for (const [option, folder] of [
    ["--store", `file:${path("public")}`],
    ["--state", `file:${path("state")}`],
  ] as const)
    expect(await told({ vantages, exchange: folder })).toContain(
      `exchange ${folder} and ${option} ${folder} overlap: vantages may write to the exchange, keep it elsewhere.`,
    );
  await writeFile(vantages, "vantages: 7");
  expect(await told({ vantages, exchange: "file:exchange" })).toContain(`${vantages}:1:11: `);
});

test("an edit that breaks the file of vantages leaves them as they were", async () => {
  const { path, prepare } = await openFolder();
  const vantages = path("vantages.yaml");
  const { deps } = await prepare({ vantages, exchange: `file:${path("exchange")}` });
  const events: RunEvent[] = [];
  const read = async () => {
    const exchange = await deps.readExchange?.((event) => void events.push(event));
    return exchange?.vantages.map(({ id }) => id);
  };
  expect(await read()).toEqual(["fra"]);
  await writeFile(vantages, VANTAGES.replace("fra", "hel"));
  expect([await read(), events]).toEqual([["hel"], []]);
  await writeFile(vantages, "vantages: 7");
  expect(await read()).toEqual(["hel"]);
  const message = expect.stringMatching(
    /^The vantages stay as they were\. .+\/vantages\.yaml:1:11: /u,
  );
  expect(events).toEqual([{ event: "exchange-failed", message }]);
  expect(await (await prepare()).deps.readExchange?.(() => undefined)).toBeUndefined();
});

test("settings of probes are renewed, and wrong ones told once", async () => {
  const { path, prepare } = await openFolder();
  const [hosts, rule] = [path("hosts"), "a.example:443:127.0.0.1:1"];
  await writeFile(hosts, rule);
  const { renewProbes, deps } = await prepare({ connectTo: [`@${hosts}`] });
  const told: string[] = [];
  const renew = () => renewProbes((message) => void told.push(message));
  expect((await renew()).probe).toBe(deps.probe);
  await writeFile(hosts, rule.replace(":1", ":2"));
  const renewed = await renew();
  expect(renewed.probe).not.toBe(deps.probe);
  await writeFile(hosts, "wrong");
  expect([(await renew()).probe, (await renew()).probe]).toEqual([renewed.probe, renewed.probe]);
  expect(told).toEqual([
    expect.stringMatching(/^The settings of the probes stay as they were\. /u),
  ]);
  await writeFile(hosts, rule);
  await renew();
  await writeFile(hosts, "wrong");
  await renew();
  expect(told).toHaveLength(2);
});

test.each([
  [{ deadline: "260" }, []],
  [
    { deadline: "260.5" },
    [
      "deadline 260.5: the anchors and the publish come after it, and the units kill a run after 290 s. Give at most 260.",
    ],
  ],
  [
    { deadline: "20", confirm: "5,20" },
    [
      "confirm ends 20 s after a failure, but deadline comes at 20 s: no new failure can be confirmed. Raise deadline, or shorten confirm.",
    ],
  ],
  [{ deadline: "20", confirm: "5,19" }, []],
  [{ deadline: "1", confirm: "none" }, []],
  [{ metricsFile: "a.prom" }, []],
  [
    { metricsFile: "a.txt" },
    ["metricsFile a.txt: node_exporter reads only files whose names end with .prom."],
  ],
])("a run with %j warns of %j", async (given, warnings) => {
  const { prepare } = await openFolder();
  expect((await prepare(given)).warnings).toEqual(warnings);
});

test("a run asks a browser unless it is switched off, and measures how late timers are", async () => {
  const { prepare } = await openFolder();
  const { deps } = await prepare();
  expect(deps.browser).toEqual({ ask: expect.any(Function), connectTo: expect.anything() });
  expect((await prepare({ browser: "off" })).deps).not.toHaveProperty("browser");
  expect(deps.watchLag()()).toBeGreaterThanOrEqual(0);
});

test("an engine checks the monitors in place of this process", async () => {
  const { prepare } = await openFolder();
  const check = async (given: Readonly<Record<string, Given>>): Promise<readonly string[]> => {
    const told: string[] = [];
    const { deps } = await prepare(given);
    const observer = {
      onProgress: () => undefined,
      onWarning: (message: string) => void told.push(message),
      onDone: () => void told.push("done"),
    };
    const { signal } = new AbortController();
    const results = await deps.checkMonitors([], signal, observer, 1_000);
    expect(results.size).toBe(0);
    return told;
  };
  expect(await check({})).toEqual([]);
  expect(await check({ engine: "nats://127.0.0.1:1" })).toEqual([
    expect.stringMatching(/^engine nats:\/\/127\.0\.0\.1:1: /u),
    "done",
  ]);
});
