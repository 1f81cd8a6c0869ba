import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type WrittenRoot, writePublicRoot } from "./certificates.ts";

/** The folder of the root that all simulated internets of a test run share. */
const FOLDER_VARIABLE = "TEST_ROOT";

/**
 * Creates the public root of all simulated internets of a test run, and makes every process that starts from now on trust it: Node
 * reads extra roots only when it starts, so it is too late for a test to add one to its own process.
 */
export async function sharePublicRoot(folder: string, nowMs: number): Promise<void> {
  const { certificatePem, keyPem } = await writePublicRoot(nowMs);
  writeFileSync(join(folder, "root.pem"), certificatePem);
  writeFileSync(join(folder, "root.key"), keyPem);
  process.env[FOLDER_VARIABLE] = folder;
  process.env["NODE_EXTRA_CA_CERTS"] = join(folder, "root.pem");
}

/** The root of this test run, if there is one: the demo and benchmarks create their own. */
export function readSharedRoot(): WrittenRoot | undefined {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined || !existsSync(folder)) return undefined;
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { certificatePem: read("root.pem"), keyPem: read("root.key") };
}
