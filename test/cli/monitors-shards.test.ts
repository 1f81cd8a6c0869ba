import { execFile } from "node:child_process";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  addToRegistry,
  generateMonitorId,
  removeFromRegistry,
  setPublicInRegistry,
} from "../../src/setup/registry/edit-registry.ts";
import { slotOf } from "../../src/setup/registry/cell.ts";
import { readRegistry } from "../../src/setup/registry/read-registry.ts";
import { isFull } from "../depth.ts";
import { makeScratchFolder } from "../store/scratch.ts";
import { bundleScript } from "../run-script.ts";
import { type CliResult, eventsNamed } from "./cli.ts";
import { useCliFixture } from "./cli-fixture.ts";
import { startLoopbackS3 } from "./loopback-s3.ts";
import {
  fileOf,
  idsOfOneShard,
  lineOf,
  locate,
  makeShards,
  readAll,
  RULES,
  textsIn,
  wrongFileOf,
} from "./shard-folder.ts";
import type { Workspace } from "./workspace.ts";

const { workspace } = useCliFixture(true);

const tools = async (place: string, newId = generateMonitorId) => ({
  location: await locate(place),
  rules: RULES,
  newId,
});

const URL_OF = (id: string): string => `https://${id}.example/`;

/** Adds monitors one after the other, with ids as if they were generated. */
async function addAll(place: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const added = await addToRegistry(URL_OF(id), {}, await tools(place, () => id));
    expect(added).toMatchObject({ kind: "done", monitor: { id } });
  }
}

/** A bucket with requests that are counted. */
async function startBucket() {
  const s3 = await startLoopbackS3();
  for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const requests: string[] = [];
  s3.moods.hold = (method, key) => void requests.push(`${method} ${key.replace(/^list\//u, "")}`);
  return { ...s3, requests, place: s3.url("list/") };
}

