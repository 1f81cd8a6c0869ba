import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { eventsNamed, type RunningCli, until } from "./cli.ts";
import { addressOf, type RunningIntake, startIntake } from "./running-intake.ts";
import type { Stage, StageService } from "./stage.ts";
import { useTheatre } from "./theatre.ts";

/* Processes that run for months meet edits of the files that they were started with. */

const { stage } = useTheatre();
const [ALPHA, BETA, GAMMA, DELTA]: readonly StageService[] = [
  "alpha",
  "beta",
  "gamma",
  "delta",
].map((slug) => ({ slug }));
const CATALOGUE = ["--catalogue", "catalogue.json"];

const running: RunningCli[] = [];
const intakes: RunningIntake[] = [];

afterEach(async () => {
  await Promise.all(intakes.splice(0).map((one) => one.kill()));
  for (const { child, ended } of running.splice(0)) {
    child.kill("SIGKILL");
    await ended;
  }
});

const known = (services: readonly (StageService | undefined)[]): readonly StageService[] =>
  services.filter((one) => one !== undefined);

const slugsOf = async (one: Stage): Promise<readonly string[]> =>
  (await one.list()).services.map(({ slug }) => slug);

const breakCatalogue = (one: Stage): Promise<void> =>
  writeFile(join(one.folder, "catalogue.json"), '{\n "categories": [],\n');

/** Each is of a network of its own. */
function createPoster(post: (slug: string, from: string) => Promise<number>) {
  let number = 0;
  return (slug: string): Promise<number> => post(slug, addressOf((number += 1)));
}

test("an intake takes and publishes reports of a service that was added, refuses those of one that was removed, and survives a broken edit", async () => {
  const one = await stage();
  expect(await one.run()).toMatchObject({ code: 0 });
  const intake = await startIntake([...CATALOGUE, "--proxy", "127.0.0.1"], { cwd: one.folder });
  intakes.push(intake);
  const post = createPoster(async (slug, from) => (await intake.post(slug, { from })).status);
  expect(await post("delta")).toBe(404);
  await one.writeCatalogue(known([ALPHA, GAMMA, DELTA]));
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
  await until("it says so", () => intake.log().includes("catalogue-kept"));
  expect(await post("delta")).toBe(202);
  await until("it publishes", async () => (await one.detail("delta")).reportsHour === 2);
  // Looked at every second, and told once.
  await delay(2_500);
  expect(await post("delta")).toBe(202);
  const told = eventsNamed(intake.log(), "catalogue-kept");
  expect(told).toEqual([expect.objectContaining({ level: "warn" })]);
  expect(told[0]?.["message"]).toMatch(/^catalogue\.json:\d+:\d+: \S/u);
  expect(await slugsOf(one)).toEqual(["alpha", "gamma", "delta"]);

  await one.writeCatalogue(known([ALPHA, BETA, DELTA]));
  await until("beta is back", async () => (await post("beta")) === 202);
  expect(await post("gamma")).toBe(404);
  await until("that is published", async () => (await slugsOf(one)).join() === "alpha,beta,delta");
  expect(eventsNamed(intake.log(), "catalogue-changed")).toEqual([
    expect.objectContaining({ level: "info", services: 3 }),
    expect.objectContaining({ level: "info", services: 3 }),
  ]);
  expect(await intake.stop()).toBe(0);
}, 60_000);

test("an intake never takes back what somebody has published from a newer catalogue", async () => {
  const one = await stage();
  expect(await one.run()).toMatchObject({ code: 0 });
  const intake = await startIntake([...CATALOGUE, "--proxy", "127.0.0.1"], { cwd: one.folder });
  intakes.push(intake);
  const post = createPoster(async (slug, from) => (await intake.post(slug, { from })).status);
  for (const services of [[ALPHA], [ALPHA, BETA, DELTA], [ALPHA, DELTA], [ALPHA, BETA]]) {
    await one.writeCatalogue(known(services));
    expect(await one.cli(["refresh", ...CATALOGUE])).toMatchObject({ code: 0 });
    const wanted = known(services).map(({ slug }) => slug);
    const { reportsDay } = await one.detail("alpha");
    expect(await post("alpha")).toBe(202);
    await until("the report is published", async () => {
      expect(await slugsOf(one)).toEqual(wanted);
      return (await one.detail("alpha")).reportsDay > reportsDay;
    });
    expect(await slugsOf(one)).toEqual(wanted);
  }
}, 60_000);

test("`serve` takes reports of a service that was added", async () => {
  const one = await stage();
  expect(await one.run()).toMatchObject({ code: 0 });
  const serve = one.start(["serve", "--port", "0", "--proxy", "127.0.0.1", ...CATALOGUE]);
  running.push(serve);
  await until("it tells its URL", () => serve.stdout().includes("Try http"));
  const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(serve.stdout())?.[0] ?? "";
  const post = createPoster(async (slug, from) => {
    const headers = { "X-Forwarded-For": from };
    return (await fetch(`${url}/report/${slug}`, { method: "POST", headers })).status;
  });
  expect(await post("delta")).toBe(404);
  await one.writeCatalogue(known([ALPHA, BETA, GAMMA, DELTA]));
  await until("delta is known", async () => (await post("delta")) === 202);
  await until("it is served", async () => (await fetch(`${url}/api/v1/status/delta`)).ok);
});

test("`watch` probes a service that was added, by rules that were added, and survives broken edits of both", async () => {
  const one = await stage();
  const watch = one.start(["watch", ...one.options, "--every", "1", "--log", "json"]);
  running.push(watch);
  const runs = (): number => eventsNamed(watch.stderr(), "run-finished").length;
  const nextRuns = async (count: number): Promise<void> => {
    const before = runs();
    await until("it has run again", () => runs() >= before + count);
  };
  await nextRuns(1);
  // Nobody but the rules knows where this host is.
  await one.set("delta", { kind: "page" });
  await one.writeCatalogue(known([ALPHA, GAMMA, DELTA]));
  await until("delta is measured", async () => (await one.codes())["delta"] === "ok");
  expect(await one.codes()).toEqual({ alpha: "ok", gamma: "ok", delta: "ok" });

  await breakCatalogue(one);
  await writeFile(join(one.folder, "hosts.txt"), "no rule");
  await nextRuns(3);
  expect(await one.codes()).toEqual({ alpha: "ok", gamma: "ok", delta: "ok" });
  expect(eventsNamed(watch.stderr(), "catalogue-kept")).toHaveLength(1);
  const warnings = eventsNamed(watch.stderr(), "warning").map(({ message }) => String(message));
  expect(warnings).toEqual([expect.stringContaining("--connect-to")]);

  await one.set("beta", { kind: "page" });
  await one.writeCatalogue(known([ALPHA, BETA, DELTA]));
  await until("beta is measured", async () => (await one.codes())["beta"] === "ok");
  watch.child.kill("SIGTERM");
  expect(await watch.ended).toMatchObject({ code: 0 });
}, 60_000);
