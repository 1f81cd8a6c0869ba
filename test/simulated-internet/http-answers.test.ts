import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AskInternet, createAsk } from "./ask-internet.ts";
import type { Behaviour } from "./behaviour.ts";
import { askRaw } from "./raw-client.ts";
import { startSimulatedInternet, type SimulatedInternet } from "./simulated-internet.ts";

let internet: SimulatedInternet;
let publicCa: string;
let ask: AskInternet;
beforeAll(async () => {
  internet = await startSimulatedInternet();
  publicCa = readFileSync(internet.rootCaFile, "utf8");
  ask = createAsk(internet);
});
afterAll(() => internet.close());

test("an unknown host answers a healthy page of 70,000 bytes, over both schemes", async () => {
  const secure = await askRaw({ port: internet.tlsPort, host: "any.test", ca: [publicCa] });
  const plain = await askRaw({ port: internet.httpPort, host: "any.test" });
  expect(secure).toMatchObject({ ended: "closed", isSecure: true });
  for (const { text } of [secure, plain]) {
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
    expect(text.split("\r\n\r\n")[1]).toHaveLength(70_000);
  }
});

test.for<[Behaviour, string, RegExp]>([
  [{ kind: "page", status: 503, body: "out" }, "closed", /^HTTP\/1\.1 503 .*\r\n\r\nout$/su],
  [{ kind: "http-silence" }, "silent", /^$/u],
  [{ kind: "http-reset" }, "ECONNRESET", /^$/u],
  [{ kind: "http-close" }, "closed", /^$/u],
  [{ kind: "http-malformed", part: "status-line" }, "closed", /^SSH-2/u],
  [{ kind: "http-malformed", part: "header" }, "closed", /\r\nX-Zero: \0\r\n/u],
  [{ kind: "http-malformed", part: "version-0.9" }, "closed", /^<html>/u],
  [{ kind: "headers-many", count: 100_000 }, "closed", /(X-A: b\r\n){10000}/u],
  [{ kind: "redirect", to: "foo:bar", status: 301 }, "closed", /^HTTP\/1\.1 301 .*: foo:bar\r/su],
  [{ kind: "redirect-endless" }, "closed", /\r\nLocation: \/hop-1\r\n/u],
  [{ kind: "redirect-loop" }, "closed", /\r\nLocation: https:\/\/h\d+\.test\/\r\n/u],
  [{ kind: "legal-refusal" }, "closed", /^HTTP\/1\.1 451 (?!.*rel=)/su],
  [{ kind: "legal-refusal", blockedBy: "http://isp.test/" }, "closed", /Link: <http:.*>; rel="b/u],
  [{ kind: "block-page", body: "blocked!" }, "closed", /^HTTP\/1\.1 200 .*blocked!$/su],
  [{ kind: "denial", marker: "no-ru" }, "closed", /^HTTP\/1\.1 403 .*no-ru/su],
  [{ kind: "denial", location: "https://x.test/no" }, "closed", /^HTTP\/1\.1 302 .*: https:/su],
  [{ kind: "body-bad-chunk" }, "closed", /\r\nnot-a-length\r\n/u],
  [{ kind: "body-two-lengths" }, "closed", /content-length: 7\r\n.*Content-Length: 5\r\n/su],
])("%j", async ([behaviour, ended, text]) => {
  const answer = await ask(behaviour);
  expect(answer.ended).toBe(ended);
  expect(answer.isSecure).toBe(true);
  expect(answer.text).toMatch(text);
});

test.for<[Behaviour]>([
  [{ kind: "headers-endless" }],
  [{ kind: "informational-flood", intervalMs: 0 }],
  [{ kind: "body-endless" }],
])("%j does not end", async ([behaviour]) => {
  const answer = await ask(behaviour, { maxBytes: 3_000_000 });
  expect(answer.ended).toBe("enough");
  expect(answer.text.includes("\r\n\r\n")).toBe(behaviour.kind !== "headers-endless");
});

test.for<[Behaviour, RegExp]>([
  [{ kind: "headers-drip", intervalMs: 20 }, /X-Filler: drop\r\n$/u],
  [{ kind: "informational-flood", status: 102, intervalMs: 20 }, /^HTTP\/1\.1 102 /u],
  [{ kind: "body-drip", intervalMs: 20, chunkBytes: 3 }, /\r\n\r\n.{3,}$/su],
])("%j drips endlessly", async ([behaviour, text]) => {
  const answer = await ask(behaviour, { maxBytes: 300 });
  expect(answer.ended).toBe("enough");
  expect(answer.text).toMatch(text);
  expect(answer.text.length).toBeLessThan(2_000);
});

test("delays apply to the head and the body", async () => {
  const hourMs = 3_600_000;
  expect(await ask({ kind: "page", delayMs: hourMs })).toMatchObject({ ended: "silent", text: "" });
  const halting = await ask({ kind: "page", bodyDelayMs: hourMs });
  expect(halting).toMatchObject({ ended: "silent", text: expect.stringMatching(/\r\n\r\n$/u) });
  const page = { kind: "page", delayMs: 50, bodyDelayMs: 50, body: "late" } as const;
  expect((await ask(page)).text).toMatch(/\r\n\r\nlate$/u);
});

describe("body", () => {
  test.for<[Behaviour, string]>([
    [{ kind: "body-stall", afterBytes: 9_000 }, "silent"],
    [{ kind: "body-close", afterBytes: 9_000 }, "closed"],
    [{ kind: "body-reset", afterBytes: 9_000 }, "ECONNRESET"],
    [{ kind: "body-overrun", announcedBytes: 5_000, sentBytes: 9_000 }, "closed"],
  ])("%j sends 9,000 bytes", async ([behaviour, ended]) => {
    const answer = await ask(behaviour);
    expect(answer.ended).toBe(ended);
    expect(answer.text.split("\r\n\r\n")[1]).toHaveLength(9_000);
  });

  test("body-bomb compresses 5 MB to less than 20 kB", async () => {
    const answer = await ask({ kind: "body-bomb", bodyBytes: 5_000_000 });
    expect(answer.text).toMatch(/\r\nContent-Encoding: gzip\r\n/u);
    expect(answer.rawBytes).toBeLessThan(20_000);
  });
});
