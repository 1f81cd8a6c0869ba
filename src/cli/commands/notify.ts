import { randomUUID } from "node:crypto";
import type { ObjectStore } from "../../model/store.ts";
import { deliver, type Source } from "../../notify/deliver.ts";
import { type LedgerFile, openLedger } from "../../notify/ledger.ts";
import { createOwnerSource } from "../../notify/owners/owner-source.ts";
import { createServiceSource } from "../../notify/services/service-source.ts";
import { createStateReader } from "../../notify/state-audience.ts";
import { createVisitorSource } from "../../notify/visitors/visitor-source.ts";
import type { Log } from "../../setup/log.ts";
import { isExpectedFailure, UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import { type Io, sleep } from "../../setup/io.ts";
import { ifGiven, parseAt, parseEvery } from "../../setup/parse-options.ts";
import {
  type NotifyFlags,
  type NotifySetup,
  prepareNotify,
} from "../../setup/notifier/notify-setup.ts";

/** Options of `notify`. */
export interface NotifyOnceFlags extends NotifyFlags {
  readonly at?: string;
}

/** `notify`: tells all receivers once what has changed. */
export async function notifyCommand(flags: NotifyOnceFlags, io: Io, log: Log): Promise<ExitCode> {
  const at = ifGiven(flags.at, parseAt);
  if ("problem" in at) throw new UsageError([at.problem]);
  const setup = await prepareNotify(flags, io);
  const { value: atMs } = at;
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

/** Options of `notify watch`. */
export interface NotifyWatchFlags extends NotifyFlags {
  /** Seconds between two looks. */
  readonly every: string;
}

/** `notify watch`: tells what changes until stopped. A store or a website that fails is logged and asked again. */
export async function notifyWatchCommand(
  flags: NotifyWatchFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const every = parseEvery(flags.every);
  if ("problem" in every) throw new UsageError([every.problem]);
  const setup = await prepareNotify(flags, io);
  const cycles = createSources(setup, io, log)
    .map((source) => createCycle(source, setup.ledgerStore, io, log))
    .map((cycle) => tolerate(cycle, log));
  while (!io.stop.aborted) {
    await Promise.all(cycles.map((cycle) => cycle()));
    await sleep(every.value, io.stop);
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

/** One for each audience: owners and visitors, who are told of what a state has, and channels of the operator. */
function createSources(
  { owners, services, warnings }: NotifySetup,
  { wallMs, stop, env, killGroup }: Io,
  { emit, warn }: Log,
): readonly Source[] {
  for (const warning of warnings) warn(warning);
  const sources: Source[] = [];
  if (owners !== undefined) {
    const readState = createStateReader(owners.stateStore);
    const audience = { ...owners, readState, wallMs, stop, emit, warn };
    sources.push(createOwnerSource(audience), createVisitorSource(audience));
  }
  if (services !== undefined) {
    const ways = { env, killGroup, wallMs, signal: stop };
    sources.push(createServiceSource({ ...services, ...ways, emit }));
  }
  return sources;
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
