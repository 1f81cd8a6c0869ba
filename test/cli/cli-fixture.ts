import { afterAll, beforeAll } from "vitest";
import {
  startSimulatedInternet,
  type SimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import { openWorkspace, type Workspace, type WorkspaceService } from "./workspace.ts";

export interface CliFixture {
  /** The simulated internet of the test file; available in its tests. */
  readonly internet: () => SimulatedInternet;
  /** A new workspace, closed with the fixture. */
  readonly workspace: (services?: readonly WorkspaceService[]) => Promise<Workspace>;
}

/**
 * One simulated internet for a test file, with any number of workspaces. Call it at the top of the file. With `isHere`, commands
 * run in this process, for tests that do not need a separate process.
 */
export function useCliFixture(isHere = false): CliFixture {
  let internet: SimulatedInternet | undefined;
  const workspaces: Workspace[] = [];
  const open = (): SimulatedInternet => {
    if (internet === undefined)
      throw new Error("the simulated internet starts before the tests, not before the file");
    return internet;
  };
  beforeAll(async () => {
    internet = await startSimulatedInternet();
  });
  afterAll(async () => {
    await Promise.all(workspaces.map((one) => one.close()));
    await internet?.close();
  });
  return {
    internet: open,
    async workspace(services) {
      const opened = await openWorkspace(open(), services, isHere);
      workspaces.push(opened);
      return opened;
    },
  };
}
