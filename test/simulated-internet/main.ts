import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import {
  startSimulatedInternet,
  type SimulatedInternet,
  type InternetOptions,
} from "./simulated-internet.ts";
import type { InternetCommand, InternetReply } from "./internet-process.ts";

/**
 * The simulated internet in its own process, so that its work does not affect measurements:
 * `tsx test/simulated-internet/main.ts --config FILE`. Its first line of output is `InternetAddresses`; then one
 * `InternetReply` per line of input, each an `InternetCommand`. Ends with its input, or on SIGTERM.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: "string" } } });
  // A JSON file of our own benchmark and demo; `set` finds mistakes in it.
  const options = (
    values.config === undefined ? {} : JSON.parse(await readFile(values.config, "utf8"))
  ) as InternetOptions;
  const internet = await startSimulatedInternet(options);
  const lines = createInterface({ input: process.stdin });
  process.once("SIGTERM", () => lines.close());
  process.once("SIGINT", () => lines.close());
  // JSON omits the functions, so this prints the addresses.
  print(internet);
  for await (const line of lines) {
    if (line.trim() !== "") print(answer(internet, line));
  }
  await internet.close();
  // Standard input would keep the process alive after a signal.
  process.stdin.destroy();
}

function answer(internet: SimulatedInternet, line: string): InternetReply {
  try {
    // The parent process writes these lines through `startInternetProcess`.
    const command = JSON.parse(line) as InternetCommand;
    for (const [key, behaviour] of Object.entries(command.set ?? {})) internet.set(key, behaviour);
    for (const [name, behaviour] of Object.entries(command.setDns ?? {})) {
      internet.setDns(name, behaviour);
    }
    return {
      ok: true,
      ...(command.connectTo && { connectToLines: internet.connectToLines(command.connectTo) }),
      ...(command.stats !== undefined && { stats: internet.stats(command.stats) }),
    };
  } catch (error) {
    return { ok: false, error: String(error) };
  }
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

await main();
