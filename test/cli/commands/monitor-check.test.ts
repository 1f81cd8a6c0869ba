import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startLoopbackS3 } from "../loopback-s3.ts";
import { runHere } from "../run-here.ts";
import { makeScratchFolder } from "../../store/scratch.ts";

async function check(name: string, text: string): Promise<string> {
  const folder = makeScratchFolder();
  await writeFile(join(folder, name), text);
  const { code, stdout, stderr } = await runHere(["monitor", "check", name], folder);
  expect([code, stdout === ""]).toEqual(stderr === "" ? [0, false] : [2, true]);
  return (stderr + stdout).trimEnd();
}

test("a valid registry is summarised", async () => {
  const text =
    '{"id":"a","url":"https://a.example/","public":true}\n{"id":"b","url":"https://b.example/"}\n';
  expect(await check("list.jsonl", text)).toBe("list.jsonl is valid: 2 monitors, 1 public");
  expect(await check("monitors.yaml", "monitors:\n")).toBe(
    "monitors.yaml is valid: 0 monitors, 0 public",
  );
});

test("every problem of a registry has its position, including refused addresses", async () => {
  const text = `monitors:
  - { id: a, url: "https://a.example:8443/" }
  - { id: a b, url: "https://b.example/", nam: x }
`;
  expect(await check("monitors.yaml", text)).toBe(
    `monitors.yaml:2:19: monitors[0].url: port 8443 is not allowed; use 80, 443.
monitors.yaml:3:11: monitors[1].id: not an id; use 1 to 64 of the letters A-Z and a-z, digits, _ and -.
monitors.yaml:3:43: monitors[1].nam: unknown key; did you mean "name"? Remove it or rename it.`,
  );
  expect(await check("list.jsonl", '{"id":"a"}\n\n{"id":"b"')).toBe(
    `list.jsonl:1:1: url: missing; add this key.
list.jsonl:3:10: not valid JSON here; put a comma or close the object.`,
  );
});

test("an id that is no longer allowed is a warning, and stays", async () => {
  const text = `monitors:
  - { id: shop, url: "https://a.example/" }
  - { id: -shop, url: "https://b.example/" }
  - { url: "https://c.example/", id: Aux }
`;
  expect(await check("monitors.yaml", text)).toBe(
    `monitors.yaml is valid: 3 monitors, 0 public
Warning: monitors.yaml:3:11: monitors[1].id: begins with a hyphen, which commands take for an option; it is kept, but no new monitor can have it.
Warning: monitors.yaml:4:38: monitors[2].id: is the name of a device on Windows, where no folder can have it; it is kept, but no new monitor can have it.`,
  );
});

test("a missing file is a problem", async () => {
  const { code, stderr } = await runHere(["monitor", "check", "nowhere.yaml"], makeScratchFolder());
  expect(code).toBe(2);
  expect(stderr).toContain("monitors nowhere.yaml: the file does not exist.");
});

test("an invalid address of a registry is a problem, of either side", async () => {
  const folder = makeScratchFolder();
  await writeFile(join(folder, "list.jsonl"), "");
  const problem = "--monitors s3://bucket: it names no object; write s3://BUCKET/monitors.jsonl.";
  for (const args of [
    ["check", "s3://bucket"],
    ["convert", "list.jsonl", "s3://bucket"],
  ]) {
    const { code, stderr } = await runHere(["monitor", ...args], folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  }
});

test("a registry that cannot be reached is told as invalid", async () => {
  const s3 = await startLoopbackS3();
  s3.moods.isRefused = () => true;
  const args = ["monitor", "check", s3.url("list.jsonl")];
  const checked = await runHere(args, makeScratchFolder(), s3.env);
  expect(checked).toMatchObject({ code: 2, stdout: "" });
  expect(checked.stderr).toMatch(/^monitors s3:\/\/bucket\/.*AccessDenied/u);
});

test.each([
  [[], 64],
  [["--count", "64"], 64],
  [["--count", "4096"], 4_096],
])("a folder of shards has as many files as %j says: at most %i", async (more, most) => {
  const folder = makeScratchFolder();
  await writeFile(join(folder, "list.jsonl"), '{"id":"a","url":"https://a.example/"}\n');
  const args = ["monitor", "convert", "list.jsonl", "shards/", ...more];
  expect(await runHere(args, folder)).toMatchObject({ code: 0 });
  const names = await readdir(join(folder, "shards"));
  // The names of 4,096 files have a digit more.
  expect([...new Set(names.map((name) => name.length))]).toEqual([most === 64 ? 8 : 9]);
});
