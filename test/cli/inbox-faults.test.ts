import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { isFull } from "../depth.ts";
import { eventsNamed, until } from "./cli.ts";
import { addressOf, startIntake } from "./running-intake.ts";
import { useCliFixture } from "./cli-fixture.ts";
import { startLoopbackS3 } from "./loopback-s3.ts";

/* Services and reports if the inbox cannot be listed or cleared. */

const { workspace } = useCliFixture(!isFull);
const CATALOGUE = ["--catalogue", "catalogue.json"];

test("a run publishes services without the inbox, and a later one counts the reports", async () => {
  const s3 = await startLoopbackS3();
  const state = ["--state", s3.url("state")];
  const one = await workspace();
  const add = await one.cli(["report", "add", "alpha", ...CATALOGUE, ...state], s3.env);
  expect(add).toMatchObject({ code: 0 });
  expect(await one.detail("alpha")).toMatchObject({ reportsDay: 1, code: "none" });
  s3.moods.isRefused = (method) => method === "LIST";
  const refused = await one.run([...state, "--log", "debug"], s3.env);
  expect(refused).toMatchObject({ code: 0 });
  expect(await one.codes()).toEqual({ alpha: "ok", beta: "ok", gamma: "ok" });
  expect(eventsNamed(refused.stderr, "reports-deferred")).toEqual([
    expect.objectContaining({
      level: "warn",
      message: expect.stringContaining("cannot list inbox (AccessDenied"),
    }),
  ]);
  // A command that counts reports must fail if it cannot.
  const more = await one.cli(["report", "add", "alpha", ...CATALOGUE, ...state], s3.env);
  expect(more).toMatchObject({ code: 1, stdout: "" });
  expect((await one.detail("alpha")).reportsDay).toBe(1);
  s3.moods.isRefused = (method, key) => method === "DELETE" && key.includes("inbox/");
  const stuck = await one.run([...state, "--log", "debug"], s3.env);
  expect(stuck).toMatchObject({ code: 0 });
  expect(eventsNamed(stuck.stderr, "inbox-not-cleared")).toHaveLength(1);
  expect((await one.detail("alpha")).reportsDay).toBe(2);
  s3.moods.isRefused = () => false;
  expect(await one.run(state, s3.env)).toMatchObject({ code: 0 });
  expect((await one.detail("alpha")).reportsDay).toBe(2);
  expect([...s3.objects.keys()].filter((key) => key.includes("inbox/"))).toEqual([]);
});

test.runIf(isFull)(
  "an uncleared inbox is logged once a minute, and does not make `watch` publish",
  async () => {
    const s3 = await startLoopbackS3();
    const state = ["--state", s3.url("state")];
    const one = await workspace();
    s3.moods.isRefused = (method, key) => method === "DELETE" && key.includes("inbox/");
    const add = await one.cli(["report", "add", "alpha", ...CATALOGUE, ...state], s3.env);
    expect(add).toMatchObject({ code: 0 });
    const intake = await startIntake([...CATALOGUE, "--set", "proxy=127.0.0.1", ...state], {
      cwd: one.folder,
      env: s3.env,
    });
    onTestFinished(intake.kill);
    for (let number = 1; number <= 5; number += 1) {
      await intake.post("alpha", { from: addressOf(number) });
      await until("it is published", async () => (await one.detail("alpha")).reportsDay > number);
    }
    expect(eventsNamed(intake.log(), "inbox-not-cleared")).toHaveLength(1);
    await intake.stop();
    const every = ["--every", "3600", "--log", "debug"];
    const watch = one.start(["watch", ...one.options, ...every, ...state], s3.env);
    onTestFinished(() => void watch.child.kill("SIGKILL"));
    const published = (): number => eventsNamed(watch.stderr(), "published").length;
    await until("it looked at the inbox", () => published() === 2);
    await delay(6_000);
    expect(published()).toBe(2);
  },
);
