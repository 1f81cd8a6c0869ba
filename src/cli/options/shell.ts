import type { Command } from "commander";
import type { Log } from "../../setup/log.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";
import { option } from "../../setup/options.ts";
import type { KeyOwner } from "../commands/keygen.ts";

/** What the definition of a command needs. */
export interface Shell {
  readonly io: Io;
  readonly finish: (code: ExitCode) => void;
  /** Runs the action of a command with its log, which is closed at the end. */
  readonly withLog: (command: Command, action: (log: Log) => Promise<ExitCode>) => Promise<void>;
}

/** Adds the command that makes a private key. */
export function addKeygenCommand(
  parent: Command,
  owner: KeyOwner,
  description: string,
  { io, withLog }: Shell,
): void {
  parent
    .command("keygen")
    .description(description)
    .addOption(option("--key <file>", "new file for the private key"))
    .action(({ key }, command: Command) =>
      withLog(command, async () =>
        (await import("../commands/keygen.ts")).keygenCommand(owner, key, io),
      ),
    );
}
