import { randomBytes } from "node:crypto";
import { createInboxId } from "../../store/inbox-id.ts";
import { inboxKey, encodeInbox, MAX_INBOX_REPORTS } from "../../state/inbox.ts";
import type { Log } from "../../setup/log.ts";
import { NO_REPORTS, type Report, SYMPTOMS, type Symptom } from "../../model/service/reports.ts";
import type { ObjectStore } from "../../model/store.ts";
import { refresh } from "../../pipeline/publish/refresh.ts";
import { describeUnknownService } from "./explain.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io, PublishFlags } from "../../setup/io.ts";
import { readPublishSettings } from "../../setup/publish-settings.ts";
import {
  ifGiven,
  collectProblems,
  parseAt,
  parseLogMode,
  type Parsed,
} from "../../setup/parse-options.ts";

export interface ReportAddFlags extends PublishFlags {
  readonly count: string;
  readonly symptom?: string;
}

/** More at once can only be a mistake. */
const MAX_AT_ONCE = 100_000;

/**
 * `report add`: counts reports that did not come through the intake, each as if from a network of its own, and publishes. For support
 * staff, imports with `--at`, and tests.
 */
export async function reportAddCommand(
  slug: string,
  flags: ReportAddFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const collector = collectProblems();
  const { unwrap, addProblem } = collector;
  const { catalogue, ready } = await readPublishSettings(flags, collector);
  const count = unwrap(parseCount(flags.count));
  const symptom = unwrap(ifGiven(flags.symptom, parseSymptom));
  const atMs = unwrap(ifGiven(flags.at, parseAt)) ?? io.wallMs();
  unwrap(ifGiven(flags.log, parseLogMode));
  if (catalogue !== undefined && !catalogue.services.some((one) => one.slug === slug)) {
    addProblem(describeUnknownService(slug, catalogue));
  }
  collector.throwIfAny();
  if (ready === undefined || count === undefined) throw new TypeError("nothing to count");
  const reports = Array.from({ length: count }, (): Report => {
    const from = { network: randomId(), block: randomId() };
    return { slug, atMs, ...from, ...(symptom === undefined ? {} : { symptom }) };
  });
  await writeReports(ready.setup.stateStore, reports, atMs);
  // It prints counts, which need the inbox.
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

/** In the format of a keyed hash, but of no real network. */
function randomId(): string {
  return randomBytes(9).toString("base64url");
}

function parseCount(text: string): Parsed<number> {
  const value = Number(text);
  if (/^\d+$/u.test(text) && value >= 1 && value <= MAX_AT_ONCE) return { value };
  return { problem: `--count ${text}: give a whole number from 1 to ${MAX_AT_ONCE}.` };
}

function parseSymptom(text: string): Parsed<Symptom> {
  const symptom = SYMPTOMS.find((one) => one === text);
  return symptom === undefined
    ? { problem: `--symptom ${text}: give one of ${SYMPTOMS.join(", ")}.` }
    : { value: symptom };
}
