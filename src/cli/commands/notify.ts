import type { Log } from "../../setup/log.ts";
import { isExpectedFailure, UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import { type Io, sleep } from "../../setup/io.ts";
import { ifGiven, parseAt, parseEvery } from "../../setup/parse-options.ts";
import { createCycle, type NotifySource } from "../../setup/notifier/notify-cycle.ts";
import {
  type NotifyFlags,
  type NotifySetup,
  prepareNotify,
} from "../../setup/notifier/notify-setup.ts";
import { createOwnerNotices } from "../../setup/notifier/owner-notices.ts";
import { createServiceNotices } from "../../setup/notifier/service-notices.ts";
import { createStateReader } from "../../setup/notifier/state-reader.ts";
import { createVisitorNotices, type VisitorNotices } from "../../setup/notifier/visitor-notices.ts";

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
  const wallMs = atMs === undefined ? io.wallMs : (): number => atMs;
  let code: ExitCode = 0;
  const sources = createSources(setup, { ...io, wallMs }, log);
  for (const source of sources) {
    try {
      await createCycle(source, setup.ledgerStore, log)();
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
    .map((source) => createCycle(source, setup.ledgerStore, log))
    .map((cycle) => tolerate(cycle, log));
  while (!io.stop.aborted) {
    await Promise.all(cycles.map((cycle) => cycle()));
    await sleep(every.value, io.stop);
  }
  return 0;
}

/** One for each kind of receivers. */
function createSources(
  { owners, services, warnings }: NotifySetup,
  io: Io,
  log: Log,
): readonly NotifySource[] {
  for (const warning of warnings) log.warn(warning);
  return [
    ...(owners === undefined ? [] : createStateSources(owners, io, log)),
    ...(services === undefined ? [] : [createServiceNotices(services, io, log)]),
  ];
}

/** Those who are told of what a state has: owners, and visitors. */
function createStateSources(owners: VisitorNotices, io: Io, log: Log): readonly NotifySource[] {
  const readState = createStateReader(owners.stateStore, log);
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
