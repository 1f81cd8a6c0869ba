import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { monitorConvertCommand } from "../../src/cli/commands/monitor-convert.ts";
import { monitorCheckCommand } from "../../src/cli/commands/monitor-check.ts";
import { UsageError } from "../../src/cli/options/errors.ts";
import {
  addToRegistry,
  generateMonitorId,
  removeFromRegistry,
  setPublicInRegistry,
} from "../../src/cli/setup/edit-registry.ts";
import { createRegistryParser } from "../../src/cli/setup/read-monitors.ts";
import { readRegistry } from "../../src/cli/setup/registry-file.ts";
import { nameOfShard, openRegistry } from "../../src/cli/setup/registry-location.ts";
import { openRegistrySource } from "../../src/cli/setup/registry-source.ts";
import type { Monitor } from "../../src/model/monitor.ts";
import { shardOf } from "../../src/model/shard.ts";
import { isFull } from "../depth.ts";
import { makeScratchFolder } from "../store/scratch.ts";
import { startLoopbackS3 } from "./loopback-s3.ts";
import { useCliFixture } from "./cli-fixture.ts";

const { workspace } = useCliFixture(true);

const rules = { refusalOfUrl: () => undefined };
const SILENT = { print: () => undefined };
const LOG = { fail: (message: string) => expect.fail(message) } as unknown as Parameters<
  typeof monitorConvertCommand
>[4];

async function locate(path: string) {
  const opened = await openRegistry(path);
  if ("problem" in opened) throw new Error(opened.problem);
  return opened.value;
}

async function readAll(path: string) {
  const read = await readRegistry(await locate(path));
  if (read.kind !== "found") throw new Error(`${path} is ${read.kind}`);
  return createRegistryParser(rules)(read);
}

const fileOf = (id: string): string => nameOfShard(shardOf(id));
const lineOf = (id: string): string => `{"id":"${id}","url":"https://${id}.example/"}\n`;

/** A folder of shards with these ids, each where it belongs. */
async function shardsOf(...ids: readonly string[]): Promise<string> {
  const folder = join(makeScratchFolder(), "shards");
  await mkdir(folder);
  for (const id of ids) await writeFile(join(folder, fileOf(id)), lineOf(id), { flag: "a" });
  return folder;
}

