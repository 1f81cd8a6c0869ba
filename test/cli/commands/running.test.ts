import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveCommand } from "../../../src/cli/commands/serve.ts";
import { renderVerify, verifyCommand } from "../../../src/cli/commands/verify.ts";
import { workerCommand } from "../../../src/cli/commands/worker.ts";
import type { Given } from "../../../src/setup/options/option-row.ts";
import { INTAKE, PROBE } from "../../../src/setup/options/options.ts";
import { startFakeNats } from "../../engine/fake-nats.ts";
import { openLog } from "../../intake/prepared.ts";
import { callOf } from "../../setup/given.ts";
import { writeSmallCatalogue } from "../../setup/small-catalogue.ts";
import { makeScratchFolder } from "../../store/scratch.ts";
import { checkWith } from "../../verify/check.ts";
import { editJson, isDetail } from "../../verify/rows/corrupt.ts";
import { deployOverSocket } from "../../verify/socket-deployment.ts";

/* What commands say while they run, in this process. */

/** A process that stops when it is told to, and what it prints. */
function openProcess(onPrint: (text: string, stop: () => void) => void = () => undefined) {
  const stop = new AbortController();
  const printed: string[] = [];
  const { log, warnings } = openLog();
  const io = {
    print: (text: string): void => {
      printed.push(text);
      onPrint(text, () => stop.abort("aborted"));
    },
    env: {},
    setEnv: () => undefined,
    killGroup: () => undefined,
    wallMs: () => Date.now(),
    stop: stop.signal,
  };
  return { io, log, printed, warnings, stop: () => stop.abort("aborted") };
}

test("a preview behind a proxy keeps connections for longer than the proxy does", async () => {
  const promised: Promise<string | null>[] = [];
  const { io, log } = openProcess((text, stop) => {
    const [url = ""] = /http:\S+(?=,)/u.exec(text) ?? [];
    promised.push(
      fetch(url)
        .then(({ headers }) => headers.get("keep-alive"))
        .finally(stop),
    );
  });
  const folder = makeScratchFolder();
  const given: Readonly<Record<string, Given>> = {
    store: `file:${join(folder, "public")}`,
    state: `file:${join(folder, ".state")}`,
    catalogue: writeSmallCatalogue(folder),
    port: "0",
    proxy: ["127.0.0.1"],
  };
  expect(await serveCommand(callOf([...INTAKE, "serve"], given, { io, log }))).toBe(0);
  expect(await Promise.all(promised)).toEqual(["timeout=150"]);
});

test("a preview says where it is, what is missing, and why it takes no reports", async () => {
  const folder = makeScratchFolder();
  const [store, state] = ["public", ".state"].map((name) => join(folder, name)) as [string, string];
  mkdirSync(state);
  writeFileSync(join(state, "intake-secret.bin"), "short");
  const statuses: Promise<number>[] = [];
  const { io, log, printed, warnings } = openProcess((text, stop) => {
    const [url = ""] = /http:\S+(?=,)/u.exec(text) ?? [];
    const report = fetch(`${url}/report/sberbank`, { method: "POST" });
    statuses.push(report.then(({ status }) => status).finally(stop));
  });
  const given: Readonly<Record<string, Given>> = {
    store: `file:${store}`,
    state: `file:${state}`,
    catalogue: writeSmallCatalogue(folder),
    port: "0",
  };
  expect(await serveCommand(callOf([...INTAKE, "serve"], given, { io, log }))).toBe(0);
  expect(await Promise.all(statuses)).toEqual([503]);
  const [url = ""] = /http:\S+(?=,)/u.exec(printed.join("")) ?? [];
  expect(printed).toEqual([
    `Serving file:${store} at ${url}, website and API\nTry ${url}/ and ${url}/api/v1/status (Ctrl-C stops)`,
  ]);
  expect(warnings).toEqual([
    `nothing is published in file:${store} yet, so every answer is 404. Run \`status-snapshot run\` with the same --store; what it publishes shows at once.`,
    `Reports are not accepted: file:${state}: intake-secret.bin is damaged, it has 5 bytes in place of 32. Restore it from a backup, or delete it: then the next start stores the copy from its journal folder there, or creates another key, and networks may count twice for an hour.`,
  ]);
});

test("a worker says for whom it checks, and how it is ended", async () => {
  const { url } = await startFakeNats();
  const { io, log, printed } = openProcess((_, stop) => stop());
  const given = { engine: url, vantage: "home", threads: "1" };
  const call = callOf(["engine", "worker", "anchors", ...PROBE, "log"], given, { io, log });
  expect(await workerCommand(call)).toBe(0);
  expect(printed).toEqual([`Checking for ${url} as home (Ctrl-C stops)`]);
});

test("a check says its warnings, and then one line of counts", async () => {
  const partsOf = async (agoMs: number): Promise<readonly string[]> => {
    const report = await checkWith(undefined, { wallMs: () => Date.now() - agoMs });
    return renderVerify(report, false).split("\n\n");
  };
  const counts = expect.stringMatching(/^http:\/\/status\.test: \d+ checks \| /u);
  expect(await partsOf(0)).toEqual([counts]);
  expect(await partsOf(1_200_000)).toEqual([
    expect.stringMatching(
      /^warn {2}list\.fresh: the clock of the server is 1\d{3} s ahead of .+$/u,
    ),
    counts,
  ]);
});

test("a check of documents that disagree says that it reads them again later", async () => {
  const { href } = await deployOverSocket(editJson(isDetail, (one) => (one["code"] = "fail")));
  const { io, log, warnings, stop } = openProcess();
  const warn = (sentence: string): void => {
    log.warn(sentence);
    stop();
  };
  const call = callOf(["verify", "verifyJson"], { expect: "3" }, { io, log: { ...log, warn } });
  expect(await verifyCommand(call, href)).toBe(1);
  expect(warnings).toEqual([
    "detail.agrees: documents disagree. A cache may be the reason, so they are read again in 61 s.",
  ]);
});
