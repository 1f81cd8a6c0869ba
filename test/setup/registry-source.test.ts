import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createRegistryParser } from "../../src/setup/registry/read-monitors.ts";
import { readRegistry } from "../../src/setup/registry/read-registry.ts";
import {
  openRegistrySource,
  type RegistrySource,
} from "../../src/setup/registry/registry-source.ts";
import type { Registry } from "../../src/pipeline/publish/monitor-removals.ts";
import { startLoopbackS3, type LoopbackS3 } from "../cli/loopback-s3.ts";
import { fileOf, lineOf, locate, makeShards, RULES, wrongFileOf } from "../cli/shard-folder.ts";

async function open(monitors: string): Promise<RegistrySource> {
  const source = await openRegistrySource(monitors, RULES);
  if ("problem" in source) throw new Error(source.problem);
  return source.value;
}

const idsOf = ({ monitors }: Registry): readonly string[] =>
  monitors.map(({ id }) => id).toSorted();

/** A bucket with shards of these ids, and its URL. */
async function startBucket(...ids: readonly string[]): Promise<LoopbackS3 & { location: string }> {
  const s3 = await startLoopbackS3();
  for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const id of ids) s3.objects.set(`list/${fileOf(id)}`, Buffer.from(lineOf(id)));
  return { ...s3, location: s3.url("list/") };
}

describe("a registry in shards that is read again", () => {
  test("is the same object while nothing changes", async () => {
    const source = await open(await makeShards("shop", "blog"));
    const first = await source.read();
    expect(idsOf(first)).toEqual(["blog", "shop"]);
    expect(first.isComplete).toBe(true);
    expect(await source.read()).toBe(first);
  });

  test("follows a shard that changed, appeared or went away", async () => {
    const folder = await makeShards("shop", "blog");
    const source = await open(folder);
    await writeFile(join(folder, fileOf("bank")), lineOf("bank"));
    expect(idsOf(await source.read())).toEqual(["bank", "blog", "shop"]);
    await rm(join(folder, fileOf("blog")));
    const after = await source.read();
    expect([idsOf(after), after.isComplete]).toEqual([["bank", "shop"], true]);
    await writeFile(join(folder, fileOf("shop")), "");
    expect(idsOf(await source.read())).toEqual(["bank"]);
  });

  test("parses only the shards that changed", async () => {
    const folder = await makeShards("shop", "blog");
    const parse = createRegistryParser(RULES);
    const read = async () => {
      const found = await readRegistry(await locate(folder));
      if (found.kind !== "found") throw new Error(found.kind);
      return new Map(parse(found).monitors.map((monitor) => [monitor.id, monitor]));
    };
    const before = await read();
    await writeFile(join(folder, fileOf("blog")), `\n${lineOf("blog")}`);
    const after = await read();
    expect(after.get("shop")).toBe(before.get("shop"));
    expect(after.get("blog")).not.toBe(before.get("blog"));
  });

  test("keeps the monitors of a shard that became broken, until it is fixed", async () => {
    const folder = await makeShards("shop", "blog");
    const source = await open(folder);
    await writeFile(join(folder, fileOf("blog")), "{ broken");
    await writeFile(join(folder, fileOf("bank")), lineOf("bank"));
    const broken = await source.read();
    expect(idsOf(broken)).toEqual(["bank", "blog", "shop"]);
    expect(broken.isComplete).toBe(false);
    expect(broken.problem).toContain(`${fileOf("blog")}:1:3`);
    expect(await source.read()).toBe(broken);
    await writeFile(join(folder, fileOf("blog")), "");
    const fixed = await source.read();
    expect([idsOf(fixed), fixed.isComplete]).toEqual([["bank", "shop"], true]);
    expect(fixed.problem).toBeUndefined();
  });

  test("whose shards are all broken, or which is gone, stays as it was", async () => {
    const folder = await makeShards("shop");
    const source = await open(folder);
    await writeFile(join(folder, fileOf("shop")), "{ broken");
    expect(await source.read()).toMatchObject({ monitors: [{ id: "shop" }], isComplete: false });
    await rm(folder, { recursive: true });
    expect(await source.read()).toMatchObject({ monitors: [{ id: "shop" }], isComplete: false });
  });
});

