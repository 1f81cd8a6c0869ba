import { exportJWK, generateKeyPair } from "jose";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";
import { writePrivateKey } from "../../setup/files/private-key-file.ts";

export interface VantageKeygenFlags {
  readonly key?: string;
}

/** `vantage keygen`: writes a private key that only its owner may read, and prints the line of its public half. */
export async function vantageKeygenCommand(
  { key: file }: VantageKeygenFlags,
  io: Io,
): Promise<ExitCode> {
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const jwk = await exportJWK(privateKey);
  await writePrivateKey(file, jwk);
  io.print(`publicKey: ${jwk.x ?? ""}`);
  return 0;
}
