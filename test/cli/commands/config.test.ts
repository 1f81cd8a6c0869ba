import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeScratchFolder } from "../../store/scratch.ts";
import { problemsOf } from "../cli.ts";
import { runHere } from "../run-here.ts";

/** What `config` says in a folder with this settings file. */
async function configOf(
  file: string,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
) {
  const folder = makeScratchFolder();
  writeFileSync(join(folder, "site.yaml"), file);
  return runHere(["config", "--json", ...args], folder, env);
}

/** Settings by name: the value, and where it comes from. */
function byName(stdout: string): Readonly<Record<string, readonly [string, string]>> {
  const shown = JSON.parse(stdout) as { name: string; value: string; from: string }[];
  return Object.fromEntries(shown.map(({ name, value, from }) => [name, [value, from]]));
}

test("each setting has its value and its source, also if several have the same flag", async () => {
  const file = "keepArchive: 90\nabout: { operator: Ирина }\nallowPort: [8080, 8081]\n";
  const env = {
    STATUS_SNAPSHOT_EVERY: "600",
    STATUS_SNAPSHOT_NOTIFY_EVERY: "30",
    STATUS_SNAPSHOT_HEARTBEAT_URL: "https://beat.example/secret",
  };
  const { code, stdout } = await configOf(file, env, ["--set", "line=home"]);
  expect(code).toBe(0);
  expect(byName(stdout)).toMatchObject({
    keepArchive: ["90", "site.yaml:1:1"],
    about: ['{"operator":"Ирина"}', "site.yaml:2:1"],
    allowPort: ["8080, 8081", "site.yaml:3:1"],
    every: ["600", "STATUS_SNAPSHOT_EVERY"],
    notifyEvery: ["30", "STATUS_SNAPSHOT_NOTIFY_EVERY"],
    vantageEvery: ["15", "default"],
    heartbeatUrl: ["set", "STATUS_SNAPSHOT_HEARTBEAT_URL"],
    line: ["home", "--set"],
    catalogue: ["the one shipped", "default"],
  });
  expect(stdout).not.toContain("secret");
});

test("a wrong value is refused with its place, and every other one with it", async () => {
  const { code, stderr, stdout } = await configOf("keepArchive: 30\nline: boat\n");
  expect([code, stdout]).toEqual([2, ""]);
  expect(problemsOf(stderr).toSorted()).toEqual([
    "keepArchive 30: give forever, or a number of days from 40. (It comes from site.yaml:1:1.)",
    "line boat: give one of hosting, home, office, mobile. (It comes from site.yaml:2:1.)",
  ]);
});

test("people get a table, with the same values", async () => {
  const folder = makeScratchFolder();
  writeFileSync(join(folder, "site.yaml"), "keepArchive: 90\n");
  const { stdout } = await runHere(["config"], folder);
  const rows = stdout.split("\n").map((line) => line.split(/ {2,}/u));
  expect(rows[0]).toEqual(["setting", "value", "from"]);
  expect(rows).toContainEqual(["keepArchive", "90", "site.yaml:1:1"]);
});
