import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { startWorld, type World, type WorldOptions } from "./world.ts";
import type { WorldCommand, WorldReply } from "./world-process.ts";

/**
 * The world as a process of its own, so that its work does not weigh on what is measured:
 * `tsx test/world/main.ts --config FILE`. Its first line of output is `WorldAddresses`; then one
 * `WorldReply` per line of input, each a `WorldCommand`. Ends with its input, or on SIGTERM.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: "string" } } });
  // A JSON file of our own benchmark and demo: a slip in it is found by `set`.
  const options = (
    values.config === undefined ? {} : JSON.parse(await readFile(values.config, "utf8"))
  ) as WorldOptions;
  const world = await startWorld(options);
  const lines = createInterface({ input: process.stdin });
  process.once("SIGTERM", () => lines.close());
  process.once("SIGINT", () => lines.close());
  // JSON leaves the functions out: what remains are the addresses.
  print(world);
  for await (const line of lines) {
    if (line.trim() !== "") print(answer(world, line));
  }
  await world.close();
  // Lets go of standard input, which would keep the process alive after a signal.
  process.stdin.destroy();
}

function answer(world: World, line: string): WorldReply {
  try {
    // Whoever started us writes these lines, through the typed helper.
    const command = JSON.parse(line) as WorldCommand;
    for (const [key, behaviour] of Object.entries(command.set ?? {})) world.set(key, behaviour);
    for (const [name, behaviour] of Object.entries(command.setDns ?? {})) {
      world.setDns(name, behaviour);
    }
    return {
      ok: true,
      ...(command.connectTo && { connectToLines: world.connectToLines(command.connectTo) }),
      ...(command.stats !== undefined && { stats: world.stats(command.stats) }),
    };
  } catch (error) {
    return { ok: false, error: String(error) };
  }
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

await main();
