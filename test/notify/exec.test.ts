import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { sendExec } from "../../src/notify/channels/exec.ts";

/** Whether a process is there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const killGroup = (pid: number): void => void process.kill(-pid, "SIGKILL");

async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await delay(20);
  return !isAlive(pid);
}

test("a program that is stopped takes along what it has started", async () => {
  const stop = new AbortController();
  // Says the id of its child, as the reason of a failure would be said.
  const script = "sleep 60 & echo $! >&2; wait";
  const sent = sendExec(
    { command: ["/bin/sh", "-c", script] },
    {},
    { env: { PATH: process.env["PATH"] }, signal: stop.signal, killGroup },
  );
  await delay(300);
  stop.abort();
  const result = await sent;
  const pid = Number(/(\d+)$/u.exec(result.kind === "failed" ? result.reason : "")?.[1]);
  expect(result).toEqual({ kind: "failed", reason: `SIGKILL: ${pid}` });
  expect(await isGone(pid)).toBe(true);
});

const ENV = { PATH: process.env["PATH"] };
const { signal: GOING_ON } = new AbortController();

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("after a stop no program runs", async () => {
  const killed: number[] = [];
  const kill = (pid: number): void => {
    killed.push(pid);
    killGroup(pid);
  };
  const deps = { env: ENV, signal: AbortSignal.abort(), killGroup: kill };
  const sent = await sendExec({ command: ["/bin/sh", "-c", "sleep 60"] }, {}, deps);
  expect(sent).toEqual({ kind: "failed", reason: "SIGKILL" });
  expect(killed).toHaveLength(1);
  // One that cannot be started has nothing to be stopped.
  const none = await sendExec({ command: ["/no/program"] }, {}, deps);
  expect(none).toEqual({ kind: "failed", reason: "ENOENT" });
  expect(killed).toHaveLength(1);
});

test("a program that takes twenty seconds is stopped", async () => {
  useFakeTimers();
  const deps = { env: ENV, signal: GOING_ON, killGroup };
  const sent = sendExec({ command: ["/bin/sh", "-c", "sleep 60"] }, {}, deps);
  vi.advanceTimersByTime(20_000);
  expect(await sent).toEqual({ kind: "failed", reason: "timeout" });
});

test("what a program leaves behind holds its message up for half a second at most", async () => {
  useFakeTimers();
  const deps = { env: ENV, signal: GOING_ON, killGroup };
  // The child keeps the standard error open.
  const sent = sendExec({ command: ["/bin/sh", "-c", "sleep 2 & exit 0"] }, {}, deps);
  // The time of the program, and from its end on that of its child.
  while (vi.getTimerCount() < 2) await new Promise((resolve) => void setImmediate(resolve));
  vi.advanceTimersByTime(500);
  expect(await sent).toEqual({ kind: "delivered" });
});

test("a program that has taken a message may leave a child behind", async () => {
  const script = "sleep 1 >/dev/null 2>&1 & exit 0";
  const env = { PATH: process.env["PATH"] };
  const { signal } = new AbortController();
  const result = await sendExec(
    { command: ["/bin/sh", "-c", script] },
    {},
    { env, signal, killGroup },
  );
  expect(result).toEqual({ kind: "delivered" });
});
