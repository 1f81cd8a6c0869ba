import { writeFile } from "node:fs/promises";
import { UsageError } from "../../setup/errors.ts";
import type { Action } from "../../setup/io.ts";
import type { Flags } from "../../setup/options/options.ts";
import { errnoOf, messageOf } from "../../model/errors.ts";

/** What the file of a new key has, and the line about its public half. Each loads only its own library. */
const MAKE = {
  /** Prints the line of `site.yaml`. */
  notify: async () => {
    const { makePushKey, pushKeysOf } = await import("../../setup/files/push-key.ts");
    const jwk = await makePushKey();
    return { file: JSON.stringify(jwk), line: `alertsKey: ${pushKeysOf(jwk).publicKey}` };
  },
  /** Prints the line of the runner's `vantages.yaml`. */
  vantage: async () => {
    const { exportJWK, generateKeyPair } = await import("jose");
    const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
    const jwk = await exportJWK(privateKey);
    return { file: JSON.stringify(jwk), line: `publicKey: ${jwk.x ?? ""}` };
  },
  /** Prints the line of the NATS server. */
  worker: async () => {
    const { makeEngineKey } = await import("../../engine/connection.ts");
    const { seed, publicKey } = makeEngineKey();
    return { file: seed, line: `nkey: ${publicKey}` };
  },
} as const;

export type KeyOwner = keyof typeof MAKE;

/**
 * `notify keygen`, `vantage keygen` and `worker keygen`: writes a private key into a new file that only its owner may read, and prints
 * its public half. Throws `UsageError`, also if the file exists: another key would not fit what the older one has made.
 */
export const keygenCommand: Action<Flags<"keygen">, [owner: KeyOwner]> = async (
  { flags: { key: path }, problems, io },
  owner,
) => {
  problems.throwIfAny();
  const { file, line } = await MAKE[owner]();
  if (path === undefined)
    throw new UsageError(["--key is missing: name the file for the private key."]);
  try {
    await writeFile(path, `${file}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const why =
      errnoOf(error) === "EEXIST"
        ? "it exists already. Remove it if nothing needs it any more"
        : messageOf(error);
    throw new UsageError([`--key ${path}: ${why}.`]);
  }
  io.print(line);
  return 0;
};
