import { writeFile } from "node:fs/promises";
import { errnoOf } from "../../store/store-error.ts";
import { UsageError } from "../errors.ts";

/**
 * Writes a private key, as it is or as JSON, into a new file that only its owner may read. Throws `UsageError`, also if the file exists: another key would
 * not fit what the older one has made.
 */
export async function writePrivateKey(
  file: string | undefined,
  key: object | string,
): Promise<void> {
  if (file === undefined)
    throw new UsageError(["--key is missing: name the file for the private key."]);
  try {
    const text = typeof key === "string" ? key : JSON.stringify(key);
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const why =
      errnoOf(error) === "EEXIST"
        ? "it exists already. Remove it if nothing needs it any more"
        : error instanceof Error
          ? error.message
          : String(error);
    throw new UsageError([`--key ${file}: ${why}.`]);
  }
}
