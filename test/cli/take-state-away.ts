import { cp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "./workspace.ts";

/** Makes the state store fail, even for root, which ignores permissions. Returns a function that restores it. */
export async function takeStateAway({ folder }: Workspace): Promise<() => Promise<void>> {
  const [state, away] = [join(folder, ".state"), join(folder, "away")];
  await rename(state, away);
  while (!(await isTaken(state))) {
    // A process that runs has made the folder again in the meantime, and what it wrote there is part of the state.
    await cp(state, away, { recursive: true });
    await rm(state, { recursive: true });
  }
  const isGivenBack = (): Promise<boolean> =>
    rename(away, state).then(
      () => true,
      () => false,
    );
  return async () => {
    await rm(state);
    // A program that asks at this very moment makes a folder of its own there, with what it has accepted.
    while (!(await isGivenBack())) {
      await cp(state, away, { recursive: true, force: false });
      await rm(state, { recursive: true, force: true });
    }
  };
}

/** Puts a file in the place of the folder; false if there is a folder again. */
async function isTaken(path: string): Promise<boolean> {
  try {
    await writeFile(path, "no folder");
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EISDIR") return false;
    throw error;
  }
}
