import type { Log, LogMode } from "./log.ts";

/** The log of a mode, on standard error, which is given. The modules of a mode are loaded only when it is used. */
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
        close: () => undefined,
      };
  }
}
