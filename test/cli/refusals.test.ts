import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { eventsNamed, eventsOf, problemsOf } from "./cli.ts";
import { useCliFixture } from "./cli-fixture.ts";

const { workspace } = useCliFixture(true);

describe.concurrent("a state that cannot be read", () => {
  test.each([
    ["corrupt", Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), /corrupt or cut short/u],
    ["empty", Buffer.alloc(0), /is empty/u],
    ["foreign", gzipSync('{"hello":1}'), /not the state of status-snapshot/u],
    ["newer", gzipSync('{"format":"status-snapshot/state","version":99}'), /newer version/u],
    [
      "of a newer version by a key",
      gzipSync('{"format":"status-snapshot/state","version":1,"more":1}'),
      /newer version .*"more".*install that version/u,
    ],
  ])(
    "that is %s ends the run with exit 1, is unchanged, and nothing is probed",
    async (_, bytes, words) => {
      const one = await workspace();
      await mkdir(join(one.folder, ".state"));
      const file = join(one.folder, ".state/state.json.gz");
      await writeFile(file, bytes);
      const result = await one.run();
      expect(result).toMatchObject({ code: 1, stdout: "" });
      expect(String(eventsNamed(result.stderr, "failed")[0]?.["message"])).toMatch(words);
      expect(await readFile(file)).toEqual(bytes);
      expect(one.allConnections()).toBe(0);
      expect((await one.published()).size).toBe(0);
    },
  );
});

const HINT = /\nRun with --help for the commands and options\.\n$/u;

describe.concurrent("invalid input", () => {
  test("every problem of a catalogue is reported with its line, and nothing is probed", async () => {
    const one = await workspace();
    const file = join(one.folder, "catalogue.json");
    const text = await readFile(file, "utf8");
    await writeFile(
      file,
      text.replace('"slug": "beta"', '"slug": "Beta!"').replace('"domestic"', '"local"'),
    );
    const result = await one.run();
    expect(result).toMatchObject({ code: 2, stdout: "" });
    const problems = problemsOf(result.stderr);
    expect(problems.length).toBeGreaterThanOrEqual(2);
    for (const problem of problems) expect(problem).toMatch(/^catalogue\.json:\d+:\d+: /u);
    expect(one.allConnections()).toBe(0);
  });

  test("every bad option is reported at once", async () => {
    const one = await workspace();
    const bad = [
      ["concurrency", "0"],
      ["confirm", "20,10"],
      ["deadline", "-1"],
      ["--dns", "resolver.example"],
      ["--at", "2026-02-30T00:00:00Z"],
      ["--connect-to", "nonsense"],
      ["--connect-to", "@nowhere.txt"],
      ["--extra-ca", "catalogue.json"],
      ["--allow-private", "10.0.0.0/99"],
      ["--only", "delta"],
      ["--log", "xml"],
      ["--store", "public"],
      ["--state", "s3://No_Bucket"],
    ];
    const given = bad.flatMap(([name = "", value = ""]) =>
      name.startsWith("--") ? [name, value] : ["--set", `${name}=${value}`],
    );
    const result = await one.run(given);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    const problems = problemsOf(result.stderr);
    const missed = bad.filter(
      ([option]) => !problems.some((problem) => new RegExp(`^${option}\\b`, "u").test(problem)),
    );
    expect(missed).toEqual([]);
    expect(problems).toHaveLength(bad.length);
    expect(one.allConnections()).toBe(0);
  });

  test("the environment can set each option, and a wrong variable is named", async () => {
    const one = await workspace();
    const bad = {
      CONCURRENCY: "none",
      CONFIRM: "soon",
      DEADLINE: "later",
      DNS: "resolver.example",
      EXTRA_CA: "nowhere.pem",
      ALLOW_PRIVATE: "everything",
      LOG: "xml",
      STORE: "public",
      STATE: "state",
      CONNECT_TO: "nonsense",
    };
    const variables = Object.entries(bad).map(
      ([name, value]) => [`STATUS_SNAPSHOT_${name}`, value] as const,
    );
    const result = await one.cli(["run"], {
      STATUS_SNAPSHOT_CATALOGUE: "catalogue.json",
      ...Object.fromEntries(variables),
    });
    expect(result).toMatchObject({ code: 2, stdout: "" });
    const problems = problemsOf(result.stderr);
    const missed = variables.filter(([name, value]) => {
      const named = problems.filter((problem) => new RegExp(`\\b${name}\\b`, "u").test(problem));
      return named.length !== 1 || named[0]?.includes(value) !== true;
    });
    expect(missed).toEqual([]);
    expect(problems).toHaveLength(variables.length);
    expect(one.allConnections()).toBe(0);
  });

  test("the catalogue is also read from the environment", async () => {
    const one = await workspace();
    const result = await one.cli(["run"], { STATUS_SNAPSHOT_CATALOGUE: "nowhere.yaml" });
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(problemsOf(result.stderr)).toEqual([expect.stringContaining("nowhere.yaml")]);
  });

  test("the command line wins over the environment, and an empty variable is not set", async () => {
    const one = await workspace();
    const result = await one.run(["--set", "concurrency=8", "--only", "alpha, beta"], {
      STATUS_SNAPSHOT_CONCURRENCY: "none",
      STATUS_SNAPSHOT_DNS: "",
    });
    expect(result).toMatchObject({ code: 0 });
    expect(eventsNamed(result.stderr, "run-started")).toMatchObject([{ services: 2 }]);
  });

  test("a state inside the public folder is refused, even behind a symbolic link", async () => {
    const one = await workspace();
    await mkdir(join(one.folder, "public"));
    await symlink("public", join(one.folder, "link"));
    for (const state of ["file:public", "file:public/state", "file:link/state"]) {
      const result = await one.run(["--state", state]);
      expect(result).toMatchObject({ code: 2 });
      expect(problemsOf(result.stderr)[0]).toContain("overlap");
    }
    expect(one.allConnections()).toBe(0);
  });

  test.each([
    [["rum"], HINT],
    [["run", "--foo"], HINT],
    [["run", "extra"], HINT],
    [[], /--help/u],
  ])("an invalid command line (%j) is exit 2 and points to the help", async (args, words) => {
    const one = await workspace();
    const result = await one.cli(args);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toMatch(words);
  });

  test("a device in place of the catalogue is refused", async () => {
    const one = await workspace();
    const result = await one.run(["--catalogue", "/dev/zero"]);
    expect(result).toMatchObject({ code: 2 });
  });
});

