import { expect } from "vitest";
import { type RunningCli, until } from "../cli/cli.ts";
import { LONGEST_MS, type LongCommand, type StartLab } from "../cli/start-lab.ts";

/** How long a start takes on this machine, milliseconds: signals are sent at random instants of it. */
export async function measureStart(
  lab: StartLab,
  command: LongCommand,
  args: readonly string[],
  isUp: (running: RunningCli) => boolean,
): Promise<number> {
  const startedMs = performance.now();
  const running = lab.start(command, args);
  await until("it is up", () => isUp(running), LONGEST_MS);
  const tookMs = performance.now() - startedMs;
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0 });
  return tookMs;
}
