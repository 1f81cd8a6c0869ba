import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** Unit of `utime` and `stime` in /proc/PID/stat on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/**
 * User and system CPU seconds that a process has used so far. The name of the program (in parentheses) may contain blanks, so
 * fields are counted after it. Source: proc(5). Throws if there is no such process, or no /proc.
 */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory of a process. Throws if there is no such process, or no /proc. Source: proc(5), VmRSS. */
export function residentBytesOf(pid: number): number {
  const [, kib = ""] =
    /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) * 1_024;
}

/** Without a listener, a signal ends the process without its `exit` event. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

function exitNow(): void {
  process.exit(1);
}

/** A server process for a measurement. */
export interface Helper {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Ends the process and waits for its exit. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a process that inherits our standard error, unless it is quiet. It is killed after the timeout and when this process
 * ends. Throws if it cannot be started.
 */
export async function startHelper(
  program: string,
  args: readonly string[],
  { timeoutMs, isQuiet = false }: { readonly timeoutMs: number; readonly isQuiet?: boolean },
): Promise<Helper> {
  const child = spawn(program, args, {
    timeout: timeoutMs,
    stdio: ["pipe", "pipe", isQuiet ? "ignore" : "inherit"],
  });
  await once(child, "spawn");
  const kill = (): void => void child.kill();
  process.once("exit", kill);
  for (const signal of SIGNALS) process.once(signal, exitNow);
  child.once("exit", () => {
    process.off("exit", kill);
    for (const signal of SIGNALS) process.off(signal, exitNow);
  });
  const exited = once(child, "exit");
  return {
    child,
    pid: child.pid ?? 0,
    stop: async () => {
      kill();
      await exited;
    },
  };
}
