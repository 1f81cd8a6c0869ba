import { randomBytes } from "node:crypto";
import { messageOf } from "../model/errors.ts";
import { EMPTY_LEDGER } from "../model/service/reports.ts";
import { type ObjectStore, StoreError } from "../model/store.ts";
import { createSignal } from "../model/stopping.ts";
import { within } from "../setup/long-running.ts";
import { SECOND_MS } from "../model/time.ts";
import type { Log } from "../setup/log.ts";
import { loadState } from "../state/state-file.ts";
import {
  checkConditionalWrites,
  supportsConcurrentWriters,
} from "../store/conditional-write-check.ts";
import { createJournalFolder, withJournalFolder } from "./journal-folder.ts";
import {
  findSecret,
  keepCopy,
  putSecret,
  readCopy,
  SECRET_KEY,
  UnusableStoreError,
} from "./network-hash-key.ts";

/** An intake with a copy of its secret starts without a store that is silent for this long. */
const PATIENCE_MS = 5 * SECOND_MS;

/** A store whose handshake succeeded at the start. */
const READY = {
  isUp: true,
  handshake: async (): Promise<void> => undefined,
  failure: new Promise<UnusableStoreError>(() => undefined),
};

export type StateStoreSession = Awaited<ReturnType<typeof openStateStoreSession>>;

/**
 * Makes the handshake with the state store. With a journal that an intake has used before, the handshake with a store that is down, or
 * silent for five seconds, follows later. Throws `StoreError`, `StateError`, `UsageError`, `JournalError`.
 *
 * @param folder of the journal; undefined if there is none.
 */
export async function openStateStoreSession(
  store: ObjectStore,
  folder: string | undefined,
  log: Log,
) {
  if (folder !== undefined) await createJournalFolder(folder);
  const copy =
    folder === undefined ? undefined : await withJournalFolder(folder, () => readCopy(folder));
  const shakeHands = () => handshakeAndCache(store, folder, copy, log);
  const attempt = shakeHands().catch(rethrowDown);
  const silent = `${store.name} does not answer.`;
  const result = await (copy === undefined ? attempt : within(attempt, PATIENCE_MS, silent));
  if (typeof result !== "string") return { ...result, ...READY };
  if (copy === undefined) {
    const cure =
      folder === undefined
        ? "Without a journal an intake cannot start while its store is down."
        : `The first start with the journal ${folder} takes a secret from there.`;
    throw new StoreError("read", SECRET_KEY, `${result} ${cure}`);
  }
  log.warn(
    `Nothing is published until the state store answers. Reports are kept in the journal as long as there is space: ${result}`,
  );
  return { ...awaitStore(shakeHands, copy, log), secret: copy, ledger: EMPTY_LEDGER };
}

/** The message of a store that is down; rethrows any other error. */
function rethrowDown(error: unknown): string {
  if (error instanceof StoreError && !(error instanceof UnusableStoreError)) return error.message;
  throw error;
}

/** A session whose handshake is made later, before anything is published: concurrent calls share one attempt. */
function awaitStore(
  shakeHands: () => ReturnType<typeof handshakeAndCache>,
  copy: Uint8Array,
  log: Log,
): typeof READY {
  const [failure, fail] = createSignal<UnusableStoreError>();
  let done: Promise<void> | undefined;
  const attempt = async (): Promise<void> => {
    try {
      const { secret } = await shakeHands();
      if (Buffer.compare(secret, copy) === 0) return;
      log.warn(
        "The state store has another secret than this intake started with, so networks may count twice: restart the intake.",
      );
    } catch (error) {
      done = undefined;
      if (error instanceof UnusableStoreError) fail(error);
      throw error;
    }
  };
  return {
    isUp: false,
    /** Resolves when the handshake has succeeded; nothing may be published before. Rejects if it fails now. */
    handshake: () => (done ??= attempt()),
    /** Resolves if a later handshake finds that the store is unusable. */
    failure,
  };
}

/** @param copy the intake's own copy of the secret, for a store that has lost it. */
async function handshakeAndCache(
  store: ObjectStore,
  folder: string | undefined,
  copy: Uint8Array | undefined,
  log: Log,
) {
  // First, because a plain read finds a store that is down the soonest.
  const found = await findSecret(store);
  await requireConcurrentWriters(store);
  const secret = found ?? (await putSecret(store, copy));
  const { state } = await loadState(store);
  if (folder !== undefined)
    await keepCopy(folder, secret).catch((error: unknown) => {
      log.warn(
        `The intake cannot start while the state store is down: no secret in ${folder} (${messageOf(error)})`,
      );
    });
  return {
    /** The key of the network hashes. */
    secret,
    ledger: state.reports.ledger,
  };
}

/** Runs and the intake publish concurrently: a store that ignores conditions would let the older write win. */
async function requireConcurrentWriters(store: ObjectStore): Promise<void> {
  const key = `intake/${randomBytes(8).toString("hex")}`;
  // Twice, for a request that was lost looks like one that was refused.
  if (supportsConcurrentWriters(await checkConditionalWrites(store, key))) return;
  if (supportsConcurrentWriters(await checkConditionalWrites(store, key))) return;
  throw new UnusableStoreError(
    "write",
    key,
    `${store.name}: this store ignores the conditions of writes, so only one program may write there. Use another --state for an intake that works in parallel to runs; doctor says more.`,
  );
}
