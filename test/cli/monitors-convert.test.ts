import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Monitor } from "../../src/model/monitor/monitor.ts";
import { writeEntries } from "../../src/monitors/registry/edit.ts";
import { atDepth, isFull } from "../depth.ts";
import { makeScratchFolder } from "../store/scratch.ts";
import { eventsNamed, problemsOf, until } from "./cli.ts";
import { useCliFixture } from "./cli-fixture.ts";
import { runHere } from "./run-here.ts";
import { startLoopbackS3 } from "./loopback-s3.ts";
import { fileOf, lineOf, makeShards, readAll, textsIn } from "./shard-folder.ts";

const { workspace } = useCliFixture(true);

const runConvert = (from: string, to: string) =>
  runHere(["monitor", "convert", from, to], process.cwd());

/** What the command prints. */
async function convert(from: string, to: string): Promise<string> {
  const { code, stdout, stderr } = await runConvert(from, to);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** The problems of a conversion that is refused. */
async function refusalOf(from: string, to: string): Promise<string> {
  const { code, stderr } = await runConvert(from, to);
  expect(code).toBe(2);
  return problemsOf(stderr).join("\n");
}

/** What the log says of a conversion that fails. */
async function failureOf(from: string, to: string): Promise<readonly unknown[]> {
  const { code, stdout, stderr } = await runConvert(from, to);
  expect([code, stdout]).toEqual([1, ""]);
  return eventsNamed(stderr, "failed").map(({ message }) => message);
}

async function startBucket() {
  const s3 = await startLoopbackS3();
  for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return { ...s3, place: s3.url("list/") };
}

const byId = (monitors: readonly Monitor[]): readonly Monitor[] =>
  monitors.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** Words that YAML, JSON or the rules of names could read as something else. */
const WORD = fc.oneof(
  fc.constantFrom(
    "да",
    "null",
    "no",
    "1e3",
    "0x1F",
    "- a",
    "a: b",
    "#x",
    "{}",
    '"',
    "\\",
    "%",
    "é",
  ),
  fc.string({ minLength: 1, maxLength: 8 }).filter((text) => /^[\w.]+$/u.test(text)),
);
const LABEL = fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/u);
const HOST = fc.oneof(
  LABEL.map((label) => `${label}.example`),
  // Longer than a name, which its default cuts off.
  fc.constant(`${`${"a".repeat(60)}.`.repeat(3)}example`),
  fc.constant("магазин.рф"),
);

const MONITORS: fc.Arbitrary<readonly Monitor[]> = fc.uniqueArray(
  fc
    .record({
      id: fc.stringMatching(/^[A-Za-z0-9_-]{1,22}$/u),
      url: fc.tuple(HOST, fc.constantFrom("", "a?b=c", "%D0%B4")).map(([host, path]) => {
        return new URL(`https://${host}/${path}`).href;
      }),
      name: fc.option(WORD, { nil: undefined }),
      isPublic: fc.boolean(),
      expect: fc.option(fc.uniqueArray(fc.integer({ min: 100, max: 599 }), { minLength: 1 }), {
        nil: undefined,
      }),
      timeoutMs: fc.option(fc.integer({ min: 1_000, max: 20_000 }), { nil: undefined }),
      body: fc.option(
        fc.tuple(WORD, WORD).map(([one, other]) => ` ${one}  ${other} `),
        {
          nil: undefined,
        },
      ),
      label: fc.option(WORD, { nil: undefined }),
    })
    .map(({ id, url, name, isPublic, ...others }) => ({
      id,
      url,
      name: name ?? new URL(url).host.slice(0, 120),
      isPublic,
      ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
    })),
  { maxLength: 30, selector: ({ id }) => id.toLowerCase() },
);

