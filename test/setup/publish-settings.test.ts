import { join } from "node:path";
import { expect, test } from "vitest";
import { readFlags, PUBLISH } from "../../src/setup/options/options.ts";
import type { Given } from "../../src/setup/options/option-row.ts";
import { collectProblems } from "../../src/setup/parse-options.ts";
import { preparePublish, readMonitorRules } from "../../src/setup/publish-settings.ts";
import { flagsOf } from "./given.ts";
import { writeSmallCatalogue } from "./small-catalogue.ts";
import { makeScratchFolder } from "../store/scratch.ts";

/** The settings of publishing with these options, in an empty folder. */
async function prepare(given: Readonly<Record<string, Given>>) {
  const folder = makeScratchFolder();
  const problems = collectProblems();
  const files = {
    store: `file:${join(folder, "public")}`,
    state: `file:${join(folder, "state")}`,
    catalogue: writeSmallCatalogue(folder),
  };
  const flags = readFlags(PUBLISH, { ...files, ...given }, problems);
  return (await preparePublish(flags, problems)).setup;
}

const BUCKET = "s3://bucket/public?endpoint=http://127.0.0.1:1/";

test.each<readonly [Readonly<Record<string, Given>>, object]>([
  [{}, { mustVerify: true, auditsAll: false, maxRemovalShare: 0.2, isMonitorsOnly: false }],
  [{ store: BUCKET }, { mustVerify: false, auditsAll: false, needsAddress: true }],
  [
    { store: BUCKET, audit: true },
    { mustVerify: true, auditsAll: true },
  ],
  [{ audit: true }, { mustVerify: true, auditsAll: true, needsAddress: false }],
  [{ maxRemovals: "0.5" }, { maxRemovalShare: 0.5 }],
  [{ maxRemovals: "0.5", force: true }, { maxRemovalShare: 1 }],
  [{ keepArchive: "50" }, { keepArchiveDays: 50 }],
  [{ baseUrl: "https://a.example/" }, { baseUrl: "https://a.example" }],
  [{ services: false }, { isMonitorsOnly: true }],
])("the options %j are settings", async (given, expected) => {
  expect(await prepare(given)).toMatchObject(expected);
});

test("what is not given is no setting", async () => {
  const setup = await prepare({});
  expect(setup).not.toHaveProperty("baseUrl");
  expect(setup).not.toHaveProperty("keepArchiveDays");
});

test("without services only the anchors of the catalogue are left", async () => {
  const { readCatalogue } = await prepare({ services: false });
  const { services, anchors } = await readCatalogue(() => undefined);
  expect(services).toEqual([]);
  expect(anchors.length).toBeGreaterThan(0);
});

test.each<readonly [Readonly<Record<string, Given>>, string]>([
  [{ store: "file:public", monitors: "public/monitors.yaml" }, "is in the public store"],
  [{ cell: "1/2" }, "--cell 1/2: the services belong to cell 0; add --no-services."],
  [{ store: "file:a", state: "file:a/b" }, "overlap: the state is private"],
])("the options %j are a danger", async (given, words) => {
  await expect(prepare(given)).rejects.toThrow(words);
});

test("cell 0 has the services, and another cell without them is no danger", async () => {
  expect(await prepare({ cell: "0/2" })).toMatchObject({ isMonitorsOnly: false });
  expect(await prepare({ cell: "1/2", services: false })).toMatchObject({ isMonitorsOnly: true });
});

test.each([
  ["https://a.example/", {}, true],
  ["https://a.example:8443/", {}, false],
  ["https://a.example:8443/", { allowPort: ["8443"] }, true],
  ["https://10.0.0.1/", {}, false],
  ["https://10.0.0.1/", { allowPrivate: ["10.0.0.0/8"] }, true],
])("a monitor may have the URL %s with %j: %s", (url, given, isAllowed) => {
  const { refusalOfUrl } = readMonitorRules(flagsOf(["private", "ports"], given));
  expect(refusalOfUrl(new URL(url)) === undefined).toBe(isAllowed);
});
