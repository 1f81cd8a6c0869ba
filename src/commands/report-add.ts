import { randomBytes } from "node:crypto";
import { createInboxId } from "../intake/inbox-id.ts";
import { inboxKey } from "../inbox.ts";
import type { Log } from "../log/log.ts";
import { NO_REPORTS, type Report, SYMPTOMS, type Symptom } from "../model/reports.ts";
import type { ObjectStore } from "../model/store.ts";
import { refresh } from "../refresh.ts";
import { encodeInbox, MAX_INBOX_REPORTS } from "../reports/inbox.ts";
import { describeUnknownService } from "./explain.ts";
import type { ExitCode, Io, ReleaseFlags } from "./io.ts";
import { readRelease } from "./release-setup.ts";
import { ifGiven, openChecklist, parseAt, parseLogMode, type Parsed } from "./settings.ts";

export interface ReportAddFlags extends ReleaseFlags {
  readonly count: string;
  readonly symptom?: string;
}

/** More at once can only be a slip. */
const MOST_AT_ONCE = 100_000;

/**
 * `report add`: counts reports that did not come through the intake, each as if from a network of its own, and publishes.
 * Support staff, imports with `--at`, tests.
 */
export async function reportAddCommand(
  slug: string,
  flags: ReportAddFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const checklist = openChecklist();
  const { take, note } = checklist;
  const { catalogue, ready } = await readRelease(flags, checklist);
  const count = take(parseCount(flags.count));
  const symptom = take(ifGiven(flags.symptom, parseSymptom));
  const atMs = take(ifGiven(flags.at, parseAt)) ?? io.wallMs();
  take(ifGiven(flags.log, parseLogMode));
  if (catalogue !== undefined && !catalogue.services.some((one) => one.slug === slug)) {
    note(describeUnknownService(slug, catalogue));
  }
  checklist.settle();
  if (ready === undefined || count === undefined) throw new TypeError("nothing to count");
  const reports = Array.from({ length: count }, (): Report => {
    const from = { network: randomId(), block: randomId() };
    return { slug, atMs, ...from, ...(symptom === undefined ? {} : { symptom }) };
  });
  await writeReports(ready.setup.stateStore, reports, atMs);
  // What it prints are counts: without the inbox there are none.
  const setup = { ...ready.setup, emit: log.emit, mustCount: true };
  const { snapshot } = await refresh(setup, atMs);
  const { hour, day } = snapshot.services.find((one) => one.slug === slug)?.reports ?? NO_REPORTS;
  io.print(`Counted ${count} of ${slug}: ${hour} in the last hour, ${day} in the last 24 hours.`);
  return 0;
}

async function writeReports(
  store: ObjectStore,
  reports: readonly Report[],
  atMs: number,
): Promise<void> {
  for (let from = 0; from < reports.length; from += MAX_INBOX_REPORTS) {
    const body = encodeInbox(reports.slice(from, from + MAX_INBOX_REPORTS));
    const object = { body, contentType: "application/json", cacheControl: "no-store" };
    await store.write(inboxKey(createInboxId(atMs)), object, { kind: "absent" });
  }
}

/** Of the form of a keyed hash, and of nobody. */
function randomId(): string {
  return randomBytes(9).toString("base64url");
}

function parseCount(text: string): Parsed<number> {
  const value = Number(text);
  if (/^\d+$/u.test(text) && value >= 1 && value <= MOST_AT_ONCE) return { value };
  return { problem: `--count ${text}: give a whole number from 1 to ${MOST_AT_ONCE}.` };
}

function parseSymptom(text: string): Parsed<Symptom> {
  const symptom = SYMPTOMS.find((one) => one === text);
  return symptom === undefined
    ? { problem: `--symptom ${text}: give one of ${SYMPTOMS.join(", ")}.` }
    : { value: symptom };
}