describe("a conversion", () => {
  test("through every form keeps every monitor", async () => {
    await fc.assert(
      fc.asyncProperty(MONITORS, async (monitors) => {
        const folder = makeScratchFolder();
        const steps = ["a.jsonl", "b.yaml", "c/", "d.ndjson", "e/", "f.yaml"].map((name) =>
          join(folder, name),
        );
        const [first = "", ...others] = steps;
        await writeFile(first, writeEntries(monitors, "json-lines"));
        let from = first;
        for (const to of others) {
          await convert(from, to);
          from = to;
        }
        for (const step of steps) {
          const { monitors: read, problems, faults } = await readAll(step);
          expect([problems, faults]).toEqual([[], []]);
          expect(byId(read)).toEqual(byId(monitors));
        }
      }),
      { numRuns: atDepth(10, 100) },
    );
  });

  test.skipIf(isFull)(
    "writes the normal form without defaults, in the form of the name",
    async () => {
      const folder = makeScratchFolder();
      const from = join(folder, "from.yaml");
      await writeFile(
        from,
        "# ours\nmonitors:\n- { public: false, url: HTTPS://Shop.Example, name: shop.example, id: shop }\n",
      );
      const entry = '{"id":"shop","url":"https://shop.example/"}\n';
      const noun = "has 1 monitor, those of";
      expect(await convert(from, join(folder, "to.jsonl"))).toContain(noun);
      expect(await readFile(join(folder, "to.jsonl"), "utf8")).toBe(entry);
      await convert(from, join(folder, "to/"));
      expect(await textsIn(join(folder, "to"))).toEqual({ [fileOf("shop")]: entry });
      await convert(join(folder, "to"), join(folder, "to.yaml"));
      expect(await readFile(join(folder, "to.yaml"), "utf8")).toBe(
        'monitors:\n  - { id: shop, url: "https://shop.example/" }\n',
      );
    },
  );

  test.skipIf(isFull)("writes for the owner alone", async () => {
    const [from, folder] = [await makeShards("shop"), makeScratchFolder()];
    for (const name of ["to.yaml", "to/"]) await convert(from, join(folder, name));
    expect((await stat(join(folder, "to.yaml"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "to"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, "to", fileOf("shop")))).mode & 0o777).toBe(0o600);
  });

  test.skipIf(isFull)("of an empty registry gives an empty one, also in a bucket", async () => {
    const { place } = await startBucket();
    const from = await makeShards();
    await convert(from, place);
    expect(await readAll(place)).toMatchObject({ monitors: [], isComplete: true });
  });

  test.skipIf(isFull)("fills an empty file and an empty folder", async () => {
    const [from, folder] = [await makeShards("shop"), makeScratchFolder()];
    await writeFile(join(folder, "to.yaml"), "");
    await mkdir(join(folder, "to"));
    for (const name of ["to.yaml", "to"]) {
      await convert(from, join(folder, name));
      expect((await readAll(join(folder, name))).monitors).toHaveLength(1);
    }
    expect((await readdir(folder)).toSorted()).toEqual(["to", "to.yaml"]);
  });

  test.skipIf(isFull).each([
    ["shards", fileOf("blog"), lineOf("blog")],
    ["an empty shard", fileOf("blog"), ""],
    ["hidden files", ".gitignore", "x"],
  ])("into a folder with %s is refused, and changes nothing", async (_, name, text) => {
    const [from, to] = [await makeShards("shop"), await makeShards()];
    await writeFile(join(to, name), text);
    expect(await refusalOf(from, `${to}/`)).toMatch(/not empty; name another place/u);
    expect(await textsIn(to)).toEqual({ [name]: text });
    expect(await readdir(join(to, ".."))).toEqual(["shards"]);
  });

  test.skipIf(isFull)("over a file or a bucket that has something is refused", async () => {
    const { place, objects } = await startBucket();
    objects.set("list/other.txt", Buffer.from("x"));
    const from = await makeShards("shop");
    const file = join(makeScratchFolder(), "to.jsonl");
    await writeFile(file, lineOf("blog"));
    for (const to of [file, place]) expect(await refusalOf(from, to)).toContain("not empty");
    expect(await readFile(file, "utf8")).toBe(lineOf("blog"));
    expect([...objects.keys()]).toEqual(["list/other.txt"]);
  });

  test.skipIf(isFull)("of a registry with problems is refused, with all of them", async () => {
    const from = await makeShards("shop");
    await writeFile(join(from, fileOf("blog")), '{"id":"blog"}\n{"id":"b c"}\n');
    await writeFile(join(from, "40.jsonl"), "");
    const refusal = await refusalOf(from, `${from}-new/`);
    expect(refusal).toContain("40.jsonl: not a shard");
    for (const line of [1, 2]) expect(refusal).toContain(`${fileOf("blog")}:${line}:`);
    await expect(stat(`${from}-new`)).rejects.toThrow("ENOENT");
  });

  test.skipIf(isFull)("of more monitors than YAML has room for is refused", async () => {
    const folder = makeScratchFolder();
    const from = join(folder, "from.jsonl");
    const lines = Array.from({ length: 30_000 }, (_, at) => lineOf(`m${at}`));
    await writeFile(from, lines.join(""));
    expect(await refusalOf(from, join(folder, "to.yaml"))).toContain("shards");
    expect(await readdir(folder)).toEqual(["from.jsonl"]);
  });

  test.skipIf(isFull)("into a folder shows all shards at once", async () => {
    const folder = makeScratchFolder();
    const from = join(folder, "from.jsonl");
    const ids = Array.from({ length: 300 }, (_, at) => `m${at}`);
    await writeFile(from, ids.map(lineOf).join(""));
    const to = join(folder, "to");
    const seen = new Set<number>();
    const progress = { isDone: false };
    const ended = convert(from, `${to}/`).finally(() => {
      progress.isDone = true;
    });
    while (!progress.isDone) seen.add((await readdir(to).catch(() => [])).length);
    await ended;
    const shards = new Set(ids.map(fileOf)).size;
    expect([...seen].filter((count) => count !== 0 && count !== shards)).toEqual([]);
    expect(await readdir(to)).toHaveLength(shards);
    expect((await readdir(folder)).toSorted()).toEqual(["from.jsonl", "to"]);
  });

  test.skipIf(isFull)("into a folder that was filled meanwhile leaves it as it is", async () => {
    const [folder, other] = [makeScratchFolder(), makeScratchFolder()];
    const [from, to] = [join(other, "from.jsonl"), join(folder, "to")];
    await writeFile(from, Array.from({ length: 300 }, (_, at) => lineOf(`m${at}`)).join(""));
    const failed = failureOf(from, `${to}/`);
    await until("the hidden folder is there", async () => (await readdir(folder)).length > 0);
    await mkdir(to);
    await writeFile(join(to, "x"), "");
    expect(await failed).toEqual([expect.stringContaining("other files have appeared in it")]);
    expect(await readdir(to)).toEqual(["x"]);
    expect(await readdir(folder)).toEqual(["to"]);
  });

  test.skipIf(isFull)("into a bucket that fails half way is not begun again over it", async () => {
    const { place, objects, moods } = await startBucket();
    const ids = ["shop", "blog", "bank", "mail"];
    const from = await makeShards(...ids);
    const [first = "", second = ""] = ids.map(fileOf).toSorted();
    moods.isRefused = (method, key) => method === "PUT" && key.endsWith(second);
    expect(await failureOf(from, place)).toHaveLength(1);
    expect([...objects.keys()]).toEqual([`list/${first}`]);
    moods.isRefused = () => false;
    expect(await refusalOf(from, place)).toContain("not empty");
    objects.clear();
    await convert(from, place);
    expect((await readAll(place)).monitors).toHaveLength(4);
  });
});

test.skipIf(isFull)("monitor convert is a command with the rules of URLs", async () => {
  const one = await workspace();
  await writeFile(
    join(one.folder, "monitors.yaml"),
    "monitors:\n  - { id: a, url: https://a.example:8443/ }\n",
  );
  const refused = await one.cli(["monitor", "convert", "monitors.yaml", "shards/"]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("monitors.yaml:2:");
  const args = ["monitor", "convert", "monitors.yaml", "shards/", "--allow-port", "8443"];
  expect(await one.cli(args)).toMatchObject({
    code: 0,
    stdout: "shards/ has 1 monitor, those of monitors.yaml\n",
  });
  const forCells = (to: string) => one.cli([...args.with(3, to), "--count", "4096"]);
  expect(await forCells("cells/")).toMatchObject({ code: 0 });
  // printf a | sha256sum
  expect(Object.keys(await textsIn(join(one.folder, "cells")))).toEqual(["ca9.jsonl"]);
  const file = await forCells("cells.jsonl");
  expect(file).toMatchObject({ code: 2, stdout: "" });
  expect(file.stderr).toContain("cells.jsonl is a file; end it with / for a folder of shards.");
});
