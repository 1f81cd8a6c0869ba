import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { isFull } from "../depth.ts";
import { eventsNamed, type RunningCli, servedAt, until } from "./cli.ts";
import { addressOf, startIntake } from "./running-intake.ts";
import { named, type Workspace } from "./workspace.ts";
import { useCliFixture } from "./cli-fixture.ts";

/* Long-running processes read edits of the files that they were started with. */

const { workspace } = useCliFixture(!isFull);
const CATALOGUE = ["--catalogue", "catalogue.json"];

const killAtEnd = ({ child, ended }: RunningCli): void =>
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });

const slugsOf = async (one: Workspace): Promise<readonly string[]> =>
  (await one.list()).services.map(({ slug }) => slug);

const breakCatalogue = (one: Workspace): Promise<void> =>
  writeFile(join(one.folder, "catalogue.json"), '{\n "categories": [],\n');

/** Sends each report from another network. */
function createPoster(post: (slug: string, from: string) => Promise<number>) {
  let number = 0;
  return (slug: string): Promise<number> => post(slug, addressOf((number += 1)));
}

test.skipIf(isFull)(
  "an intake applies edits of the catalogue, and survives a broken one",
  async () => {
    const one = await workspace();
    expect(await one.run()).toMatchObject({ code: 0 });
    const intake = await startIntake([...CATALOGUE, "--set", "proxy=127.0.0.1"], {
      cwd: one.folder,
    });
    onTestFinished(intake.kill);
    const post = createPoster(async (slug, from) => (await intake.post(slug, { from })).status);
    expect(await post("delta")).toBe(404);
    await one.writeCatalogue(named("alpha", "gamma", "delta"));
    await until("delta is known", async () => (await post("delta")) === 202);
    await until("it is published", async () => (await slugsOf(one)).includes("delta"));
    expect(await slugsOf(one)).toEqual(["alpha", "gamma", "delta"]);
    // Its detail can be there a moment before its first report is counted.
    await until("its report counts", async () => (await one.detail("delta")).reportsHour === 1);
    expect(await one.detail("delta")).toMatchObject({ code: "none", reportsHour: 1 });
    expect(await post("beta")).toBe(404);
    await until("its document is gone", async () => {
      return !(await one.documents()).has("api/v1/status/beta.json");
    });

    await breakCatalogue(one);
    await until("it says so", () => intake.log().includes("catalogue-reload-rejected"));
    expect(await post("delta")).toBe(202);
    await until("it publishes", async () => (await one.detail("delta")).reportsHour === 2);
    // Read every second, and logged once.
    await delay(2_500);
    expect(await post("delta")).toBe(202);
    const told = eventsNamed(intake.log(), "catalogue-reload-rejected");
    expect(told).toEqual([expect.objectContaining({ level: "warn" })]);
    expect(told[0]?.["message"]).toMatch(/^catalogue\.json:\d+:\d+: \S/u);
    expect(await slugsOf(one)).toEqual(["alpha", "gamma", "delta"]);

    await one.writeCatalogue(named("alpha", "beta", "delta"));
    await until("beta is back", async () => (await post("beta")) === 202);
    expect(await post("gamma")).toBe(404);
    await until(
      "that is published",
      async () => (await slugsOf(one)).join() === "alpha,beta,delta",
    );
    expect(eventsNamed(intake.log(), "catalogue-changed")).toEqual([
      expect.objectContaining({ level: "info", services: 3 }),
      expect.objectContaining({ level: "info", services: 3 }),
    ]);
    expect(await intake.stop()).toBe(0);
  },
);

test.runIf(isFull)("an intake never overwrites a publish from a newer catalogue", async () => {
  const one = await workspace();
  expect(await one.run()).toMatchObject({ code: 0 });
  const intake = await startIntake([...CATALOGUE, "--set", "proxy=127.0.0.1"], { cwd: one.folder });
  onTestFinished(intake.kill);
  const post = createPoster(async (slug, from) => (await intake.post(slug, { from })).status);
  for (const others of [[], ["beta", "delta"], ["delta"], ["beta"]]) {
    const wanted = ["alpha", ...others];
    await one.writeCatalogue(named(...wanted));
    expect(await one.cli(["refresh", ...CATALOGUE])).toMatchObject({ code: 0 });
    const { reportsDay } = await one.detail("alpha");
    expect(await post("alpha")).toBe(202);
    await until("the report is published", async () => {
      expect(await slugsOf(one)).toEqual(wanted);
      return (await one.detail("alpha")).reportsDay > reportsDay;
    });
    expect(await slugsOf(one)).toEqual(wanted);
  }
});

test.skipIf(isFull)("`serve` accepts reports of an added service", async () => {
  const one = await workspace();
  expect(await one.run()).toMatchObject({ code: 0 });
  const serve = one.start(["serve", "--port", "0", "--set", "proxy=127.0.0.1", ...CATALOGUE]);
  killAtEnd(serve);
  const url = await servedAt(serve);
  const post = createPoster(async (slug, from) => {
    const headers = { "X-Forwarded-For": from };
    return (await fetch(`${url}/report/${slug}`, { method: "POST", headers })).status;
  });
  expect(await post("delta")).toBe(404);
  await one.writeCatalogue(named("alpha", "beta", "gamma", "delta"));
  await until("delta is known", async () => (await post("delta")) === 202);
  await until("it is served", async () => (await fetch(`${url}/api/v1/status/delta`)).ok);
});

test.runIf(isFull)(
  "`watch` applies edits of the catalogue and the rules, and survives broken ones",
  async () => {
    const one = await workspace();
    const watch = one.start(["watch", ...one.options, "--every", "1", "--log", "debug"]);
    killAtEnd(watch);
    const runs = (): number => eventsNamed(watch.stderr(), "run-finished").length;
    const nextRuns = async (count: number): Promise<void> => {
      const before = runs();
      await until("it has run again", () => runs() >= before + count);
    };
    await nextRuns(1);
    // Only the rules have the address of this host.
    await one.set("delta", { kind: "page" });
    await one.writeCatalogue(named("alpha", "gamma", "delta"));
    await until("delta is measured", async () => (await one.codes())["delta"] === "ok");
    expect(await one.codes()).toEqual({ alpha: "ok", gamma: "ok", delta: "ok" });

    await breakCatalogue(one);
    await writeFile(join(one.folder, "hosts.txt"), "no rule");
    await nextRuns(3);
    expect(await one.codes()).toEqual({ alpha: "ok", gamma: "ok", delta: "ok" });
    expect(eventsNamed(watch.stderr(), "catalogue-reload-rejected")).toHaveLength(1);
    const warnings = eventsNamed(watch.stderr(), "warning").map(({ message }) => String(message));
    expect(warnings).toEqual([expect.stringContaining("--connect-to")]);

    await one.set("beta", { kind: "page" });
    await one.writeCatalogue(named("alpha", "beta", "delta"));
    await until("beta is measured", async () => (await one.codes())["beta"] === "ok");
    watch.child.kill("SIGTERM");
    expect(await watch.ended).toMatchObject({ code: 0 });
  },
);
