import type { Command } from "commander";
import type { Log } from "../../setup/log.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";

/** What the definition of a command needs. */
export interface Shell {
  readonly io: Io;
  readonly finish: (code: ExitCode) => void;
  /** Runs the action of a command with its log, which is closed at the end. */
  readonly withLog: (command: Command, action: (log: Log) => Promise<ExitCode>) => Promise<void>;
}
