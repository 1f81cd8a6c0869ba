import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { eventsOf, type RunningCli, until } from "../cli/cli.ts";
import { isFree, MAX_MS, type LongCommand, openStartHarness } from "../cli/start-harness.ts";
import { measureStart } from "./measure-start.ts";
import { createRandom } from "./random.ts";

/* Signals at any instant of a start, including those without a request: loading modules, opening ports, the first publish. */

const ROUNDS = 12;
/** Some instants are after the start, when the command is ready. */
const BEYOND = 1.2;
const AGAIN_MS = 150;

const isUp: Readonly<Record<LongCommand, (running: RunningCli) => boolean>> = {
  intake: ({ stdout }) => stdout().includes("Taking reports"),
  serve: ({ stdout }) => stdout().includes("Try http"),
  watch: ({ stderr }) => stderr().includes('"event":"run-finished"'),
};

const argsOf: Readonly<Record<LongCommand, readonly string[]>> = {
  intake: ["--set", "journal=journal"],
  serve: [],
  watch: [],
};

/** Signals once, or repeatedly until the process has ended. */
async function signalAt(
  { child, ended }: RunningCli,
  atMs: number,
  signal: NodeJS.Signals,
  isImpatient: boolean,
): Promise<void> {
  await delay(atMs);
  child.kill(signal);
  if (!isImpatient) return;
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([delay(AGAIN_MS), ended]);
    child.kill(signal);
  }
}

/** Before the process handles signals, the system ends it; it has not done anything by then. */
function expectOrderlyEnd(
  { child, stdout, stderr }: RunningCli,
  signal: NodeJS.Signals,
  isImpatient: boolean,
): void {
  const end = { code: child.exitCode, signal: child.signalCode };
  if (end.signal === signal && (isImpatient || stdout() + stderr() === "")) return;
  expect(end).toEqual({ code: 0, signal: null });
}

test.concurrent.for(["intake", "serve", "watch"] as const)(
  "%s stops cleanly at any instant of its start, and can start again",
  { timeout: ROUNDS * MAX_MS },
  async (command, { onTestFinished }) => {
    const harness = await openStartHarness(onTestFinished);
    const startMs = await measureStart(harness, command, argsOf[command], isUp[command]);
    const random = createRandom(`signals of ${command}`);
    for (let round = 0; round < ROUNDS; round += 1) {
      const atMs = random() * startMs * BEYOND;
      const signal = random() < 0.5 ? "SIGTERM" : "SIGINT";
      const isImpatient = random() < 0.5;
      const running = harness.start(command, argsOf[command]);
      await signalAt(running, atMs, signal, isImpatient);
      await running.ended;
      expectOrderlyEnd(running, signal, isImpatient);
      // A stack trace would not be JSON.
      const failed = eventsOf(running.stderr()).filter(({ event }) => event === "failed");
      expect(failed).toEqual([]);
      await until("the port is free", () => isFree(harness.port), MAX_MS);
      await until("the port is free", () => isFree(harness.operationsPort), MAX_MS);
    }
    await measureStart(harness, command, argsOf[command], isUp[command]);
  },
);
