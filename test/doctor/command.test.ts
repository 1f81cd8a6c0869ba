import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startSimulatedInternet,
  type SimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import { openWorkspace, type Workspace } from "../cli/workspace.ts";
import { startLoopbackS3 } from "../cli/loopback-s3.ts";

let internet: SimulatedInternet;
let one: Workspace;

beforeAll(async () => {
  internet = await startSimulatedInternet();
  one = await openWorkspace(internet, undefined, true);
  await answerFrom([]);
});

/** Maps each anchor to the simulated internet, and the dead ones to a port without a listener. */
async function answerFrom(dead: readonly string[]): Promise<void> {
  const lines = ["d1", "d2", "d3", "d4", "f1", "f2", "f3"].map((name) => {
    const port = dead.includes(name) ? internet.refusedPort : internet.tlsPort;
    return `${one.host(name)}:443:127.0.0.1:${port}`;
  });
  await writeFile(join(one.folder, "anchors.txt"), lines.join("\n"));
}

afterAll(async () => {
  await one.close();
  await internet.close();
});

interface Check {
  readonly name: string;
  readonly result: string;
  readonly detail: string;
}

async function examine(more: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const dns = ["--dns", `127.0.0.1:${internet.dnsPort}`];
  const catalogue = ["--catalogue", "catalogue.json"];
  const args = [...catalogue, ...dns, "--connect-to", "@anchors.txt", ...more];
  const { code, stdout } = await one.cli(["doctor", "--json", ...args], env);
  const checks = JSON.parse(stdout) as readonly Check[];
  const all = (name: string) => checks.filter((check) => check.name === name);
  return { code, all, of: (name: string) => all(name)[0] };
}

test("two folders and an honest resolver are ok, and no test object stays", async () => {
  internet.setDns(one.host("d1"), { kind: "answer", addresses: ["192.0.2.7"] });
  const { code, of } = await examine();
  expect(code).toBe(0);
  expect(of("resolver")).toMatchObject({
    result: "ok",
    detail: expect.stringContaining("192.0.2.7"),
  });
  expect(of("--store writers")).toMatchObject({ result: "ok" });
  expect(of("--state privacy")).toMatchObject({ result: "ok" });
  expect(of("--state inbox")).toMatchObject({ result: "ok" });
  const left = await Promise.all(
    ["public", ".state"].map((name) => readdir(join(one.folder, name))),
  );
  expect(left.flat().filter((name) => name !== ".tmp")).toEqual([]);
});

test("a resolver that invents addresses is detected", async () => {
  internet.setDns("status-snapshot-doctor.invalid", { kind: "answer", addresses: ["192.0.2.66"] });
  const { code, of } = await examine();
  internet.setDns("status-snapshot-doctor.invalid", { kind: "nxdomain" });
  expect(code).toBe(1);
  expect(of("resolver honesty")).toMatchObject({ result: "fail" });
  expect(of("resolver honesty")?.detail).toContain("192.0.2.66");
});

test("a failing resolver is reported with what to fix", async () => {
  internet.setDns(one.host("d1"), { kind: "servfail" });
  const { code, of } = await examine();
  expect(code).toBe(1);
  expect(of("resolver")).toMatchObject({ result: "fail" });
  expect(of("resolver")?.detail).toContain("dns-servfail");
  expect(of("resolver")?.detail).toContain("--dns");
});

test("a resolver that does not answer is not called honest", async () => {
  const { code, of } = await examine(["--dns", "127.0.0.1:9"]);
  expect(code).toBe(1);
  expect(of("resolver")).toMatchObject({ result: "fail" });
  expect(of("resolver honesty")).toMatchObject({ result: "warn" });
  expect(of("resolver honesty")?.detail).toContain("dns-server-unreachable");
});

test("a state folder that others can read is a warning", async () => {
  const open = join(one.folder, "open-state");
  await mkdir(open);
  await chmod(open, 0o755);
  const { of } = await examine(["--state", `file:${open}`]);
  expect(of("--state privacy")).toMatchObject({ result: "warn" });
  expect(of("--state privacy")?.detail).toContain("chmod 700");
});

