import { dirname } from "node:path";
import { replaceFile } from "../../store/atomic-file.ts";

/** Others may read it: the exporter of metrics runs as another user. */
const MODES = { file: 0o644, folder: 0o755 } as const;

/** Writes a file atomically, with a temporary one in the same folder. Returns a sentence on what to fix if that fails. */
export async function writeOutput(
  option: string,
  path: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  try {
    await replaceFile(path, bytes, dirname(path), MODES);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${option} ${path} cannot be written: ${reason}. Create its folder, and let this user write there.`;
  }
}
