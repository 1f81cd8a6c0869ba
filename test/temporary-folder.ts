import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharePublicRoot } from "./simulated-internet/public-root.ts";

/**
 * Creates one temporary folder for the temporary folders of all tests, because an interrupted run reaches neither their clean-up
 * nor a teardown of vitest. Also holds the root certificate of the simulated Internet. Called by vitest, before the tests, in its
 * main process.
 */
export async function setup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "status-snapshot-tests-"));
  // Some tests run a command as another user, who must be able to reach their folders.
  chmodSync(folder, 0o711);
  process.env["TMPDIR"] = folder;
  // As the program does: the S3 client would tell every test that its later versions need a newer Node.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  await sharePublicRoot(folder, Date.now());
}
