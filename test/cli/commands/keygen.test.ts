import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeScratchFolder } from "../../store/scratch.ts";
import { problemsOf } from "../cli.ts";
import { runHere } from "../run-here.ts";

/** The file of a new key, and the line about its public half. */
async function make(owner: string) {
  const folder = makeScratchFolder();
  const { code, stdout, stderr } = await runHere([owner, "keygen", "--key", "key"], folder);
  expect([code, stderr]).toEqual([0, ""]);
  const file = join(folder, "key");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  return { text: readFileSync(file, "utf8"), line: stdout };
}

test("the key of a worker is a seed, and the server gets its public half", async () => {
  const { text, line } = await make("worker");
  expect(text).toMatch(/^SU[A-Z2-7]{56}\n$/u);
  expect(line).toMatch(/^nkey: U[A-Z2-7]{55}\n$/u);
});

test("the key of a vantage is a JWK, and the runner gets its public half", async () => {
  const { text, line } = await make("vantage");
  const { kty, crv, x, d } = JSON.parse(text);
  expect([kty, crv, typeof d]).toEqual(["OKP", "Ed25519", "string"]);
  expect(line).toBe(`publicKey: ${x}\n`);
});

test("the key of a notifier is a JWK, and the site gets its public half", async () => {
  const { text, line } = await make("notify");
  const { x, y } = JSON.parse(text);
  const point = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(x, "base64url"),
    Buffer.from(y, "base64url"),
  ]);
  expect(line).toBe(`alertsKey: ${point.toString("base64url")}\n`);
});

test("a key in a folder that is not there says so", async () => {
  const { code, stderr } = await runHere(
    ["worker", "keygen", "--key", "none/key"],
    makeScratchFolder(),
  );
  expect([code, problemsOf(stderr)]).toEqual([
    2,
    [expect.stringMatching(/^--key none\/key: .*ENOENT.*[^.]\.$/u)],
  ]);
});
