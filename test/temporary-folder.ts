import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharePublicRoot } from "./world/public-root.ts";

/**
 * One temporary folder for a whole run of the tests, in which those of the tests lie: a run that is interrupted never comes to
 * the tests' own clean-up, nor to a teardown of vitest. The root that the worlds of the tests have lies there as well. Called by
 * vitest, before the tests, in its main process.
 */
export async function setup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "status-snapshot-tests-"));
  // Some tests start a command as another user, who must come through to their own folders.
  chmodSync(folder, 0o711);
  process.env["TMPDIR"] = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  await sharePublicRoot(folder, Date.now());
}
