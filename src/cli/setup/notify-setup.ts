import { buildProbeDependencies, buildUrlGuard } from "../../probe/probe-config.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import type { ObjectStore } from "../../model/store.ts";
import { openStore } from "../../store/open.ts";
import type { Io } from "../options/io.ts";
import { collectProblems, ifGiven, parseLogMode, type Parsed } from "../options/parse-options.ts";
import { type PushKeyPair, readPushKey } from "./push-key.ts";
import { type ProbeFlags, readProbeConfig } from "./read-probe-config.ts";

/** Options of `notify` and `notify watch`. */
export interface NotifyFlags extends ProbeFlags {
  readonly state: string;
  readonly ledger: string;
  readonly key?: string;
  readonly log?: string;
}

/** The checked settings of a notifier. */
export interface NotifySetup {
  readonly stateStore: ObjectStore;
  readonly ledgerStore: ObjectStore;
  readonly keys: PushKeyPair;
  /** Refuses what a monitor may not have. */
  readonly probe: ProbeDependencies;
}

/** Parses the options of a notifier. Throws one `UsageError` with every problem. */
export async function prepareNotify(flags: NotifyFlags, io: Io): Promise<NotifySetup> {
  const { unwrap, throwIfAny } = collectProblems();
  const stateStore = unwrap(await open(flags.state));
  const ledgerStore = unwrap(await open(flags.ledger));
  const keys = unwrap(await readKey(flags.key));
  const config = unwrap(await readProbeConfig(flags, io));
  unwrap(ifGiven(flags.log, parseLogMode));
  throwIfAny();
  if (!stateStore || !ledgerStore || !keys || !config)
    throw new TypeError("a setting without a value and without a problem");
  const probe = { ...buildProbeDependencies(config), refusalOfUrl: buildUrlGuard(config) };
  return { stateStore, ledgerStore, keys, probe };
}

async function open(url: string): Promise<Parsed<ObjectStore>> {
  const opened = await openStore(url, { role: "private" });
  return opened.kind === "refused" ? { problem: opened.message } : { value: opened.store };
}

async function readKey(file: string | undefined): Promise<Parsed<PushKeyPair>> {
  return file === undefined
    ? { problem: "--key is missing: give the file that `notify keygen` has written." }
    : readPushKey(file);
}
