/**
 * Child process of publishing.test.ts: publishes generations from `first` on into a folder, prints each, and ends with its input.
 */
import { publishAll } from "../publish/publish-all.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { keysToRemove, toDocuments } from "./publishing.ts";

const [folder = "", first = ""] = process.argv.slice(2);
const store = createDirectoryStore(folder);
const stop = new AbortController();
process.stdin.resume().once("end", () => stop.abort());
for (let generation = Number(first); !stop.signal.aborted; generation += 1) {
  await publishAll(store, toDocuments(generation), { removeKeys: keysToRemove(generation) });
  process.stdout.write(`${generation}\n`);
}
