import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../setup/log.ts";
import { EMPTY_LEDGER } from "../model/service/reports.ts";
import { type ObjectStore, StoreError } from "../model/store.ts";
import { SECOND_MS } from "../model/time.ts";
import { keepCopy, readCopy, SECRET_KEY, UnusableStoreError } from "./network-hash-key.ts";
import { createJournalFolder, withJournal } from "./journal-folder.ts";
import { handshakeWith, type StoreHandshake, untilDone } from "./state-store-handshake.ts";

/** An intake with a copy of its secret starts without a store that is silent for this long. */
const PATIENCE_MS = 5 * SECOND_MS;

/** The state store of an intake, and what is known about it. */
export interface StateStoreSession extends StoreHandshake {
  /** Resolves when the handshake has succeeded; nothing may be published before. Rejects if it fails now. */
  readonly handshake: () => Promise<void>;
  /** Resolves if a later handshake finds that the store is unusable. */
  readonly failure: Promise<UnusableStoreError>;
}

const NEVER: Promise<never> = new Promise(() => undefined);

/** A store whose handshake succeeded at the start. */
const READY: Pick<StateStoreSession, "handshake" | "failure"> = {
  handshake: () => Promise.resolve(),
  failure: NEVER,
};

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
): Promise<StateStoreSession> {
  if (folder === undefined) {
    const result = await handshakeWith(store, undefined).catch(rethrowDown);
    if (typeof result !== "string") return { ...result, ...READY };
    throw cannotStart(
      `${result} Without --journal an intake cannot start while its store is down.`,
    );
  }
  await createJournalFolder(folder);
  const copy = await withJournal(folder, () => readCopy(folder));
  const attempt = handshakeAndCache(store, folder, copy, log).catch(rethrowDown);
  if (copy === undefined) {
    const result = await attempt;
    if (typeof result !== "string") return { ...result, ...READY };
    throw cannotStart(
      `${result} The first start with --journal ${folder} takes a secret from there.`,
    );
  }
  const silence = delay(PATIENCE_MS, `${store.name} does not answer.`, { ref: false });
  const result = await Promise.race([attempt, silence]);
  if (typeof result !== "string") return { ...result, ...READY };
  log.warn(
    `Nothing is published until the state store answers. Reports are kept in the journal as long as there is space: ${result}`,
  );
  return { ...awaitStore(store, folder, copy, log), secret: copy, ledger: EMPTY_LEDGER };
}

/** The message of a store that is down; rethrows any other error. */
function rethrowDown(error: unknown): string {
  if (error instanceof StoreError && !(error instanceof UnusableStoreError)) return error.message;
  throw error;
}

function cannotStart(message: string): StoreError {
  return new StoreError("read", SECRET_KEY, message);
}

/** A session whose handshake is made later, before anything is published. */
function awaitStore(
  store: ObjectStore,
  folder: string,
  copy: Uint8Array,
  log: Log,
): Pick<StateStoreSession, "handshake" | "failure"> {
  let fail: ((error: UnusableStoreError) => void) | undefined;
  const failure = new Promise<UnusableStoreError>((resolve) => {
    fail = resolve;
  });
  const handshakeOnce = async (): Promise<void> => {
    try {
      const { secret } = await handshakeAndCache(store, folder, copy, log);
      if (Buffer.compare(secret, copy) === 0) return;
      log.warn(
        "The state store has another secret than this intake started with, so networks may count twice: restart the intake.",
      );
    } catch (error) {
      if (error instanceof UnusableStoreError) fail?.(error);
      throw error;
    }
  };
  return { handshake: untilDone(handshakeOnce), failure };
}

async function handshakeAndCache(
  store: ObjectStore,
  folder: string,
  copy: Uint8Array | undefined,
  log: Log,
): Promise<StoreHandshake> {
  const result = await handshakeWith(store, copy);
  await keepCopy(folder, result.secret).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    log.warn(
      `The intake cannot start while the state store is down: no secret in ${folder} (${why})`,
    );
  });
  return result;
}
