import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stage } from "./stage.ts";

/** Makes the state store fail for everybody: also for root, whom no permission keeps out. The value gives it back. */
export async function takeStateAway({ folder }: Stage): Promise<() => Promise<void>> {
  const [state, away] = [join(folder, ".state"), join(folder, "away")];
  await rename(state, away);
  await writeFile(state, "no folder");
  return async () => {
    await rm(state);
    await rename(away, state);
  };
}