describe.skipIf(isFull)("a registry in shards", () => {
  test("is a folder, or a path that ends with a slash", async () => {
    const folder = await shardsOf("a");
    expect((await locate(folder)).kind).toBe("shards");
    expect((await locate(`${folder}/missing/`)).kind).toBe("shards");
    expect((await locate(`${folder}/missing`)).kind).toBe("file");
    expect((await locate("s3://bucket/list/?endpoint=http://127.0.0.1:1/")).kind).toBe("shards");
  });

  test("is read from all shards, of which most may be missing", async () => {
    const ids = ["shop", "blog", "bank", "mail"];
    const { monitors, problems } = await readAll(await shardsOf(...ids));
    expect(problems).toEqual([]);
    expect(monitors.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test("without a folder does not exist; an empty folder is an empty registry", async () => {
    const folder = await shardsOf();
    expect((await readRegistry(await locate(`${folder}/missing/`))).kind).toBe("absent");
    expect((await readAll(folder)).monitors).toEqual([]);
  });

  test("leaves out an entry in a wrong shard, and says where it belongs", async () => {
    const folder = await shardsOf("shop");
    const wrong = fileOf("blog") === "00.jsonl" ? "01.jsonl" : "00.jsonl";
    await writeFile(join(folder, wrong), lineOf("blog"));
    const { monitors, problems, rejectedIds } = await readAll(folder);
    expect(monitors.map(({ id }) => id)).toEqual(["shop"]);
    expect(rejectedIds).toEqual(["blog"]);
    expect(problems).toEqual([
      `${folder}/${wrong}:1:7: id: belongs into ${fileOf("blog")}; move its line there.`,
    ]);
  });

  test("has each id once, whatever the case of its letters", async () => {
    const folder = await shardsOf("shop", "SHOP", "blog");
    const { monitors, problems, rejectedIds } = await readAll(folder);
    expect(monitors.length).toBe(2);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("apart from the case of its letters");
    expect(rejectedIds).toEqual([]);
  });

  test("refuses strange names, and ignores locks and hidden files", async () => {
    const folder = await shardsOf("shop");
    for (const name of ["40.jsonl", "0A.jsonl", "list.jsonl", ".x", "00.jsonl.lock", "a~"])
      await writeFile(join(folder, name), "");
    const { problems, hasUnnamed } = await readAll(folder);
    expect(problems.map((line) => line.split(" ")[0] ?? "").toSorted()).toEqual([
      "0A.jsonl",
      "40.jsonl",
      "list.jsonl",
    ]);
    expect(hasUnnamed).toBe(true);
  });

  test("with a shard that cannot be parsed changes nothing", async () => {
    const folder = await shardsOf("shop", "blog");
    const source = await openRegistrySource(folder, rules);
    if ("problem" in source) throw new Error(source.problem);
    const before = await source.value.read();
    expect(await source.value.read()).toBe(before);
    await writeFile(join(folder, fileOf("blog")), "{ broken");
    const after = await source.value.read();
    expect(after).toMatchObject({ isComplete: false, monitors: before.monitors });
    expect(after.problem).toContain(fileOf("blog"));
    await writeFile(join(folder, fileOf("blog")), "");
    const healed = await source.value.read();
    expect(healed.monitors.map(({ id }) => id)).toEqual(["shop"]);
    expect(healed.isComplete).toBe(true);
  });
});

describe.skipIf(isFull)("an edit of a registry in shards", () => {
  const tools = async (folder: string) => ({ location: await locate(folder), rules });
  const newId = generateMonitorId;

  test("makes the folder and the shard, for the owner alone", async () => {
    const folder = `${makeScratchFolder()}/new/`;
    const added = await addToRegistry(
      "https://a.example/",
      {},
      { ...(await tools(folder)), newId },
    );
    if (added.kind !== "done") throw new Error(added.message);
    const [name = ""] = await readdir(folder);
    expect(name).toBe(fileOf(added.monitor.id));
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  test("rewrites one shard", async () => {
    const folder = await shardsOf("shop", "blog", "bank");
    const before = new Map(
      await Promise.all(
        (await readdir(folder)).map(
          async (name) => [name, await readFile(join(folder, name), "utf8")] as const,
        ),
      ),
    );
    await setPublicInRegistry("blog", true, await tools(folder));
    for (const [name, text] of before) {
      const after = await readFile(join(folder, name), "utf8");
      expect([name, after === text]).toEqual([name, name !== fileOf("blog")]);
    }
  });

  test("removes a monitor, and knows one that no shard has", async () => {
    const folder = await shardsOf("shop");
    expect(await removeFromRegistry("shop", await tools(folder))).toMatchObject({ kind: "done" });
    expect((await readAll(folder)).monitors).toEqual([]);
    const missing = await removeFromRegistry("blog", await tools(folder));
    expect(missing).toEqual({ kind: "refused", message: 'no monitor has the id "blog".' });
  });

  test("refuses an id that another shard has in other letters", async () => {
    const folder = await shardsOf("shop");
    const options = { id: "SHOP" };
    const added = await addToRegistry("https://a.example/", options, {
      ...(await tools(folder)),
      newId,
    });
    expect(added).toMatchObject({ kind: "refused" });
  });

  test("by four processes at once loses none", async () => {
    const folder = await shardsOf();
    const script = fileURLToPath(new URL("add-monitors-script.ts", import.meta.url));
    const add = (prefix: string) =>
      promisify(execFile)(process.execPath, ["--import", "tsx", script, folder, prefix, "15"]);
    await Promise.all(["a", "b", "c", "d"].map(add));
    const { monitors, problems } = await readAll(folder);
    expect(problems).toEqual([]);
    expect(monitors.length).toBe(60);
  });
});

describe.skipIf(isFull)("a conversion", () => {
  const word = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => /^\w+$/u.test(text));
  const monitor: fc.Arbitrary<Monitor> = fc
    .record({
      url: word.map((host) => `https://${host.toLowerCase().replaceAll("_", "x")}.example/`),
      name: fc.option(word, { nil: undefined }),
      isPublic: fc.boolean(),
      expect: fc.option(fc.constant([200, 301]), { nil: undefined }),
      timeoutMs: fc.option(fc.integer({ min: 1_000, max: 20_000 }), { nil: undefined }),
      body: fc.option(word, { nil: undefined }),
      label: fc.option(word, { nil: undefined }),
    })
    .map(({ url, name, isPublic, ...others }) => ({
      id: generateMonitorId(),
      url,
      name: name ?? new URL(url).host,
      isPublic,
      ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
    }));
  const sorted = (monitors: readonly Monitor[]) =>
    monitors.toSorted((a, b) => (a.id < b.id ? -1 : 1));

  test("through every form keeps every monitor", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(monitor, { maxLength: 20 }), async (monitors) => {
        const folder = makeScratchFolder();
        const steps = ["a.yaml", "b/", "c.jsonl", "d/", "e.yaml"].map((one) => join(folder, one));
        const { writeRegistry } = await import("../../src/monitors/registry/edit.ts");
        await writeFile(join(folder, "a.yaml"), writeRegistry(monitors, "yaml"));
        for (const [at, to] of steps.slice(1).entries())
          expect(await monitorConvertCommand(steps[at] ?? "", to, rules, SILENT, LOG)).toBe(0);
        for (const step of steps)
          expect(sorted((await readAll(step)).monitors)).toEqual(sorted(monitors));
        await rm(folder, { recursive: true });
      }),
      { numRuns: 15 },
    );
  });

  test("overwrites nothing, and refuses a registry with a problem", async () => {
    const [from, to] = [await shardsOf("shop"), await shardsOf("blog")];
    const convert = (a: string, b: string) => monitorConvertCommand(a, b, rules, SILENT, LOG);
    await expect(convert(from, to)).rejects.toThrow(UsageError);
    expect((await readAll(to)).monitors.map(({ id }) => id)).toEqual(["blog"]);
    await writeFile(join(from, "40.jsonl"), "");
    await expect(convert(from, `${from}-new/`)).rejects.toThrow(UsageError);
    await expect(stat(`${from}-new`)).rejects.toThrow("ENOENT");
  });

  test("into a bucket writes shards that are read and edited there", async () => {
    const s3 = await startLoopbackS3();
    for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const to = s3.url("registry").replace(/(\?|$)/u, "/$1");
    const from = await shardsOf("shop", "blog", "bank");
    expect(await monitorConvertCommand(from, to, rules, SILENT, LOG)).toBe(0);
    expect([...s3.objects.keys()].toSorted()).toEqual(
      ["shop", "blog", "bank"].map((id) => `registry/${fileOf(id)}`).toSorted(),
    );
    await setPublicInRegistry("shop", true, { location: await locate(to), rules });
    const { monitors } = await readAll(to);
    expect(monitors.filter(({ isPublic }) => isPublic).map(({ id }) => id)).toEqual(["shop"]);
    const lines: string[] = [];
    await monitorCheckCommand(to, rules, { print: (line) => lines.push(line) });
    expect(lines[0]).toContain("is valid: 3 monitors, 1 public");
  });
});

test.skipIf(isFull)("the commands and a run take a folder of shards", async () => {
  const one = await workspace();
  await one.set("shop", { kind: "page" });
  const url = `https://${one.host("shop")}/`;
  const registry = ["--monitors", "shards/"];
  const added = await one.cli(
    ["monitor", "add", url, "--id", "shop", "--public", "--catalogue", "catalogue.json"].concat(
      registry,
    ),
  );
  expect(added).toMatchObject({ code: 0 });
  await one.run(registry);
  const list = await one.cli(["monitor", "list", "--json", ...registry]);
  expect(JSON.parse(list.stdout)).toMatchObject([{ id: "shop", state: "healthy" }]);
  const check = await one.cli(["monitor", "check", "shards"]);
  expect(check.stdout).toContain("is valid: 1 monitor, 1 public");
});
