import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** `utime` and `stime` of /proc/PID/stat are in these, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * CPU seconds, user and system, that a process has used so far. The name of the program (in parentheses) may hold blanks:
 * fields are counted behind it. Source: proc(5). Throws when there is no such process, or no /proc.
 */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Memory that a process holds now, in bytes. Throws when there is no such process, or no /proc. Source: proc(5), VmRSS. */
export function residentBytesOf(pid: number): number {
  const [, kib = ""] =
    /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) * 1_024;
}

/** A signal ends a process without its `exit` event, unless somebody listens. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

function exitNow(): void {
  process.exit(1);
}

/** A process that serves while something is measured. */
export interface Helper {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Ends the process and waits until it is gone. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a process whose complaints go to our standard error, or nowhere. It is ended when it outlives its time, and with
 * us, however we end. Throws when it cannot be started.
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
  const gone = once(child, "exit");
  return {
    child,
    pid: child.pid ?? 0,
    stop: async () => {
      kill();
      await gone;
    },
  };
}
