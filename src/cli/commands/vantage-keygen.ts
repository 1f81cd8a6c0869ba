import { writeFile } from "node:fs/promises";
import { exportJWK, generateKeyPair } from "jose";
import { errnoOf } from "../../store/store-error.ts";
import { UsageError } from "../options/errors.ts";
import type { ExitCode } from "../options/exit-codes.ts";
import type { Io } from "../options/io.ts";

export interface VantageKeygenFlags {
  readonly key?: string;
}

/** `vantage keygen`: writes a private key that only its owner may read, and prints the line of its public half. */
export async function vantageKeygenCommand(
  { key: file }: VantageKeygenFlags,
  io: Io,
): Promise<ExitCode> {
  if (file === undefined)
    throw new UsageError(["--key is missing: name the file for the private key."]);
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const jwk = await exportJWK(privateKey);
  try {
    // Not over an older key: the runner would refuse what the vantage signs from then on.
    await writeFile(file, `${JSON.stringify(jwk)}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const why =
      errnoOf(error) === "EEXIST"
        ? "it exists already. Remove it if the runner need not know it any more"
        : error instanceof Error
          ? error.message
          : String(error);
    throw new UsageError([`--key ${file}: ${why}.`]);
  }
  io.print(`publicKey: ${jwk.x ?? ""}`);
  return 0;
}
