import { randomUUID } from "node:crypto";
import type { ObjectStore } from "../../model/store.ts";
import { deliver, type Source } from "../../notify/deliver.ts";
import { type LedgerFile, openLedger } from "../../notify/ledger.ts";
import type { Log } from "../../setup/log.ts";
import { isExpectedFailure } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import { type Call, type Io, sleep } from "../../setup/io.ts";
import type { Flags, NotifyFlags } from "../../setup/options/options.ts";
import { type NotifySetup, prepareNotify } from "../../setup/notifier/notify-setup.ts";
import { createOwnerNotices } from "../../setup/notifier/owner-notices.ts";
import { createServiceNotices } from "../../setup/notifier/service-notices.ts";
import { createStateReader } from "../../setup/notifier/state-reader.ts";
import { createVisitorNotices, type VisitorNotices } from "../../setup/notifier/visitor-notices.ts";

/** `notify`: tells all receivers once what has changed. */
export async function notifyCommand({
  flags,
  problems,
  io,
  log,
}: Call<NotifyFlags & Flags<"at">>): Promise<ExitCode> {
  const { atMs } = flags;
  const setup = await prepareNotify(flags, problems, io);
  const ioThen = atMs === undefined ? io : { ...io, wallMs: (): number => atMs };
  let code: ExitCode = 0;
  const sources = createSources(setup, ioThen, log);
  for (const source of sources) {
    try {
      await createCycle(source, setup.ledgerStore, ioThen, log)();
      await source.settle?.();
    } catch (error) {
      // One that fails keeps nothing from the others.
      if (!isExpectedFailure(error)) throw error;
      log.fail(error.message);
      code = 1;
    }
  }
  return code;
}

/** `notify watch`: tells what changes until stopped. A store or a website that fails is logged and asked again. */
export async function notifyWatchCommand({
  flags,
  problems,
  io,
  log,
}: Call<NotifyFlags & Flags<"notifyWatch">>): Promise<ExitCode> {
  const setup = await prepareNotify(flags, problems, io);
  const cycles = createSources(setup, io, log)
    .map((source) => createCycle(source, setup.ledgerStore, io, log))
    .map((cycle) => tolerate(cycle, log));
  while (!io.stop.aborted) {
    await Promise.all(cycles.map((cycle) => cycle()));
    await sleep(flags.everyMs, io.stop);
  }
  return 0;
}

/** One look at a source, and the messages that follow from it. */
function createCycle(
  source: Source,
  ledgerStore: ObjectStore,
  { wallMs, stop }: Pick<Io, "wallMs" | "stop">,
  log: Log,
): () => Promise<void> {
  const holder = randomUUID();
  let known: LedgerFile | undefined;
  return async () => {
    // Another notifier may have written it: a conflict shows that, and then it is read again.
    const ledger = known ?? (await openLedger(ledgerStore, source.ledgerKey));
    known = undefined;
    const startedMs = performance.now();
    const done = await deliver(source, { ledger, holder, wallMs, signal: stop });
    if (done === "busy") return log.emit({ event: "notifier-busy" });
    known = ledger;
    const { delivered, failed, missed } = done;
    if (missed > 0) log.emit({ event: "changes-missed", count: missed });
    if (delivered + failed > 0)
      log.emit({
        event: "notices-sent",
        delivered,
        failed,
        open: done.open,
        durationMs: Math.round(performance.now() - startedMs),
      });
  };
}

/** One for each audience. */
function createSources(
  { owners, services, warnings }: NotifySetup,
  io: Io,
  log: Log,
): readonly Source[] {
  for (const warning of warnings) log.warn(warning);
  return [
    ...(owners === undefined ? [] : createStateSources(owners, io, log)),
    ...(services === undefined ? [] : [createServiceNotices(services, io, log)]),
  ];
}

/** Those who are told of what a state has: owners, and visitors. */
function createStateSources(owners: VisitorNotices, io: Io, log: Log): readonly Source[] {
  const readState = createStateReader(owners.stateStore);
  return [
    createOwnerNotices(owners, readState, io, log),
    createVisitorNotices(owners, readState, io, log),
  ];
}

/** A store that is down stays down for hours: one line says so. */
function tolerate(cycle: () => Promise<void>, log: Log): () => Promise<void> {
  let failure = "";
  return async () => {
    try {
      await cycle();
      failure = "";
    } catch (error) {
      if (!isExpectedFailure(error)) throw error;
      if (error.message !== failure) log.warn(error.message);
      failure = error.message;
    }
  };
}
