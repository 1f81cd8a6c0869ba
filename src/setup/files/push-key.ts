import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import type { PushKeys } from "../../notify/channels/push.ts";
import type { Parsed } from "../parse-options.ts";
import { describeReadError } from "./named-files.ts";

/** A new key as its file has it. */
export async function makePushKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return exportJWK(privateKey);
}

/** The halves of a key. Throws if its curve is not P-256. */
export function pushKeysOf(jwk: JWK): PushKeys {
  const { kty, crv, d = "", x = "", y = "" } = jwk;
  if (kty !== "EC" || crv !== "P-256") throw new Error("not a key of P-256");
  // Checks that the halves belong together.
  createPrivateKey({ key: { kty, crv, d, x, y }, format: "jwk" });
  const halves = [x, y].map((half) => Buffer.from(half, "base64url"));
  const point = Buffer.concat([Buffer.of(4), ...halves]);
  return { publicKey: point.toString("base64url"), privateKey: d };
}

/** The key in a file that `keygen` has written, as `parse` makes it of the JSON. */
export async function readKey<Key>(
  file: string,
  owner: "notify" | "vantage",
  parse: (jwk: JWK) => Key | Promise<Key>,
): Promise<Parsed<Key>> {
  try {
    const jwk: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof jwk !== "object" || jwk === null) throw new Error("not a key");
    return { value: await parse(jwk) };
  } catch (error) {
    const make = `Make one with \`${owner} keygen --key ${file}\`.`;
    return { problem: `--key ${file}: ${describeReadError(error).problem} ${make}` };
  }
}