test("a store that cannot be written fails, and the other checks still run", async () => {
  await writeFile(join(one.folder, "taken"), "a file");
  const { code, of } = await examine(["--store", `file:${join(one.folder, "taken")}`]);
  expect(code).toBe(1);
  expect(of("--store")).toMatchObject({ result: "fail" });
  expect(of("--store")?.detail).toContain("--store");
  expect(of("--state")).toMatchObject({ result: "ok" });
});

test("overlapping stores are refused before any check", async () => {
  const { code } = await one.cli(["doctor", "--store", "file:same", "--state", "file:same"]);
  expect(code).toBe(2);
});

test("the missing right of a state store that cannot list or remove is named", async () => {
  const s3 = await startLoopbackS3();
  s3.moods.isRefused = (method, key) =>
    method === "LIST" || (method === "DELETE" && key.includes("inbox/"));
  const { code, all, of } = await examine(["--state", s3.url("state")], s3.env);
  expect(code).toBe(1);
  expect(of("--state")).toMatchObject({ result: "ok" });
  expect(all("--state inbox")).toEqual([
    {
      name: "--state inbox",
      result: "fail",
      detail: expect.stringMatching(/AccessDenied.* It needs s3:ListBucket on the bucket\.$/su),
    },
    {
      name: "--state inbox",
      result: "fail",
      detail: expect.stringMatching(/AccessDenied.* It needs s3:DeleteObject on inbox\/\*\.$/su),
    },
  ]);
  s3.moods.isRefused = () => false;
  const fixed = await examine(["--state", s3.url("other")], s3.env);
  expect(fixed.of("--state inbox")).toMatchObject({ result: "ok" });
  expect([...s3.objects.keys()].filter((key) => key.startsWith("other/"))).toEqual([]);
});

test.each([
  ["kept", "ok", "keeps x, x/y and x/y/z"],
  ["held", "fail", "refuses to create x while there is x/y. Add keys=suffixed to --store"],
  ["hidden", "warn", "a backup made by listing loses x. Add keys=suffixed"],
  [
    "refused",
    "fail",
    "(ExistingObjectIsDirectory, HTTP 409): the store cannot keep an object whose name is also the folder of others. Add keys=suffixed to --store",
  ],
] as const)("a store where x next to x/y is %s is reported", async (nesting, result, words) => {
  const s3 = await startLoopbackS3();
  s3.moods.nesting = nesting;
  const { of } = await examine(["--store", s3.url("public")], s3.env);
  expect(of("--store keys")).toMatchObject({ result, detail: expect.stringContaining(words) });
  expect([...s3.objects.keys()]).toEqual([]);
  const suffixed = await examine(["--store", `${s3.url("public")}&keys=suffixed`], s3.env);
  expect(suffixed.of("--store keys")).toBeUndefined();
});

test("foreign files in the public folder are a warning, and stay", async () => {
  const folder = join(one.folder, "shop");
  await mkdir(join(folder, "old"), { recursive: true });
  await writeFile(join(folder, "old/index.html"), "a shop");
  internet.setDns(one.host("d1"), { kind: "answer", addresses: ["192.0.2.7"] });
  const { code, of } = await examine(["--store", `file:${folder}`]);
  expect(code).toBe(0);
  expect(of("--store content")).toMatchObject({
    result: "warn",
    detail: expect.stringMatching(/^1 of 1 objects are not ours.*: old\/index\.html\./u),
  });
  expect(await readdir(join(folder, "old"))).toEqual(["index.html"]);
});

test("a public bucket is listed page by page", async () => {
  const s3 = await startLoopbackS3();
  for (let at = 0; at < 1_001; at += 1) s3.objects.set(`public/shop/${at}.html`, Buffer.from("a"));
  s3.objects.set("public-2/other", Buffer.from("a"));
  const { of } = await examine(["--store", s3.url("public")], s3.env);
  expect(of("--store content")).toMatchObject({
    result: "warn",
    detail: expect.stringContaining("1001 of 1001 objects are not ours"),
  });
});

test("a public bucket that may not be listed is reported with the missing right", async () => {
  const s3 = await startLoopbackS3();
  s3.moods.isRefused = (method) => method === "LIST";
  const { of } = await examine(["--store", s3.url("public")], s3.env);
  expect(of("--store content")).toMatchObject({
    result: "warn",
    detail: expect.stringMatching(
      /^the content is unknown: .*AccessDenied.* It needs s3:ListBucket on the bucket\.$/u,
    ),
  });
});