describe("a registry in shards that is opened", () => {
  test("with a broken shard warns of it, and has the others", async () => {
    const folder = await makeShards("shop", "blog");
    await writeFile(join(folder, fileOf("blog")), "{ broken");
    await writeFile(join(folder, "40.jsonl"), "");
    const source = await open(folder);
    expect(source.warnings).toHaveLength(2);
    for (const warning of source.warnings)
      expect(warning).toMatch(/\. \(Until then, no missing monitor counts as removed\.\)$/u);
    const registry = await source.read();
    expect([idsOf(registry), registry.isComplete]).toEqual([["shop"], false]);
  });

  test("with an entry in the wrong shard warns that it is left out", async () => {
    const folder = await makeShards("shop");
    await writeFile(join(folder, wrongFileOf("blog")), lineOf("blog"));
    const source = await open(folder);
    expect(source.warnings).toEqual([expect.stringMatching(/left out; its history stays/u)]);
    expect(await source.read()).toMatchObject({ rejectedIds: ["blog"], isComplete: true });
  });

  test("with nothing but broken shards, or without a folder, is a problem", async () => {
    const folder = await makeShards("shop");
    await rm(join(folder, fileOf("shop")));
    await mkdir(join(folder, fileOf("shop")));
    for (const path of [folder, `${folder}-missing/`])
      expect(await openRegistrySource(path, RULES)).toHaveProperty("problem");
  });
});

describe("shards in a bucket", () => {
  test("are read again when their tags change, and only then parsed", async () => {
    const { location, objects } = await startBucket("shop", "blog");
    const source = await open(location);
    const first = await source.read();
    expect(idsOf(first)).toEqual(["blog", "shop"]);
    expect(await source.read()).toBe(first);
    objects.set(`list/${fileOf("bank")}`, Buffer.from(lineOf("bank")));
    expect(idsOf(await source.read())).toEqual(["bank", "blog", "shop"]);
  });

  test("of which one is refused: the others count, and it is not asked for again", async () => {
    const { location, moods } = await startBucket("shop", "blog");
    let asked = 0;
    moods.isRefused = (_, key) => key === `list/${fileOf("blog")}`;
    moods.hold = () => void (asked += 1);
    const source = await open(location);
    expect(source.warnings).toEqual([expect.stringContaining(fileOf("blog"))]);
    const before = asked;
    const registry = await source.read();
    expect([idsOf(registry), registry.isComplete]).toEqual([["shop"], false]);
    expect(await source.read()).toBe(registry);
    expect(asked).toBe(before);
  });

  test("that are all refused leave the run without monitors, and it says so", async () => {
    const { location, moods } = await startBucket("shop");
    moods.isRefused = () => true;
    const source = await open(location);
    expect(source.warnings).toEqual([
      expect.stringMatching(/^monitors s3:.+\. No monitor is checked in this run\.$/u),
    ]);
  });

  test("that the bucket refuses later stay as they were, and are not asked for again", async () => {
    const { location, moods } = await startBucket("shop");
    const source = await open(location);
    let asked = 0;
    moods.isRefused = () => true;
    moods.hold = () => void (asked += 1);
    const refused = await source.read();
    expect([idsOf(refused), refused.isComplete]).toEqual([["shop"], false]);
    expect(refused.problem).toMatch(/^monitors s3:.+\. The monitors stay as they were\.$/u);
    const before = asked;
    expect(await source.read()).toEqual(refused);
    expect([before > 0, asked]).toEqual([true, before]);
  });

  test("of a URL without a bucket are a problem", async () => {
    expect(await openRegistrySource("s3://", RULES)).toEqual({
      problem: expect.stringMatching(/^--monitors s3:\/\/: it names no object; /u),
    });
  });

  test("do not exist where nothing is, as with a mistyped prefix", async () => {
    const { location, objects } = await startBucket("shop");
    const source = await open(location);
    objects.clear();
    expect(await source.read()).toMatchObject({ monitors: [{ id: "shop" }], isComplete: false });
    const opened = await openRegistrySource(location, RULES);
    expect(opened).toMatchObject({
      problem: expect.stringContaining("the registry does not exist"),
    });
  });
});
