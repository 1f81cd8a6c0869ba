import { expect, test } from "vitest";
import { UsageError } from "../../src/setup/errors.ts";
import type { Io } from "../../src/setup/io.ts";
import { renderVerify, verifyCommand } from "../../src/cli/commands/verify.ts";
import { createLog } from "../../src/cli/log/create-log.ts";
import { callOf } from "../setup/given.ts";
import { checkWith } from "./check.ts";
import { become, isDetail, isOfSite, replaceServices, when } from "./rows/corrupt.ts";
import { deployOverSocket } from "./socket-deployment.ts";

async function run(url: string, given: Readonly<Record<string, string | boolean>> = {}) {
  const printed: string[] = [];
  const io: Io = {
    print: (text) => printed.push(text),
    env: {},
    setEnv: () => undefined,
    killGroup: () => undefined,
    wallMs: () => Date.now(),
    stop: new AbortController().signal,
  };
  const log = await createLog("silent", process.stderr);
  const code = await verifyCommand(
    callOf(["verify", "verifyJson"], { expect: "3", ...given }, { io, log }),
    url,
  );
  return { code, text: printed.join("\n") };
}

test("a good deployment gives exit code 0 and one line", async () => {
  const good = await deployOverSocket();
  const { code, text } = await run(good.href);
  expect(code).toBe(0);
  expect(text).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+: \d+ checks \| \d+ passed \| 0 failed \| \d+ skipped \| \d+ requests \| \d+\.\d s$/u,
  );
});

test("a bad deployment gives exit code 1, its problems and what to fix", async () => {
  const bad = await deployOverSocket(when(isDetail, become(200, "[]")));
  const { code, text } = await run(bad.href, { badge: "my-shop" });
  expect(code).toBe(1);
  expect(text).toContain("FAIL  detail.json: every detail is a JSON object in UTF-8");
  expect(text).toContain("      sberbank: [] is not an object");
  expect(text).toContain("      To fix: ");
  expect(text).toContain("| 1 failed |");
});

test("--all shows every check, --json prints the report", async () => {
  const good = await deployOverSocket();
  const { text } = await run(good.href, { all: true });
  expect(text).toMatch(/^RESULT +CHECK +WHAT HOLDS +SEEN\n/u);
  expect(text).toMatch(/^pass +list\.reachable +the list answers 200/mu);
  expect(text).toMatch(/^skip +badge\.svg .* give a public monitor with --badge ID$/mu);
  const json = await run(good.href, { json: true });
  expect(JSON.parse(json.text)).toMatchObject({
    failed: 0,
    checks: expect.arrayContaining([
      expect.objectContaining({ id: "list.count", result: "pass", seen: "3 services" }),
    ]),
  });
});

test("--api-only skips the website", async () => {
  const bare = await deployOverSocket(when(isOfSite, become(404)));
  const whole = await run(bare.href);
  expect(whole).toMatchObject({ code: 1, text: expect.stringContaining("FAIL  site.published") });
  expect(whole.text).toContain("--base-url (STATUS_SNAPSHOT_BASE_URL)");
  expect(await run(bare.href, { apiOnly: true })).toMatchObject({ code: 0 });
});

test("an unreachable server gives exit code 1 and no stack trace", async () => {
  const { code, text } = await run("http://127.0.0.1:1");
  expect(code).toBe(1);
  expect(text).toContain("connection refused");
  expect(text).not.toContain("    at ");
});

test.each([
  ["example.org", {}, "example.org: give the address"],
  ["ftp://example.org", {}, "ftp://example.org: give the address"],
  ["https://me:secret@example.org", {}, "without credentials"],
  ["https://example.org/?x=1", {}, "without credentials, query"],
  ["https://example.org", { expect: "many" }, "--expect many: give a whole number from 0."],
  ["https://example.org", { verifyMaxAge: "0" }, "verifyMaxAge 0: give a whole number from 1."],
  ["https://example.org", { verifyTimeout: "-1" }, "verifyTimeout -1"],
  ["https://example.org", { badge: "../x" }, "--badge ../x: give the id of a monitor"],
])("%s with %o is refused before any request", async (url, flags, message) => {
  const refused = run(url, flags);
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(message);
});

test("all problems of the command line are reported together", async () => {
  await expect(run("x", { expect: "y", verifyTimeout: "z" })).rejects.toMatchObject({
    problems: [
      expect.stringContaining("--expect y"),
      expect.stringContaining("verifyTimeout z"),
      expect.stringContaining("x: "),
    ],
  });
});

test("only the first problems of a check are listed", async () => {
  const bad = replaceServices((first) =>
    Array.from({ length: 9 }, (_, index) => ({
      ...first,
      slug: `s-${index}`,
      code: "\u001B[2Jdown",
    })),
  );
  const text = renderVerify(await checkWith(bad, { expectedServices: 9 }), false);
  expect(text).toContain("s-3: ");
  expect(text).not.toContain("s-4: ");
  expect(text).toContain("      and 5 more");
  expect(text).not.toContain("\u001B");
});
