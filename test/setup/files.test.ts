import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/model/run-event.ts";
import { shortenProblems } from "../../src/setup/files/catalogue-file.ts";
import { readChannels } from "../../src/setup/files/channels-file.ts";
import { createTruthSource } from "../../src/setup/files/truth-file.ts";
import { readEngine } from "../../src/setup/engine-options.ts";
import { findOwnAddresses, readProbeConfig } from "../../src/setup/read-probe-config.ts";
import { makeScratchFolder } from "../store/scratch.ts";
import { flagsOf } from "./given.ts";
import { writeSmallCatalogue } from "./small-catalogue.ts";

const RIGHT = { isWrong: (_option: string): boolean => false };
const WRONG = { isWrong: (option: string): boolean => option === "engine" };
const URL = "tls://nats.example:4222";

async function write(name: string, text: string): Promise<string> {
  const file = join(makeScratchFolder(), name);
  await writeFile(file, text);
  return file;
}

test("credentials need an engine, unless its URL is wrong anyway", async () => {
  const file = await write("worker.creds", "secret");
  const read = async (given: Readonly<Record<string, string>>, problems = RIGHT) => {
    const engine = await readEngine(flagsOf(["engine", "enginePlaces"], given), problems);
    return "value" in engine ? { value: engine.value?.address } : engine;
  };
  expect(await read({})).toEqual({ value: undefined });
  expect(await read({ engine: URL })).toEqual({ value: { url: URL } });
  const both = { engine: URL, engineCredentials: file };
  expect(await read(both)).toEqual({ value: { url: URL, credentials: "secret" } });
  expect(await read({ engineCredentials: file })).toEqual({
    problem: `engineCredentials ${file}: engine is missing.`,
  });
  expect(await read({ engineCredentials: file }, WRONG)).toEqual({ value: undefined });
  expect(await read({ engine: URL, engineCredentials: `${file}.no` })).toEqual({
    problem: expect.stringMatching(/^engineCredentials .+: the file does not exist\.$/u),
  });
});

test("a publisher has its cell and each place once", async () => {
  const read = (given: Readonly<Record<string, string | readonly string[]>>) =>
    readEngine(flagsOf(["engine", "enginePlaces", "cell"], given), RIGHT);
  expect(await read({ cell: "1/3" })).toEqual({ value: undefined });
  expect(await read({ engine: URL })).toEqual({
    value: { address: { url: URL }, cell: "0-1", vantages: ["main"] },
  });
  expect(await read({ engine: URL, cell: "1/3", engineVantage: ["b", "a", "b"] })).toEqual({
    value: { address: { url: URL }, cell: "1-3", vantages: ["b", "a"] },
  });
  expect(await read({ engineCredentials: "x" })).toHaveProperty("problem");
});

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/u;

test("the rules of the probes are read from their files, all problems at once", async () => {
  const set = new Map<string, string>();
  const read = (given: Readonly<Record<string, string | readonly string[]>>, env = {}) =>
    readProbeConfig(flagsOf(["probe", "private", "ports"], given), {
      env,
      setEnv: (name, value) => void set.set(name, value),
    });
  const { value } = { value: undefined, ...(await read({ dns: "192.0.2.1:54" })) };
  expect(value).toMatchObject({ dns: "192.0.2.1:54", roots: { everywhere: [], national: [] } });
  expect(value).toMatchObject({ connectTo: [], ownAddresses: findOwnAddresses() });
  expect(set.size).toBe(0);
  await read({ dns: "tcp://192.0.2.1" });
  expect([...set]).toEqual([["RES_OPTIONS", "use-vc"]]);
  const hosts = await write("hosts", "a.example:443:127.0.0.1:1\r\nb.example:443:127.0.0.1:2\n");
  const rules = await read({ connectTo: ["c.example:443:127.0.0.1:3", `@${hosts}`] });
  expect({ value: undefined, ...rules }.value?.connectTo).toEqual([
    "c.example:443:127.0.0.1:3",
    "a.example:443:127.0.0.1:1",
    "b.example:443:127.0.0.1:2",
    "",
  ]);
  const broken = await write(
    "broken.pem",
    "-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----",
  );
  expect(broken).not.toMatch(CERTIFICATE);
  expect(await read({ connectTo: ["x", "@/nowhere"], extraCa: hosts })).toEqual({
    problem: expect.stringMatching(
      /--connect-to @\/nowhere: [\s\S]+--connect-to [^@][\s\S]+--extra-ca .+: the file has no PEM certificate\.$/u,
    ),
  });
  expect(await read({ extraCa: broken })).toEqual({
    problem: expect.stringMatching(
      /: a certificate in it is broken; export it again in PEM form\.$/u,
    ),
  });
  expect(await read({ connectTo: "@/nowhere" })).toHaveProperty("value");
});

