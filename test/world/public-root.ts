import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type WrittenRoot, writePublicRoot } from "./certificates.ts";

/** Where a run of the tests keeps the root of its worlds. */
const FOLDER_VARIABLE = "STATUS_SNAPSHOT_TEST_ROOT";

/**
 * Makes the root that all worlds of a run of the tests have in place of the public ones, and lets every process that begins from
 * now on trust it: Node reads such roots when it starts, so a test that probes a world in its own process comes too late.
 */
export async function sharePublicRoot(folder: string, nowMs: number): Promise<void> {
  const { certificatePem, keyPem } = await writePublicRoot(nowMs);
  writeFileSync(join(folder, "root.pem"), certificatePem);
  writeFileSync(join(folder, "root.key"), keyPem);
  process.env[FOLDER_VARIABLE] = folder;
  process.env["NODE_EXTRA_CA_CERTS"] = join(folder, "root.pem");
}

/** The root of this run of the tests, if there is one: a world of the demo or of a benchmark makes its own. */
export function readSharedRoot(): WrittenRoot | undefined {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined || !existsSync(folder)) return undefined;
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { certificatePem: read("root.pem"), keyPem: read("root.key") };
}
