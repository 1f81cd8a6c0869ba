import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isFull } from "../depth.ts";
import { type CliResult, eventsNamed, servedAt, until } from "./cli.ts";
import { addressOf, type RunningIntake, startIntake } from "./running-intake.ts";
import type { Workspace } from "./workspace.ts";
import { takeStateAway } from "./take-state-away.ts";
import { useCliFixture } from "./cli-fixture.ts";
import { startLoopbackS3 } from "./loopback-s3.ts";

/* An intake and a preview whose state store is down or faulty. */

const { workspace } = useCliFixture(!isFull);
const CATALOGUE = ["--catalogue", "catalogue.json"];
const ALONE = [...CATALOGUE, "--set", "proxy=127.0.0.1"];
const WITH_JOURNAL = [...ALONE, "--set", "journal=journal"];

async function open(
  one: Workspace,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningIntake> {
  const intake = await startIntake(args, { cwd: one.folder, env });
  onTestFinished(intake.kill);
  return intake;
}

/** Starts an intake that is expected to fail. */
const startInVain = (
  one: Workspace,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> => one.program(["intake", "--port", "0", "--log", "debug", ...args], env);

const failureOf = ({ stderr }: CliResult): string =>
  String(eventsNamed(stderr, "failed")[0]?.["message"]);

/** A workspace where an intake with a journal has counted one report. */
async function workspaceWithPast(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Workspace> {
  const one = await workspace();
  expect(await one.run(args, env)).toMatchObject({ code: 0 });
  const intake = await open(one, [...WITH_JOURNAL, ...args], env);
  expect(await intake.post("alpha", { from: addressOf(1) })).toMatchObject({ status: 202 });
  await until("it is published", async () => (await one.detail("alpha")).reportsDay === 1);
  expect(await intake.stop()).toBe(0);
  return one;
}

test("with a used journal, an intake starts without its state store and counts later", async () => {
  const one = await workspaceWithPast();
  const giveBack = await takeStateAway(one);
  const first = await open(one, WITH_JOURNAL);
  for (const number of [2, 3]) {
    expect(await first.post("alpha", { from: addressOf(number) })).toMatchObject({ status: 202 });
  }
  expect(await first.health()).toMatchObject({ keeping: "journal", journalReports: 2 });
  await first.kill();
  // Once more; no restart is needed when the store is back.
  const second = await open(one, WITH_JOURNAL);
  // Network 1 was counted before the outage; only the same secret recognises it.
  for (const number of [1, 2, 4]) {
    expect(await second.post("alpha", { from: addressOf(number) })).toMatchObject({
      status: 202,
    });
  }
  expect((await one.detail("alpha")).reportsDay).toBe(1);
  await giveBack();
  // The replay waits up to ten seconds between attempts.
  const isCounted = async (): Promise<boolean> => (await one.detail("alpha")).reportsDay === 4;
  await until("all is counted", isCounted);
  await until("the journal is empty", async () => {
    return Object(await second.health()).journalReports === 0;
  });
  // The documents are published shortly before the intake has the counts.
  const all = JSON.stringify({ slug: "alpha", reportsHour: 5, reportsDay: 5 });
  const answersAll = async (): Promise<boolean> =>
    (await second.post("alpha", { from: addressOf(5) })).body === all;
  await until("its answers have the counts of before the outage", answersAll);
  await until("that is counted", async () => (await one.detail("alpha")).reportsDay === 5);
  expect(await second.stop()).toBe(0);
});

test.runIf(isFull)(
  "the copy of the secret is private, and restores a secret that the store has lost",
  async () => {
    const one = await workspaceWithPast();
    const copy = join(one.folder, "journal/secret.bin");
    const held = join(one.folder, ".state/intake-secret.bin");
    const secret = await readFile(held);
    expect(await readFile(copy)).toEqual(secret);
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    await rm(held);
    const intake = await open(one, WITH_JOURNAL);
    expect(await readFile(held)).toEqual(secret);
    // The secret of the store, if there is one, wins over the copy.
    await intake.stop();
    await writeFile(held, Buffer.alloc(32, 7));
    await open(one, WITH_JOURNAL);
    expect(await readFile(copy)).toEqual(Buffer.alloc(32, 7));
  },
);

test.runIf(isFull)("a first start, and one without a journal, needs the state store", async () => {
  const one = await workspaceWithPast();
  await takeStateAway(one);
  const alone = await startInVain(one, ALONE);
  expect(alone).toMatchObject({ code: 1, stdout: "" });
  expect(failureOf(alone)).toMatch(/file:\.state.* Without a journal .*cannot start/su);
  const first = await startInVain(one, [...ALONE, "--set", "journal=another"]);
  expect(first).toMatchObject({ code: 1, stdout: "" });
  expect(failureOf(first)).toMatch(/file:\.state.* first start with the journal another/su);
});

test.runIf(isFull)("an intake with a journal starts although its store never answers", async () => {
  const s3 = await startLoopbackS3();
  const state = ["--state", s3.url("state")];
  const one = await workspaceWithPast(state, s3.env);
  s3.moods.isHanging = true;
  const intake = await open(one, [...WITH_JOURNAL, ...state], s3.env);
  expect(await intake.post("alpha", { from: addressOf(2) })).toMatchObject({ status: 202 });
  s3.moods.isHanging = false;
  const isCounted = async (): Promise<boolean> => (await one.detail("alpha")).reportsDay === 2;
  await until("it is counted", isCounted);
});

test.runIf(isFull)(
  "a state store that ignores conditions is refused, even after an outage",
  async () => {
    const s3 = await startLoopbackS3();
    const state = ["--state", s3.url("state")];
    const one = await workspaceWithPast(state, s3.env);
    const before = new Map(s3.objects);
    s3.moods.ignoresConditions = true;
    const refused = await startInVain(one, [...WITH_JOURNAL, ...state], s3.env);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(failureOf(refused)).toContain("ignores the conditions of writes");
    await s3.setUp(false);
    const intake = await open(one, [...WITH_JOURNAL, ...state], s3.env);
    expect(await intake.post("alpha", { from: addressOf(2) })).toMatchObject({ status: 202 });
    await s3.setUp(true);
    await until("it has ended", () => intake.child.exitCode !== null);
    expect(intake.child.exitCode).toBe(1);
    expect(String(eventsNamed(intake.log(), "failed")[0]?.["message"])).toContain(
      "ignores the conditions of writes",
    );
    expect(s3.objects.get("state/state.json.gz")).toEqual(before.get("state/state.json.gz"));
  },
);

test.runIf(isFull)("`serve` accepts no report if the state store ignores conditions", async () => {
  const s3 = await startLoopbackS3();
  const state = ["--state", s3.url("state")];
  const one = await workspace();
  expect(await one.run(state, s3.env)).toMatchObject({ code: 0 });
  s3.moods.ignoresConditions = true;
  const before = new Map(s3.objects);
  const serve = one.start(
    ["serve", "--port", "0", ...CATALOGUE, ...state, "--log", "debug"],
    s3.env,
  );
  onTestFinished(() => void serve.child.kill("SIGKILL"));
  const url = await servedAt(serve);
  const report = () => fetch(`${url}/report/alpha`, { method: "POST" });
  for (let time = 1; time <= 2; time += 1) {
    const answer = await report();
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await answer.json()).toEqual({ error: "temporarily unavailable" });
  }
  expect((await fetch(`${url}/api/v1/status/alpha`)).status).toBe(200);
  expect(eventsNamed(serve.stderr(), "warning")).toEqual([
    expect.objectContaining({ message: expect.stringContaining("ignores the conditions") }),
  ]);
  expect(new Map(s3.objects)).toEqual(before);
  serve.child.kill("SIGTERM");
  expect(await serve.ended).toMatchObject({ code: 0 });
});

test("`serve` answers reports with 503 while the state store is down", async () => {
  const one = await workspace();
  expect(await one.run()).toMatchObject({ code: 0 });
  const giveBack = await takeStateAway(one);
  const serve = one.start(["serve", "--port", "0", ...CATALOGUE, "--log", "debug"]);
  onTestFinished(() => void serve.child.kill("SIGKILL"));
  const url = await servedAt(serve);
  const report = async (): Promise<number> =>
    (await fetch(`${url}/report/alpha`, { method: "POST" })).status;
  expect(await report()).toBe(503);
  await giveBack();
  expect(await report()).toBe(202);
  await until("it is published", async () => (await one.detail("alpha")).reportsDay === 1);
});