describe.concurrent("a store that cannot be written", () => {
  test("is exit 1 with a message, and published documents are unchanged", async () => {
    const one = await workspace();
    await one.run();
    const before = await one.documents();
    // A file in place of a folder, because root ignores permissions.
    await writeFile(join(one.folder, "wall"), "");
    const result = await one.run(["--store", "file:wall/public"]);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(String(eventsNamed(result.stderr, "failed")[0]?.["message"])).toContain("--store");
    await chmod(join(one.folder, "wall"), 0o644);
    expect(await one.documents()).toEqual(before);
  });
});

describe.concurrent("output", () => {
  test("--help names the exit codes and the environment", async () => {
    const one = await workspace();
    const { code, stdout } = await one.program(["--help"]);
    expect(code).toBe(0);
    for (const words of [
      "Exit codes:",
      "STATUS_SNAPSHOT_KEEP_ARCHIVE=90",
      "status-snapshot run",
      "3  the runner",
    ]) {
      expect(stdout).toContain(words);
    }
  });

  test("--log json is one object per line, and standard output has only the result", async () => {
    const one = await workspace();
    const result = await one.program(["run", ...one.options, "--log", "json"]);
    const names = eventsOf(result.stderr).map(({ event }) => event);
    expect(names.slice(0, 2)).toEqual(["program-started", "run-started"]);
    expect(names.slice(-2)).toEqual(["published", "run-finished"]);
    // On a busy machine the result begins with the advice to give it more processors.
    const told = result.stdout.replace(/^This machine was itself slow .*\n\n/u, "");
    expect(told.trimEnd().split("\n")).toHaveLength(1);
  });

  test("--log silent prints only errors", async () => {
    const one = await workspace();
    const run = (...args: readonly string[]) => one.program(["run", ...one.options, ...args]);
    expect(await run("--log", "silent")).toMatchObject({ code: 0, stderr: "" });
    const bad = await run("--log", "silent", "--only", "delta");
    expect(bad.stderr).toMatch(/^--only delta: .*\n$/u);
  });

  test("a closed pipe leaves no stack trace", async () => {
    const one = await workspace();
    for (const stream of ["stdout", "stderr"] as const) {
      const running = one.start(["run", ...one.options]);
      running.child[stream]?.destroy();
      const result = await running.ended;
      expect(result).toMatchObject({ code: 0 });
      expect(result.stderr).not.toMatch(/EPIPE|at .*:\d+:\d+/u);
    }
  });
});
