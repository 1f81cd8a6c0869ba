import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";
import { writePrivateKey } from "../../setup/files/private-key-file.ts";
import { makePushKey, pushKeysOf } from "../../setup/files/push-key.ts";

export interface NotifyKeygenFlags {
  readonly key?: string;
}

/** `notify keygen`: writes the private key of a notifier, and prints the option with its public half for the intake. */
export async function notifyKeygenCommand(
  { key: file }: NotifyKeygenFlags,
  io: Pick<Io, "print">,
): Promise<ExitCode> {
  const jwk = await makePushKey();
  await writePrivateKey(file, jwk);
  io.print(`--alerts-key ${pushKeysOf(jwk).publicKey}`);
  return 0;
}
