import { afterAll, beforeAll } from "vitest";
import { startWorld, type World } from "../world/world.ts";
import { openStage, type Stage, type StageService } from "./stage.ts";

export interface Theatre {
  /** The simulated internet of the test file; there once its tests run. */
  readonly world: () => World;
  /** A stage of its own for a test; closed with the theatre. */
  readonly stage: (services?: readonly StageService[]) => Promise<Stage>;
}

/**
 * One world for a test file, and as many stages in it as its tests ask for. To be called at the top of the file. With `isHere` the
 * commands of the stages run in this process: the short form of tests that are not about a process as such.
 */
export function useTheatre(isHere = false): Theatre {
  let world: World | undefined;
  const stages: Stage[] = [];
  const open = (): World => {
    if (world === undefined)
      throw new Error("the world starts before the tests, not before the file");
    return world;
  };
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(async () => {
    await Promise.all(stages.map((one) => one.close()));
    await world?.close();
  });
  return {
    world: open,
    async stage(services) {
      const opened = await openStage(open(), services, isHere);
      stages.push(opened);
      return opened;
    },
  };
}