const WEBHOOK = "{ id: hook, kind: webhook, url: https://a.example/, secret: { env: HOOK } }";

test("channels are opened with their secrets, which no message repeats", async () => {
  const catalogue = writeSmallCatalogue();
  const flags = flagsOf(["catalogue"], { catalogue });
  const read = async (channel: string, env = {}) => {
    const file = await write("channels.yaml", `channels:\n  - ${channel}\n`);
    return readChannels(file, flags, { env });
  };
  const exec = "{ id: mail, kind: exec, command: [cat] }";
  expect(await read(exec)).toMatchObject({ value: { channels: [{ secret: "" }], warnings: [] } });
  const telegram = (file: string) =>
    `{ id: main, kind: telegram, chat: "-1001234567890", token: { file: "${file}" } }`;
  const [token, empty] = [`123456:${"A".repeat(35)}`, await write("empty", " \n")];
  const tokenFile = await write("token", ` ${token}\n`);
  expect(await read(telegram(tokenFile))).toMatchObject({
    value: { channels: [{ secret: token }] },
  });
  expect(await read(telegram(empty))).toEqual({
    problem: expect.stringMatching(
      new RegExp(
        `channel "main": the file ${empty} is not set or empty; put the secret there\\.$`,
        "u",
      ),
    ),
  });
  expect(await read(telegram(`${empty}.no`))).toEqual({
    problem: expect.stringContaining(`channel "main": the file ${empty}.no: `),
  });
  const wrong = await read(telegram(await write("token", "password")));
  expect(wrong).toEqual({
    problem: expect.stringMatching(
      /token has no token of a Telegram bot, such as 123:ABC…; put it there, and nothing else\.$/u,
    ),
  });
  expect(JSON.stringify(wrong)).not.toContain("password");
  expect(await readChannels("/nowhere", flags, { env: {} })).toEqual({
    problem: expect.stringMatching(/^--channels \/nowhere: /u),
  });
  expect(await read(WEBHOOK)).toEqual({
    problem: expect.stringMatching(/: the environment variable HOOK is not set or empty; /u),
  });
});

test("without its catalogue no channel is opened", async () => {
  const flags = flagsOf(["catalogue"], { catalogue: "/nowhere/catalogue.yaml" });
  const file = await write("channels.yaml", "channels: []\n");
  expect(await readChannels(file, flags, { env: {} })).toEqual({
    problem: "catalogue /nowhere/catalogue.yaml: the file does not exist.",
  });
});

test("a service that a given catalogue does not have is a problem", async () => {
  const text = "channels:\n  - { id: m, kind: exec, command: [cat], services: [sberbnk] }\n";
  const file = await write("channels.yaml", text);
  const words = expect.stringMatching(/channels\.yaml:2:\d+: .+did you mean "sberbank"/u);
  const given = flagsOf(["catalogue"], { catalogue: writeSmallCatalogue() });
  expect(await readChannels(file, given, { env: {} })).toEqual({ problem: words });
  // The website may know more services than the shipped catalogue.
  expect(await readChannels(file, flagsOf(["catalogue"], {}), { env: {} })).toMatchObject({
    value: { warnings: [words] },
  });
});

test("a log shows the first 20 problems of a file, and counts the others", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);
  expect(shortenProblems(lines(20))).toBe(lines(20).join("\n"));
  expect(shortenProblems(lines(21))).toBe(
    [...lines(20), "and 1 more; catalogue check lists them"].join("\n"),
  );
});

test("a wrong truth counts as none, and is told once for each version", async () => {
  const file = await write("truth.yaml", "wrong");
  const read = createTruthSource(flagsOf(["truth"], { truth: file }));
  const events: RunEvent[] = [];
  const emit = (event: RunEvent): void => void events.push(event);
  expect([await read(emit), await read(emit)]).toEqual([[], []]);
  expect(events.map(({ event }) => event)).toEqual(["truth-ignored"]);
  await writeFile(file, "other: 1");
  await read(emit);
  await writeFile(file, "wrong");
  await read(emit);
  expect(events).toHaveLength(3);
});
