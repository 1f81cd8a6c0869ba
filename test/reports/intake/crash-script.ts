/**
 * Child process of `crash.test.ts`: persists reports, numbered from the argument on, in a folder that stands for the inbox, and in
 * a journal. Prints the number of each acknowledged report. Runs until it is killed, at most a minute: a test that fails may not kill it.
 */
import { writeSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { openJournal } from "../../../src/reports/intake/journal.ts";
import { createReportWriter } from "../../../src/reports/intake/report-writer.ts";
import { encode, reportOf } from "./reports.ts";

const [inboxFolder = "", journalFolder = "", first = ""] = process.argv.slice(2);
const nowMs = () => Date.now();
let writes = 0;

/** Writes an object atomically; four of every eight requests fail. */
async function writeInbox(id: string, bytes: Uint8Array): Promise<void> {
  const phase = writes % 8;
  writes += 1;
  if (phase < 3) throw new Error("the store is down");
  const handle = await open(join(inboxFolder, `${id}.part`), "w");
  await handle.writeFile(bytes);
  await handle.close();
  await rename(join(inboxFolder, `${id}.part`), join(inboxFolder, `${id}.object`));
  // The response is lost.
  if (phase < 4) throw new Error("connection reset");
}

const writer = createReportWriter({
  writeInbox,
  encode,
  journal: await openJournal(journalFolder, { maxReports: 20, nowMs }),
  onAccepted: () => undefined,
  emit: () => undefined,
  nowMs,
  options: { retryDelaysMs: [5, 20], maxReportsPerObject: 20 },
});

setTimeout(() => process.exit(1), 60_000);
let next = Number(first);
async function sendForever(): Promise<void> {
  for (;;) {
    const number = next;
    next += 1;
    const kept = await writer.persist(reportOf(number));
    // Synchronous, so that a number in the pipe survives the kill.
    if (kept !== "refused") writeSync(1, `${number}\n`);
  }
}
await Promise.all(Array.from({ length: 8 }, sendForever));
