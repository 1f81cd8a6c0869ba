import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { checkNotifier } from "../../src/doctor/notifier.ts";
import type { Given } from "../../src/setup/options/option-row.ts";
import { DOCTOR, readFlags } from "../../src/setup/options/options.ts";
import { SHIPPED_CATALOGUE } from "../../src/setup/shipped-files.ts";
import { collectProblems } from "../../src/setup/parse-options.ts";
import { type FakeReceivers, startReceivers } from "../notify/fake-receivers.ts";
import { writeSmallCatalogue } from "../setup/small-catalogue.ts";
import { makeScratchFolder } from "../store/scratch.ts";

const UPDATED_S = 1_795_511_100;
const IO = {
  env: { HOOK: "whsec_bm90IGEgc2VjcmV0IG9mIGFueW9uZSBhdCBhbGw=" },
  setEnv: () => undefined,
  print: () => undefined,
  wallMs: () => (UPDATED_S + 42) * 1_000,
  stop: new AbortController().signal,
  killGroup: () => undefined,
};

let receivers: FakeReceivers;
beforeAll(async () => {
  receivers = await startReceivers();
});
afterAll(() => receivers.close());
beforeEach(() => {
  receivers.reset();
  Object.assign(receivers.world, { updated: UPDATED_S, codes: new Map([["sberbank", "ok"]]) });
});

/** The checks of a notifier with these channels, in a folder that only its owner reads. */
async function check(channels: string, more: Readonly<Record<string, Given>> = {}) {
  const folder = makeScratchFolder();
  await chmod(folder, 0o700);
  const file = join(folder, "channels.yaml");
  await writeFile(file, `channels:\n${channels}`);
  const problems = collectProblems();
  const given = { catalogue: writeSmallCatalogue(folder), ledger: `file:${folder}/ledger` };
  const flags = readFlags(DOCTOR, { ...given, ...more }, problems);
  return { checks: await checkNotifier(file, flags, problems, IO), file, folder };
}

const MAIL = '  - { id: mail, kind: exec, command: ["/bin/sh", "-c", "exit 0"] }\n';

test("a notifier needs channels, a ledger it can write, the website, and each receiver", async () => {
  const gone = "  - { id: gone, kind: exec, command: [/nowhere/mail] }\n";
  const { checks, file, folder } = await check(MAIL + gone, { changes: `${receivers.url}/site` });
  expect(checks).toEqual([
    { name: "--channels", result: "ok", detail: `${file}: 2 channels, with their secrets` },
    {
      name: "ledger",
      result: "ok",
      detail: `file:${folder}/ledger: can be read, written and removed from`,
    },
    {
      name: "ledger writers",
      result: "ok",
      detail: "enforces create-if-absent and compare-and-swap: several writers are safe",
    },
    { name: "ledger privacy", result: "ok", detail: `${folder}/ledger is for its owner alone` },
    { name: "--changes", result: "ok", detail: "1 services, as of 42 s ago" },
    {
      name: "channel mail",
      result: "ok",
      detail: "the program can be started; whether it works, `notify test` shows",
    },
    {
      name: "channel gone",
      result: "fail",
      detail:
        "exec: /nowhere/mail is not a program that may be started here. Give its path, and the right to execute it.",
    },
  ]);
});

test("a website is checked where one is named, and fails if it has no list", async () => {
  const names = (await check(MAIL)).checks.map(({ name }) => name);
  expect(names).not.toContain("--changes");
  const { checks } = await check(MAIL, { changes: `${receivers.url}/elsewhere` });
  expect(checks.find(({ name }) => name === "--changes")).toMatchObject({
    result: "fail",
    detail: expect.stringMatching(/404/u),
  });
});

test("a channel of a service that the catalogue lacks is doubtful", async () => {
  const unknown = MAIL.replace("kind:", "services: [sberbnak], kind:");
  // Of the shipped catalogue, for the website may know services that it does not have.
  const { checks, file } = await check(unknown, { catalogue: SHIPPED_CATALOGUE });
  expect(checks[0]).toMatchObject({
    name: "--channels",
    result: "warn",
    detail: expect.stringMatching(/channels\.yaml:2:\d+: .*sberbank/u),
  });
  expect(checks[0]?.detail.startsWith(file)).toBe(true);
});

test("a guard of addresses stands before receivers as in a notifier", async () => {
  const hook = `  - { id: hook, kind: webhook, url: "${receivers.url}/hook", secret: { env: HOOK } }\n`;
  const resultOf = async (more: Readonly<Record<string, Given>>) =>
    (await check(hook, more)).checks.at(-1);
  expect(await resultOf({})).toMatchObject({ name: "channel hook", result: "fail" });
  const port = new URL(receivers.url).port;
  expect(await resultOf({ allowPrivate: ["127.0.0.1/32"], allowPort: [port] })).toMatchObject({
    name: "channel hook",
    result: "ok",
  });
});
