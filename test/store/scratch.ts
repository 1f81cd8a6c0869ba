import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new empty folder, removed when the test ends. */
export function makeScratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "status-snapshot-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
