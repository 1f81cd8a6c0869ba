import { makeEngineKey } from "../../engine/connection.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";
import { writePrivateKey } from "../../setup/files/private-key-file.ts";

export interface WorkerKeygenFlags {
  readonly key?: string;
}

/** `worker keygen`: writes the private key of a worker or a publisher, and prints its public half for the server. */
export async function workerKeygenCommand(
  { key: file }: WorkerKeygenFlags,
  io: Pick<Io, "print">,
): Promise<ExitCode> {
  const { seed, publicKey } = makeEngineKey();
  await writePrivateKey(file, seed);
  io.print(`nkey: ${publicKey}`);
  return 0;
}
