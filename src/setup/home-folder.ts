import { homedir } from "node:os";
import type { Io } from "./io.ts";

/** Sets `HOME` where the user of the process has none, as in a container: without it, every request of the client of S3 fails. */
export function setMissingHome({ setEnv }: Pick<Io, "setEnv">, find: () => string = homedir): void {
  try {
    find();
  } catch {
    setEnv("HOME", "/");
  }
}
