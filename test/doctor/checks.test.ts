import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  checkAnchors,
  checkCatalogue,
  checkResolver,
  checkTruth,
} from "../../src/doctor/checks.ts";
import type { FailureCode } from "../../src/model/failures.ts";
import type { Resolve } from "../../src/probe/network/dns.ts";
import { readCatalogue } from "../../src/setup/files/catalogue-file.ts";
import { catalogueOf, endpointOf, failed, ok, serviceOf } from "../model/samples.ts";
import { flagsOf } from "../setup/given.ts";
import { writeSmallCatalogue } from "../setup/small-catalogue.ts";
import { SHIPPED_TRUTH } from "../../src/setup/shipped-files.ts";
import { makeScratchFolder } from "../store/scratch.ts";

type Answer = Awaited<ReturnType<Resolve>>;
const found: Answer = { kind: "records", records: ["192.0.2.1", "192.0.2.2"] };
const lost = (code: Extract<FailureCode, `dns-${string}`>): Answer => ({ kind: "failed", code });

/** The two checks of a resolver with these answers to a real name and to one that cannot exist. */
async function judge(real: Answer, bogus: Answer) {
  const asked: (readonly [string, number])[] = [];
  const checks = await checkResolver(catalogueOf([]), async (name, family, timeoutMs) => {
    asked.push([name, timeoutMs]);
    expect(family).toBe(4);
    return name.endsWith(".invalid") ? bogus : real;
  });
  return { checks, asked };
}

describe("a resolver", () => {
  test("works if it finds a real name, within four seconds", async () => {
    const { checks, asked } = await judge(found, lost("dns-nxdomain"));
    expect(checks).toEqual([
      { name: "resolver", result: "ok", detail: "ya.ru is 192.0.2.1, 192.0.2.2" },
      {
        name: "resolver honesty",
        result: "ok",
        detail: "a name that cannot exist has no address",
      },
    ]);
    expect(asked).toEqual([
      ["ya.ru", 4_000],
      ["status-snapshot-doctor.invalid", 4_000],
    ]);
  });

  test.each<readonly [Answer, Answer, string, string]>([
    [
      found,
      lost("dns-no-answer"),
      "ok: ya.ru is 192.0.2.1, 192.0.2.2",
      "ok: a name that cannot exist has no address",
    ],
    [
      found,
      lost("dns-timeout"),
      "ok: ya.ru is 192.0.2.1, 192.0.2.2",
      "warn: unknown: the query for a name that cannot exist failed (dns-timeout).",
    ],
    [
      found,
      found,
      "ok: ya.ru is 192.0.2.1, 192.0.2.2",
      "fail: the resolver gave 192.0.2.1, 192.0.2.2 for a name that cannot exist. Name another resolver with --dns.",
    ],
    [
      lost("dns-timeout"),
      lost("dns-nxdomain"),
      "fail: ya.ru: dns-timeout. Name a resolver that works with --dns.",
      "ok: a name that cannot exist has no address",
    ],
  ])("that answers %o and %o is judged", async (real, bogus, ofReal, ofBogus) => {
    const { checks } = await judge(real, bogus);
    expect(checks.map(({ result, detail }) => `${result}: ${detail}`)).toEqual([ofReal, ofBogus]);
  });
});

describe("anchors", () => {
  const URLS = ["https://one.example/", "https://two.example/"];
  const LATE = "the server does not answer attempts to connect [tcp-timeout]";
  const check = (dead: readonly string[]) =>
    checkAnchors(
      catalogueOf([], URLS),
      async ({ url }) => (dead.includes(url) ? failed("tcp-timeout") : ok()),
      new AbortController().signal,
    );

  test.each([
    [[], "ok", "all 2 anchors answer"],
    [
      URLS.slice(0, 1),
      "warn",
      `1 of 2 anchors do not answer (https://one.example/: ${LATE}). If that lasts, put others of the same networks into the catalogue.`,
    ],
    [
      URLS,
      "fail",
      `no anchor answers: a run from here would be offline (https://one.example/: ${LATE}; https://two.example/: ${LATE}). Check the network connection of this machine, and --dns.`,
    ],
  ])("of which %j are dead are judged: %s", async (dead, result, detail) => {
    expect(await check(dead)).toEqual({ name: "anchors", result, detail });
  });
});

describe("a catalogue", () => {
  async function check(more: Readonly<Record<string, string>>, warnings: readonly string[] = []) {
    const catalogue = writeSmallCatalogue();
    const flags = flagsOf(["catalogue", "probe"], { catalogue, ...more });
    const read = await readCatalogue({ catalogue, catalogueOverlay: undefined });
    if ("problem" in read) throw new Error(read.problem);
    const changes = (["changed", "added", "added", "removed"] as const).map((kind) => ({
      kind,
      slug: "x",
    }));
    const checks = checkCatalogue(flags, { ...read.value, changes: changes as never, warnings });
    return new Map(checks.map(({ name, result, detail }) => [name, [result, detail]]));
  }

  test("is told with its services, and the overlay with its effect", async () => {
    const alone = await check({});
    expect([...alone.keys()]).toEqual(["catalogue", "trust"]);
    expect(alone.get("catalogue")?.[1]).toMatch(/catalogue\.yaml: 1 services$/u);
    const both = await check({ catalogueOverlay: "o.yaml" });
    expect(both.get("overlay")).toEqual(["ok", "o.yaml: 1 changed, 2 added, 1 removed"]);
    expect(both.get("catalogue")?.[1]).toContain("with o.yaml");
  });

  test("with an overlay without effect is doubtful", async () => {
    const overlay = { catalogueOverlay: "o.yaml" };
    expect((await check(overlay, ["one."])).get("overlay")).toEqual(["warn", "one."]);
    expect((await check(overlay, ["one.", "two.", "three."])).get("overlay")).toEqual([
      "warn",
      "one. 2 more: catalogue check lists them.",
    ]);
  });

  test.each([
    ["public", undefined, "ok", "no endpoint needs a root of its own"],
    [
      "national",
      undefined,
      "warn",
      "1 endpoints may show a certificate of the national root. Name the file of that root with --extra-ca.",
    ],
    ["national", "root.pem", "ok", "root.pem"],
    ["public", "root.pem", "ok", "root.pem"],
  ] as const)("of %s trust with the root %s", (trust, extraCa, result, detail) => {
    const endpoint = { ...endpointOf("https://a.example/", true), trust };
    const flags = { ...flagsOf(["catalogue", "probe"], {}), extraCa };
    const catalogue = catalogueOf([serviceOf("a", [endpoint])]);
    const checks = checkCatalogue(flags, { catalogue, changes: [], warnings: [] });
    expect(checks.at(-1)).toEqual({ name: "trust", result, detail });
  });
});

test("a truth file of the operator's own is read, and a doubt if it cannot be", async () => {
  expect(await checkTruth({ truth: SHIPPED_TRUTH })).toEqual([]);
  const folder = makeScratchFolder();
  const truth = join(folder, "truth.yaml");
  const result = async () => (await checkTruth({ truth }))[0];
  expect(await result()).toMatchObject({ name: "truth", result: "warn" });
  expect((await result())?.detail).toMatch(/^--truth .*truth\.yaml: the file does not exist/u);
  await writeFile(truth, "[]\n");
  expect(await result()).toMatchObject({ result: "ok", detail: "0 entries" });
});
