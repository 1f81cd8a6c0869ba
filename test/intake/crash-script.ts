/**
 * Child of the test beside it: keeps reports numbered from the argument on, in a folder that plays the inbox, which fails by
 * turns, and in a journal. Says the number of each report that it acknowledges. It runs until it is killed.
 */
import { writeSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { openJournal } from "../../src/intake/journal.ts";
import { createKeeper } from "../../src/intake/keeper.ts";
import { encode, reportOf } from "./reports.ts";

const [inboxFolder = "", journalFolder = "", first = ""] = process.argv.slice(2);
const nowMs = () => Date.now();
let writes = 0;

/** One object in one step, as a store would; down for four of every eight requests. */
async function writeInbox(id: string, bytes: Uint8Array): Promise<void> {
  const phase = writes % 8;
  writes += 1;
  if (phase < 3) throw new Error("the store is down");
  const handle = await open(join(inboxFolder, `${id}.part`), "w");
  await handle.writeFile(bytes);
  await handle.close();
  await rename(join(inboxFolder, `${id}.part`), join(inboxFolder, `${id}.object`));
  // The answer gets lost.
  if (phase < 4) throw new Error("connection reset");
}

const keeper = createKeeper({
  writeInbox,
  encode,
  journal: await openJournal(journalFolder, { maxReports: 20, nowMs }),
  onAccepted: () => undefined,
  emit: () => undefined,
  nowMs,
  options: { retryDelaysMs: [5, 20], maxReportsPerObject: 20 },
});

let next = Number(first);
async function sendForever(): Promise<void> {
  for (;;) {
    const number = next;
    next += 1;
    const kept = await keeper.keep(reportOf(number));
    // At once and whole: what the pipe has, the kill cannot take back.
    if (kept !== "refused") writeSync(1, `${number}\n`);
  }
}
await Promise.all(Array.from({ length: 8 }, sendForever));
