import { randomUUID } from "node:crypto";
import type { State } from "../../model/state.ts";
import type { ETag } from "../../model/store.ts";
import { deliver, type Delivery } from "../../notify/deliver.ts";
import { type LedgerFile, openLedger } from "../../notify/ledger.ts";
import { idsIn, type OwnerSource, readOwnerSource } from "../../notify/owners/owner-source.ts";
import { sendToOwner } from "../../notify/owners/send-to-owner.ts";
import { writeEdits } from "../../state/edit-inbox.ts";
import { loadState, STATE_KEY } from "../../state/state-file.ts";
import { createInboxId } from "../../store/inbox-id.ts";
import type { Log } from "../log/log.ts";
import { isExpectedFailure, UsageError } from "../options/errors.ts";
import type { ExitCode } from "../options/exit-codes.ts";
import type { Io } from "../options/io.ts";
import { ifGiven, parseAt, parseEvery } from "../options/parse-options.ts";
import { type NotifyFlags, type NotifySetup, prepareNotify } from "../setup/notify-setup.ts";
import { sleep } from "../setup/sleep.ts";

/** Messages at once: most of the time is spent waiting for receivers. */
const CONCURRENCY = 64;

/** Object of the ledger with the channels of owners. */
const LEDGER_KEY = "owners.json.gz";

/** Options of `notify`. */
export interface NotifyOnceFlags extends NotifyFlags {
  readonly at?: string;
}

/** `notify`: tells owners once what has changed. */
export async function notifyCommand(flags: NotifyOnceFlags, io: Io, log: Log): Promise<ExitCode> {
  const at = ifGiven(flags.at, parseAt);
  if ("problem" in at) throw new UsageError([at.problem]);
  const setup = await prepareNotify(flags, io);
  const { value: atMs } = at;
  const wallMs = atMs === undefined ? io.wallMs : (): number => atMs;
  await createCycle(setup, { ...io, wallMs }, log)();
  return 0;
}

/** Options of `notify watch`. */
export interface NotifyWatchFlags extends NotifyFlags {
  /** Seconds between two looks at the state. */
  readonly every: string;
}

/** `notify watch`: tells owners what changes until stopped. A store that fails is logged and asked again. */
export async function notifyWatchCommand(
  flags: NotifyWatchFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const every = parseEvery(flags.every);
  if ("problem" in every) throw new UsageError([every.problem]);
  const setup = await prepareNotify(flags, io);
  const cycle = createCycle(setup, io, log);
  let failure = "";
  while (!io.stop.aborted) {
    try {
      await cycle();
      failure = "";
    } catch (error) {
      if (!isExpectedFailure(error)) throw error;
      // A store that is down stays down for hours: one line says so.
      if (error.message !== failure) log.warn(error.message);
      failure = error.message;
    }
    await sleep(every.value, io.stop);
  }
  return 0;
}

/** One look at the state, and the messages that follow from it. The state is read again only if it has changed. */
function createCycle(setup: NotifySetup, io: Io, log: Log): () => Promise<void> {
  const holder = randomUUID();
  const readState = createStateReader(setup, log);
  let known: LedgerFile | undefined;
  return async () => {
    // Another notifier may have written it: a conflict shows that, and then it is read again.
    const ledger = known ?? (await openLedger(setup.ledgerStore, LEDGER_KEY));
    known = undefined;
    const startedMs = performance.now();
    const done = await deliverOnce(setup, { ledger, holder, readState }, io, log);
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

type ReadState = () => Promise<State>;

function createStateReader({ stateStore }: NotifySetup, log: Log): ReadState {
  let known: { readonly etag: ETag; readonly state: State } | undefined;
  return async () => {
    if (known !== undefined && (await stateStore.find(STATE_KEY)) === known.etag)
      return known.state;
    const { state, etag } = await loadState(stateStore, log.emit);
    known = etag === undefined ? undefined : { etag, state };
    return state;
  };
}

async function deliverOnce(
  { stateStore, keys, probe }: NotifySetup,
  {
    ledger,
    holder,
    readState,
  }: { readonly ledger: LedgerFile; readonly holder: string; readonly readState: ReadState },
  io: Io,
  log: Log,
): Promise<Delivery | "busy"> {
  let source: OwnerSource | undefined;
  let state: State | undefined;
  return deliver({
    ledger,
    holder,
    readSource: async (taken) => {
      state = await readState();
      source = await readOwnerSource(stateStore, state, taken, io.wallMs());
      return source;
    },
    send: async (key, message) => {
      const receiver = source?.channels.get(key);
      if (receiver === undefined || state === undefined)
        return { kind: "failed", reason: "no such channel" };
      return sendToOwner(receiver, message, {
        probe,
        signal: io.stop,
        keys: { ...keys, contact: contactOf(state) },
        websiteUrl: state.baseUrl?.replace(/\/+$/u, ""),
        wallMs: io.wallMs,
      });
    },
    stopChannel: async (key) => {
      const { monitorId: id, channelId } = idsIn(key);
      const atMs = io.wallMs();
      log.emit({ event: "channel-stopped", monitor: id });
      await writeEdits(stateStore, createInboxId(atMs), [
        { kind: "channel-stopped", id, channelId, atMs },
      ]);
    },
    onFailed: (key, reason, tries) =>
      log.emit({ event: "notice-failed", monitor: idsIn(key).monitorId, reason, tries }),
    wallMs: io.wallMs,
    signal: io.stop,
    concurrency: CONCURRENCY,
  });
}

/** Whom the service of a browser can ask about us. */
function contactOf({ siteSettings, baseUrl }: State): string {
  const { contact } = siteSettings.people;
  if (contact !== undefined && /^(?:mailto:|https:)/u.test(contact)) return contact;
  const host = baseUrl === null ? "localhost" : new URL(baseUrl).hostname;
  return `mailto:status-snapshot@${host}`;
}
