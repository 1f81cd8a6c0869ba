import { expect } from "vitest";
import { type RunningCli, until } from "../cli/cli.ts";
import { MAX_MS, type LongCommand, type StartHarness } from "../cli/start-harness.ts";

/** Duration of a start on this machine, in milliseconds: signals are sent at random instants of it. */
export async function measureStart(
  harness: StartHarness,
  command: LongCommand,
  args: readonly string[],
  isUp: (running: RunningCli) => boolean,
): Promise<number> {
  const startedMs = performance.now();
  const running = harness.start(command, args);
  await until("it is up", () => isUp(running), MAX_MS);
  const tookMs = performance.now() - startedMs;
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ code: 0 });
  return tookMs;
}
