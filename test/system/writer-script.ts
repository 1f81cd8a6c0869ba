import { createInterface } from "node:readline";
import { StoreError } from "../../src/model/store.ts";
import { commitOnce, openCounterProgram } from "./counter-program.ts";

/*
 * A writer in its own process. Arguments: the two store URLs. Prints `ready`, then reads commands from standard input: `once`
 * commits and prints `done` or `failed MESSAGE`; `on` commits until it is killed, with one line for each. At the end of its
 * input it prints its counts and exits.
 */
const [publicUrl = "", stateUrl = ""] = process.argv.slice(2);
const counterProgram = await openCounterProgram(publicUrl, stateUrl);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function attempt(): Promise<void> {
  try {
    await commitOnce(counterProgram);
    say("done");
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    say(`failed ${error.message}`);
  }
}

// Opens the connections and loads the code, without a change.
await counterProgram.stateStore.find("warm-up");
await counterProgram.publicStore.find("warm-up");
say("ready");
for await (const order of createInterface({ input: process.stdin })) {
  if (order === "on") for (;;) await attempt();
  await attempt();
}
say(`met ${JSON.stringify(counterProgram.tally)}`);
