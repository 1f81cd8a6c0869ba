import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkEngine, readEngineTrial } from "../../src/doctor/engine.ts";
import { startFakeNats } from "../engine/fake-nats.ts";
import { flagsOf } from "../setup/given.ts";
import { makeScratchFolder } from "../store/scratch.ts";

const URL = "nats://127.0.0.1:1";
const RIGHT = { isWrong: (_option: string): boolean => false };
const WRONG = { isWrong: (option: string): boolean => option === "engine" };

type Given = Readonly<Record<string, string | readonly string[]>>;

const read = (given: Given, problems = RIGHT) =>
  readEngineTrial(flagsOf(["engine", "enginePlaces", "doctor"], given), problems);

test("an engine is tried at its first place, with its worker if one is named", async () => {
  const [publisher, worker] = ["publisher", "worker"].map((name) =>
    join(makeScratchFolder(), name),
  );
  await writeFile(publisher ?? "", "P");
  await writeFile(worker ?? "", "W");
  expect(await read({})).toEqual({ value: undefined });
  expect(await read({ engine: URL })).toEqual({
    value: { address: { url: URL }, vantage: "main" },
  });
  const keys = { engineCredentials: publisher ?? "", engineWorkerCredentials: worker ?? "" };
  expect(await read({ engine: URL, ...keys, engineVantage: ["spb"] })).toEqual({
    value: {
      address: { url: URL, credentials: "P" },
      vantage: "spb",
      worker: { url: URL, credentials: "W" },
    },
  });
});

test("what does not fit together is a problem", async () => {
  const engineWorkerCredentials = "/nowhere";
  expect(await read({ engineWorkerCredentials })).toEqual({
    problem: "engineWorkerCredentials /nowhere: engine is missing.",
  });
  expect(await read({ engineWorkerCredentials }, WRONG)).toEqual({ value: undefined });
  const two = { engine: URL, engineWorkerCredentials, engineVantage: ["a", "b"] };
  expect(await read(two)).toEqual({
    problem: "engineWorkerCredentials /nowhere: name its only place as engineVantage.",
  });
  expect(await read({ engine: URL, engineVantage: ["a", "b"] })).toHaveProperty(
    "value.vantage",
    "a",
  );
  expect(await read({ engine: URL, engineWorkerCredentials })).toEqual({
    problem: expect.stringMatching(/^engineWorkerCredentials \/nowhere: /u),
  });
  expect(await read({ engine: URL, engineCredentials: "/nowhere" })).toEqual({
    problem: expect.stringMatching(/^engineCredentials \/nowhere: /u),
  });
});

describe("the worker of an engine", () => {
  const noPause = async (): Promise<void> => undefined;
  const resultsOf = async (url: string) => {
    const trial = { address: { url }, vantage: "spb", worker: { url } };
    return (await checkEngine(trial, noPause)).map(({ name, result }) => [name, result]);
  };

  test("is not tried if the engine does not answer", async () => {
    expect(await resultsOf(URL)).toEqual([["engine", "fail"]]);
  });

  test("is not tried if the engine has no streams", async () => {
    const { url } = await startFakeNats();
    expect(await resultsOf(url)).toEqual([
      ["engine", "ok"],
      ["engine streams", "fail"],
    ]);
  });
});

test("without an engine nothing is tried", async () => {
  expect(await checkEngine(undefined, async () => undefined)).toEqual([]);
});
