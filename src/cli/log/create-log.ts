import type { Log, LogMode } from "../../setup/log.ts";

/** Opens the log of a mode on standard error. Loads only the modules of that mode. */
export async function createLog(mode: LogMode, stderr: NodeJS.WriteStream): Promise<Log> {
  switch (mode) {
    case "pretty":
      return (await import("./pretty.ts")).createPrettyLog(stderr);
    case "json":
      return (await import("./json.ts")).createJsonLog();
    case "silent":
      return {
        emit: () => undefined,
        warn: () => undefined,
        fail: (sentence) => stderr.write(`${sentence}\n`),
        refuse: (problem) => stderr.write(`${problem}\n`),
        advise: () => undefined,
        close: () => undefined,
      };
  }
}
