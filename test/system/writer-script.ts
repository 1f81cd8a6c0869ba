import { createInterface } from "node:readline";
import { StoreError } from "../../src/model/store.ts";
import { commitOnce, openToy } from "./toy.ts";

/*
 * A writer in a process of its own. Arguments: the two store URLs. Says `ready`, then takes orders on standard input:
 * `once` commits and answers `done` or `failed MESSAGE`; `on` commits until it is killed, with one answer each.
 * When its input ends it says what it met and ends.
 */
const [publicUrl = "", stateUrl = ""] = process.argv.slice(2);
const toy = await openToy(publicUrl, stateUrl);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function attempt(): Promise<void> {
  try {
    await commitOnce(toy);
    say("done");
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    say(`failed ${error.message}`);
  }
}

// Opens the connections and warms the code up, without a change.
await toy.stateStore.find("warm-up");
await toy.publicStore.find("warm-up");
say("ready");
for await (const order of createInterface({ input: process.stdin })) {
  if (order === "on") for (;;) await attempt();
  await attempt();
}
say(`met ${JSON.stringify(toy.tally)}`);
