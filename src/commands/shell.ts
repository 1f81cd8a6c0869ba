import type { Command } from "commander";
import type { Log } from "../log/log.ts";
import type { ExitCode, Io } from "./io.ts";

/** What a command of the program needs of its process. */
export interface Shell {
  readonly io: Io;
  readonly finish: (code: ExitCode) => void;
  /** Runs the action of a command with the log it asks for, and leaves the terminal tidy. */
  readonly withLog: (command: Command, action: (log: Log) => Promise<ExitCode>) => Promise<void>;
}
