import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
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