test("a refused signature of conditional writes is not reported as a wrong key", async () => {
  const s3 = await startLoopbackS3();
  s3.moods.missigns = true;
  const { code, of } = await examine(["--store", s3.url("public")], s3.env);
  expect(code).toBe(1);
  expect(of("--store")).toMatchObject({ result: "ok" });
  expect(of("--store writers")).toMatchObject({
    result: "fail",
    detail: expect.stringContaining("the secret key is right"),
  });
});

test("races run on request: stores without losses are ok, and no test object stays", async () => {
  expect((await examine()).of("--store races")).toBeUndefined();
  const s3 = await startLoopbackS3();
  const { of } = await examine(["--races", "1", "--store", s3.url("public")], s3.env);
  const words = /^(?<kept>\d+) of \k<kept> acknowledged updates kept in 1 s by four writers/u;
  for (const name of ["--store races", "--state races"])
    expect(of(name)).toMatchObject({ result: "ok", detail: expect.stringMatching(words) });
  expect([...s3.objects.keys()]).toEqual([]);
});

test("a store that checks before it writes passes sequentially, and fails in races", async () => {
  const s3 = await startLoopbackS3();
  s3.moods.hasWriteRace = true;
  const { code, of } = await examine(["--races", "1", "--store", s3.url("public")], s3.env);
  expect(code).toBe(1);
  expect(of("--store writers")).toMatchObject({ result: "ok" });
  expect(of("--store races")).toMatchObject({
    result: "fail",
    detail: expect.stringMatching(
      /\d+ of \d+ creations were won by several writers, or did not stay in 1 s by four writers/u,
    ),
  });
  expect(of("--state races")).toMatchObject({ result: "ok" });
});

test("an invalid time of races is refused before any check", async () => {
  const { code } = await one.cli(["doctor", "--races", "soon"]);
  expect(code).toBe(2);
});

test("the style of tags is advised if it saves requests", async () => {
  const s3 = await startLoopbackS3();
  s3.moods.wantsBareTags = true;
  const url = s3.url("public").replace("&etag=quoted", "");
  const words = expect.stringContaining("etag=unquoted in its URL saves two requests");
  const unknown = await examine(["--store", url], s3.env);
  expect(unknown.of("--store")).toMatchObject({ result: "ok", detail: words });
  const told = await examine(["--store", `${url}&etag=unquoted`], s3.env);
  expect(told.of("--store")).toMatchObject({
    result: "ok",
    detail: expect.not.stringContaining("etag="),
  });
});

test("a dead anchor is a warning with its reason, all dead anchors are a failure", async () => {
  internet.setDns(one.host("d1"), { kind: "answer", addresses: ["192.0.2.7"] });
  expect((await examine()).of("anchors")).toMatchObject({
    result: "ok",
    detail: "all 7 anchors answer",
  });
  await answerFrom(["d2"]);
  const some = await examine();
  expect(some.code).toBe(0);
  expect(some.of("anchors")).toMatchObject({
    result: "warn",
    detail: expect.stringMatching(
      /^1 of 7 anchors do not answer \(https:\/\/d2\..*tcp-refused.*\)/u,
    ),
  });
  await answerFrom(["d1", "d2", "d3", "d4", "f1", "f2", "f3"]);
  const all = await examine();
  await answerFrom([]);
  expect(all.code).toBe(1);
  expect(all.of("anchors")).toMatchObject({ result: "fail" });
});

test("the many anchors of the shipped catalogue are probed without a warning from Node", async () => {
  const away = ["--dns", `127.0.0.1:${internet.dnsPort}`, "--connect-to", ":443:127.0.0.1:4"];
  const { code, stdout, stderr } = await one.program(["doctor", ...away]);
  expect(code).toBe(1);
  expect(stdout).toContain("no anchor answers");
  expect(stderr).toBe("");
});

test("old documents of a stopped runner are detected until a refresh publishes `none`", async () => {
  await one.run(["--at", new Date(Date.now() - 3_600_000).toISOString()]);
  const name = "none without a runner";
  expect((await examine()).of(name)).toMatchObject({
    result: "warn",
    detail: expect.stringContaining("the last valid run is 60 min old"),
  });
  await one.cli(["refresh", "--catalogue", "catalogue.json"]);
  expect((await examine()).of(name)).toMatchObject({ result: "ok" });
});
