import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Given } from "../../src/setup/options/option-row.ts";
import { makeScratchFolder } from "../store/scratch.ts";
import { prepareInFolder } from "./prepared.ts";

async function prepare(given: Readonly<Record<string, Given>>) {
  return (await prepareInFolder(given)).prepared;
}

const KEY = `B${"a".repeat(86)}`;

test("pages may ask for reports where an intake accepts them, unless another is named", async () => {
  expect((await prepare({})).flags.reportUrl).toBe("");
  expect((await prepare({ reports: "off" })).flags.reportUrl).toBeNull();
  const elsewhere = await prepare({ reports: "https://reports.example" });
  expect(elsewhere.flags.reportUrl).toBe("https://reports.example");
});

test("a settings file decides for the pages, too", async () => {
  const settings = join(makeScratchFolder(), "site.yaml");
  await writeFile(settings, "{}\n");
  expect((await prepare({ settings })).flags.reportUrl).toBeNull();
  expect((await prepare({ settings, reports: "on" })).flags.reportUrl).toBe("");
});

test("the proxies are those that are named", async () => {
  const { settings } = await prepare({ proxy: ["10.0.0.0/8"] });
  expect(["10.0.0.1", "11.0.0.1"].map((one) => settings.proxies.check(one))).toEqual([true, false]);
});

test("what is not given is no setting", async () => {
  const { settings, alerts } = await prepare({});
  expect(settings).not.toHaveProperty("ownOrigin");
  expect(settings).not.toHaveProperty("journal");
  expect([settings.allowedOrigins, alerts]).toEqual([[], undefined]);
});

test("the pages are those of the website, with its path and without a slash at its end", async () => {
  const { settings } = await prepare({
    baseUrl: "https://a.example/status/",
    journal: "j",
    allowOrigin: ["https://b.example"],
  });
  expect(settings).toMatchObject({
    ownOrigin: "https://a.example",
    root: "/status",
    journal: { folder: "j" },
    allowedOrigins: ["https://b.example"],
  });
});

test("owners are told with a key only, and over plain HTTP only inside", async () => {
  expect((await prepare({ alertsKey: "off" })).alerts).toBeUndefined();
  expect((await prepare({ alertsKey: KEY })).alerts).toEqual({
    pushKey: KEY,
    isPlainAllowed: false,
  });
  const inside = await prepare({ alertsKey: KEY, allowPrivate: ["127.0.0.0/8"] });
  expect(inside.alerts).toEqual({ pushKey: KEY, isPlainAllowed: true });
});
