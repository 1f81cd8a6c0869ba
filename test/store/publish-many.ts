/** Child of the tests beside it: publishes generations `first` to `last` into a folder and says `ready` after the first. */
import { publishAll } from "../publish/publish-all.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { keysToRemove, toDocuments } from "./publishing.ts";

const [folder = "", first = "", last = ""] = process.argv.slice(2);
const store = createDirectoryStore(folder);
for (let generation = Number(first); generation <= Number(last); generation += 1) {
  await publishAll(store, toDocuments(generation), { removeKeys: keysToRemove(generation) });
  if (generation === Number(first)) process.stdout.write("ready\n");
}