describe.skipIf(isFull)("an edit of shards in a folder", () => {
  test("makes the folder and the shard, for the owner alone", async () => {
    const folder = `${makeScratchFolder()}/new/`;
    const added = await addToRegistry(URL_OF("a"), {}, await tools(folder));
    if (added.kind !== "done") throw new Error(added.message);
    const [name = "", ...others] = await readdir(folder);
    expect([name, others]).toEqual([fileOf(added.monitor.id), []]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  test("that is refused makes no folder", async () => {
    const folder = `${makeScratchFolder()}/new/`;
    const added = await addToRegistry("gopher://a/", {}, await tools(folder));
    expect(added).toMatchObject({ kind: "refused" });
    for (const edited of [
      await removeFromRegistry("shop", await tools(folder)),
      await setPublicInRegistry("shop", true, await tools(folder)),
    ])
      expect(edited).toMatchObject({
        kind: "refused",
        message: `monitors ${folder}: the registry does not exist yet; add a monitor first.`,
      });
    await expect(stat(folder)).rejects.toThrow("ENOENT");
  });

  test("rewrites one shard, and every other byte of it stays", async () => {
    const folder = await makeShards("shop", "blog", "bank");
    const before = await textsIn(folder);
    await setPublicInRegistry("blog", true, await tools(folder));
    const line = lineOf("blog").replace("}", ',"public":true}');
    expect(await textsIn(folder)).toEqual({ ...before, [fileOf("blog")]: line });
    await setPublicInRegistry("blog", false, await tools(folder));
    await removeFromRegistry("blog", await tools(folder));
    expect(await textsIn(folder)).toEqual({ ...before, [fileOf("blog")]: "" });
  });

  test("is possible while another shard is broken", async () => {
    const folder = await makeShards("shop", "blog");
    await writeFile(join(folder, fileOf("blog")), "{ broken");
    const edited = await setPublicInRegistry("shop", true, await tools(folder));
    expect(edited).toMatchObject({ kind: "done", monitor: { isPublic: true } });
    expect(await removeFromRegistry("blog", await tools(folder))).toMatchObject({
      kind: "refused",
      message: expect.stringContaining("has to be fixed first"),
    });
  });

  test("of an unknown id names similar ids of all shards", async () => {
    const folder = await makeShards("shop", "blog");
    expect(fileOf("shp")).not.toBe(fileOf("shop"));
    expect(await removeFromRegistry("shp", await tools(folder))).toEqual({
      kind: "refused",
      message: 'no monitor has the id "shp". Did you mean shop?',
    });
  });

  test("of an entry in the wrong shard says that it is there", async () => {
    const folder = await makeShards("shop");
    await writeFile(join(folder, wrongFileOf("blog")), lineOf("blog"));
    expect(await removeFromRegistry("blog", await tools(folder))).toMatchObject({
      kind: "refused",
      message: 'the entry "blog" is in a shard where it does not belong; monitor check says where.',
    });
  });

  test.each(["blog", "BLOG", "bLoG"])("refuses %s, which a shard has already", async (id) => {
    const folder = await makeShards("shop", "blog");
    const before = await textsIn(folder);
    expect(await addToRegistry(URL_OF("a"), { id }, await tools(folder))).toEqual({
      kind: "refused",
      code: "taken",
      message: 'there is a monitor with the id "blog" already; use another id.',
    });
    expect(await textsIn(folder)).toEqual(before);
  });

  test("refuses an id that another shard has in escapes or in a wrong place", async () => {
    const folder = await makeShards("shop");
    await writeFile(
      join(folder, fileOf("blog")),
      lineOf("blog").replace('"blog"', String.raw`"b\u006cog"`),
    );
    await writeFile(join(folder, wrongFileOf("bank")), lineOf("bank"));
    for (const id of ["BLOG", "BANK"])
      expect(await addToRegistry(URL_OF("a"), { id }, await tools(folder))).toMatchObject({
        message: expect.stringContaining(`"${id.toLowerCase()}" already`),
      });
  });

  test("with an id of its own needs every shard, a generated id only one", async () => {
    const folder = await makeShards("shop");
    await mkdir(join(folder, fileOf("blog")));
    const given = await addToRegistry(URL_OF("a"), { id: "new" }, await tools(folder));
    expect(given).toMatchObject({ kind: "unreachable" });
    const newId = () => "fresh";
    expect(fileOf("fresh")).not.toBe(fileOf("blog"));
    const generated = await addToRegistry(URL_OF("a"), {}, await tools(folder, newId));
    expect(generated).toMatchObject({ kind: "done" });
  });

  test("by four processes at once loses none", async () => {
    const folder = await makeShards();
    const script = await bundleScript(
      new URL("../setup/registry/add-monitors-script.ts", import.meta.url),
    );
    const add = (prefix: string) =>
      promisify(execFile)(process.execPath, [script, folder, prefix, "15"]);
    await Promise.all(["a", "b", "c", "d"].map(add));
    const { monitors, problems, faults } = await readAll(folder);
    expect([problems, faults]).toEqual([[], []]);
    expect(monitors.length).toBe(60);
  });

  test("of one shard by four editors at once loses none", async () => {
    const folder = await makeShards();
    const ids = idsOfOneShard(20);
    const shares = [0, 1, 2, 3].map((share) => ids.filter((_, at) => at % 4 === share));
    await Promise.all(shares.map((share) => addAll(folder, share)));
    expect(await readdir(folder)).toEqual([fileOf("m0")]);
    const { monitors } = await readAll(folder);
    expect(monitors.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });
});

describe.skipIf(isFull)("an edit of shards for cells", () => {
  // printf a | sha256sum | cut -c1-3, and of b.
  const files = { a: "ca9.jsonl", b: "3e2.jsonl" };

  test("goes to the file of its slot, in a folder and in a bucket", async () => {
    const folder = join(makeScratchFolder(), "cells");
    await mkdir(folder);
    await writeFile(join(folder, files.a), lineOf("a"));
    const bucket = await startBucket();
    bucket.objects.set(`list/${files.a}`, Buffer.from(lineOf("a")));
    for (const place of [folder, bucket.place]) {
      await addAll(place, ["b"]);
      expect(await setPublicInRegistry("a", true, await tools(place))).toMatchObject({
        kind: "done",
      });
    }
    expect(await removeFromRegistry("c", await tools(folder))).toMatchObject({ kind: "refused" });
    const { monitors, problems, faults } = await readAll(folder);
    expect(monitors.map(({ id, isPublic }) => [id, isPublic])).toEqual([
      ["b", false],
      ["a", true],
    ]);
    expect([problems, faults]).toEqual([[], []]);
    const objects = [...bucket.objects].map(([key, bytes]) => [key.slice(5), String(bytes)]);
    expect(Object.fromEntries(objects)).toEqual(await textsIn(folder));
    // A whole bucket is 4,096 requests.
    bucket.requests.length = 0;
    const own = { cell: { number: slotOf("a") % 256, of: 256 }, known: new Map() };
    const read = await readRegistry(await locate(bucket.place), own);
    expect(read).toMatchObject({ parts: [{ shard: { fileName: files.a } }], foreign: [] });
    expect(bucket.requests.filter((one) => one.startsWith("GET"))).toHaveLength(16);
    expect(Object.keys(await textsIn(folder))).toEqual([files.b, files.a]);
  });

  test("is refused if another file has the id in another case", async () => {
    const folder = join(makeScratchFolder(), "cells");
    await mkdir(folder);
    await writeFile(join(folder, files.a), lineOf("a"));
    expect(await addToRegistry(URL_OF("x"), { id: "A" }, await tools(folder))).toMatchObject({
      kind: "refused",
      message: expect.stringContaining('with the id "a" already'),
    });
  });
});

describe.skipIf(isFull)("an edit of shards in a bucket", () => {
  test("lists the shards, then reads and writes one object", async () => {
    const { place, requests, objects } = await startBucket();
    await addAll(place, ["m0"]);
    expect(requests).toEqual(["LIST ", `GET ${fileOf("m0")}`, `PUT ${fileOf("m0")}`]);
    requests.length = 0;
    await setPublicInRegistry("m0", true, await tools(place));
    const list = requests.filter((request) => !request.startsWith("LIST"));
    expect(list).toEqual([`GET ${fileOf("m0")}`, `PUT ${fileOf("m0")}`]);
    expect([...objects.keys()]).toEqual([`list/${fileOf("m0")}`]);
  });

  test("of one shard by four editors at once loses none", async () => {
    const { place, objects } = await startBucket();
    const ids = idsOfOneShard(20);
    const shares = [0, 1, 2, 3].map((share) => ids.filter((_, at) => at % 4 === share));
    await Promise.all(shares.map((share) => addAll(place, share)));
    expect(objects.size).toBe(1);
    const { monitors } = await readAll(place);
    expect(monitors.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test("of a prefix without objects is refused, unless it adds", async () => {
    const { place } = await startBucket();
    expect(await removeFromRegistry("shop", await tools(place))).toMatchObject({
      message: expect.stringMatching(/: the registry does not exist yet; add a monitor first\.$/u),
    });
  });
});

/** The whole life of two monitors by the command line, in any registry. */
async function live(one: Workspace, place: string, keys = {}): Promise<void> {
  const registry = ["--monitors", place];
  const said: string[] = [];
  const edit = async (...args: readonly string[]): Promise<CliResult> => {
    const flags = ["--catalogue", "catalogue.json", ...registry];
    const done = await one.cli(["monitor", ...args, ...flags], keys);
    said.push(done.stdout.replaceAll(/s\d+\.example/gu, "example"));
    return done;
  };
  const badges = async (): Promise<number> =>
    [...(await one.documents()).keys()].filter((path) => path.startsWith("api/m/shop/")).length;
  for (const id of ["shop", "blog"]) {
    await one.set(id, { kind: "page" });
    expect(await edit("add", `https://${one.host(id)}/`, "--id", id)).toMatchObject({ code: 0 });
  }
  expect(await edit("add", "https://x.example.ru/", "--id", "SHOP")).toMatchObject({ code: 2 });
  expect(await badges()).toBe(0);
  expect(await edit("publish", "shop")).toMatchObject({ code: 0 });
  expect(await badges()).toBeGreaterThan(0);
  const check = await one.cli(["monitor", "check", ...registry], keys);
  expect(check.stdout).toContain("is valid: 2 monitors, 1 public");
  const ran = await one.run([...registry, "--at", "2026-11-21T12:00:00Z"], keys);
  expect(ran.stdout).toContain("| 2 monitors: 2 healthy, 0 failing |");
  const list = await one.cli(["monitor", "list", "--json", ...registry], keys);
  const rows = JSON.parse(list.stdout) as readonly { readonly id: string }[];
  expect(rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
    { id: "blog", isPublic: false, state: "healthy" },
    { id: "shop", isPublic: true, state: "healthy" },
  ]);
  expect(await edit("unpublish", "shop")).toMatchObject({ code: 0 });
  expect(await badges()).toBe(0);
  expect(await edit("remove", "shop")).toMatchObject({ code: 0 });
  const left = await one.cli(["monitor", "check", ...registry], keys);
  expect(left.stdout).toContain("is valid: 1 monitor, 0 public");
  expect(said.join("")).toMatchSnapshot();
}

describe.skipIf(isFull)("the commands and a run", () => {
  test("take shards in a folder", async () => {
    const one = await workspace();
    await live(one, "shards/");
    const names = [fileOf("blog"), fileOf("shop")].toSorted();
    expect(await readdir(join(one.folder, "shards"))).toEqual(names);
  });

  test("take shards in a bucket", async () => {
    const one = await workspace();
    const s3 = await startLoopbackS3();
    await live(one, s3.url("list/"), s3.env);
    const keys = [`list/${fileOf("blog")}`, `list/${fileOf("shop")}`].toSorted();
    expect([...s3.objects.keys()].toSorted()).toEqual(keys);
  });

  test("name every problem of a folder, and the run checks the other monitors", async () => {
    const one = await workspace();
    await one.set("shop", { kind: "page" });
    const shards = join(one.folder, "shards");
    await mkdir(shards);
    const line = lineOf("shop").replace("shop.example", one.host("shop"));
    await writeFile(join(shards, fileOf("shop")), line);
    await writeFile(join(shards, fileOf("blog")), "{ broken");
    await writeFile(join(shards, wrongFileOf("bank")), lineOf("bank"));
    await writeFile(join(shards, "40.jsonl"), "");
    const check = await one.cli(["monitor", "check", "shards"]);
    expect(check).toMatchObject({ code: 2, stdout: "" });
    for (const place of [
      `shards/${fileOf("blog")}:1:3: `,
      `shards/${wrongFileOf("bank")}:1:7: id: belongs into ${fileOf("bank")}`,
      "shards/40.jsonl: not a shard",
    ])
      expect(check.stderr).toContain(place);
    const ran = await one.run(["--monitors", "shards"]);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain("| 1 monitor: 1 healthy, 0 failing |");
    expect(eventsNamed(ran.stderr, "warning")).toHaveLength(3);
  });

  test("end with 2 for a folder that does not exist", async () => {
    const one = await workspace();
    const ran = await one.run(["--monitors", "missing/"]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("the registry does not exist; monitor add creates one");
    expect(one.allConnections()).toBe(0);
  });

  test("refuse shards inside the public store", async () => {
    const one = await workspace();
    const bucket = "s3://bucket/public";
    for (const [store, monitors] of [
      ["file:public", "public/shards/"],
      ["file:public", "public/"],
      [`${bucket}?endpoint=http://127.0.0.1:1`, `${bucket}/?endpoint=http://127.0.0.1:1`],
    ] as const) {
      const ran = await one.run(["--store", store, "--monitors", monitors]);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain("is in the public store");
    }
  });
});
