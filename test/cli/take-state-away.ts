import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "./workspace.ts";

/** Makes the state store fail, even for root, which ignores permissions. Returns a function that restores it. */
export async function takeStateAway({ folder }: Workspace): Promise<() => Promise<void>> {
  const [state, away] = [join(folder, ".state"), join(folder, "away")];
  await rename(state, away);
  await writeFile(state, "no folder");
  return async () => {
    await rm(state);
    await rename(away, state);
  };
}
