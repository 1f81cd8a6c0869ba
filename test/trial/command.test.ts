import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  type SimulatedInternet,
  startSimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import { spoil, wrongWorld } from "../cli/wrong-world.ts";
import { openWorkspace, type Workspace } from "../cli/workspace.ts";

let internet: SimulatedInternet;
let one: Workspace;
beforeAll(async () => {
  internet = await startSimulatedInternet();
});
afterAll(() => internet.close());
afterEach(() => one.close());

/** `catalogue trial` over the workspace. */
function attempt(...args: readonly string[]) {
  const network = ["--connect-to", "@hosts.txt", "--dns", `127.0.0.1:${internet.dnsPort}`];
  const files = ["--catalogue", "catalogue.json", "--set", "trialPause=0"];
  return one.cli(["catalogue", "trial", ...files, ...network, ...args]);
}

async function overlay(): Promise<string> {
  return readFile(join(one.folder, "overlay.yaml"), "utf8");
}

const GOOD = { slug: "good", endpoints: [{ host: "good", critical: true }, { host: "good-api" }] };
const STRICT = { slug: "strict", endpoints: [{ host: "strict", body: "Другой текст" }] };
const ABROAD = { slug: "far", endpoints: [{ host: "far" }], abroad: true } as const;
const DENYING = { slug: "denying", endpoints: [{ host: "denying", critical: true }] };
const BROKEN = { slug: "broken", endpoints: [{ host: "broken", critical: true }] };
const SILENT = { slug: "silent", endpoints: [{ host: "silent" }] };

test("a world of wrong entries is told entry by entry, and its overlay breaks nothing", async () => {
  one = await openWorkspace(
    internet,
    [...wrongWorld(), GOOD, STRICT, DENYING, BROKEN, SILENT, ABROAD],
    true,
  );
  await spoil(one);
  await one.set("good", { kind: "page", body: "<title>good: вход</title>" });
  await one.set("good-api", { kind: "page", status: 404, body: "{}" });
  await one.set("strict", { kind: "page", body: "<title>strict</title> Сервис strict" });
  await one.set("far", { kind: "page", body: "<title>far</title>" });
  await one.set("denying", { kind: "page", status: 451, body: "<title>denying</title>" });
  await one.set("broken", { kind: "page", status: 503, body: "oops" });
  await one.set("silent", { kind: "tls-reset" });
  const told = await attempt("--answers", "answers.gz");
  expect(told, told.stderr).toMatchObject({ code: 0 });
  const suffix = one.host("x").slice(1);
  const report = told.stdout.replaceAll(suffix, ".test").replaceAll(/\d+(?= (?:bytes|ms))/gu, "N");
  await expect(report).toMatchFileSnapshot("golden/report.txt");
  const proposed = await overlay();
  expect(proposed).toContain("body: Сервис strict");
  expect(proposed).toContain("- hosting");
  // A name that only the service itself has, in all rounds.
  expect(proposed).toMatch(/slug: good\n(?:.*\n)+?.*body: .*good/u);

  const before = await codesWith();
  const after = await codesWith("--catalogue-overlay", "overlay.yaml");
  expect(before).toMatchObject({ good: "ok", strict: "none" });
  expect(after).toMatchObject({ good: "ok", strict: "ok" });
  const broken = Object.entries(before).filter(
    ([slug, code]) => code === "ok" && after[slug] !== "ok",
  );
  expect(broken).toEqual([]);

  const again = await attempt("--from", "answers.gz", "--json", "--overlay", "second.yaml");
  expect(again, again.stderr).toMatchObject({ code: 0 });
  expect(await readFile(join(one.folder, "second.yaml"), "utf8")).toBe(proposed);
  expect(JSON.parse(again.stdout)).toMatchObject({
    unreached: expect.arrayContaining(["s0", "silent"]),
  });
});

/** The verdicts of a first run, with a state of its own. */
async function codesWith(...args: readonly string[]) {
  const state = ["--state", `file:state-${args.length}`, "--store", "file:public"];
  const dns = ["--dns", `127.0.0.1:${internet.dnsPort}`];
  const done = await one.run([...state, ...dns, ...args, "--force"]);
  expect(done, done.stderr).toMatchObject({ code: 0 });
  return one.codes();
}

test("a trial overwrites only its own overlays, and reads only its own answers", async () => {
  one = await openWorkspace(internet, [GOOD], true);
  await writeFile(join(one.folder, "overlay.yaml"), "services: []\n");
  const refused = await attempt();
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("there is a file already");
  expect(await overlay()).toBe("services: []\n");
  const lost = await attempt("--overlay", "catalogue.json/overlay.yaml");
  expect(lost).toMatchObject({ code: 2 });
  expect(lost.stdout, "the report is not lost").toContain("endpoints, 2 rounds");
  expect(lost.stderr).toContain("cannot be written");
  const wrong = await attempt("--from", "overlay.yaml", "--overlay", "other.yaml");
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain("not a file that `catalogue trial --answers` has written");
});

test("a trial says what it asks, and when it asks again", async () => {
  one = await openWorkspace(internet, [GOOD]);
  const { code, stderr } = await attempt("--log", "pretty");
  expect([code, stderr]).toEqual([0, "Asking 2 endpoints.\nAsking them again in 0 s.\n"]);
});
