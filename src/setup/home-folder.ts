import { homedir } from "node:os";
import type { Io } from "./io.ts";

/**
 * Sets `HOME` where the user of the process has none: in a container, any number may be a user. The client of S3 looks for its files there,
 * and every request to a store would fail.
 */
export function setMissingHome({ setEnv }: Pick<Io, "setEnv">, find: () => string = homedir): void {
  try {
    find();
  } catch {
    setEnv("HOME", "/");
  }
}
