import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log/log.ts";
import { EMPTY_LEDGER } from "../model/reports.ts";
import { type ObjectStore, StoreError } from "../model/store.ts";
import { SECOND_MS } from "../model/time.ts";
import { keepCopy, readCopy, SECRET_KEY, UnusableStoreError } from "./intake-secret.ts";
import { makeJournalFolder, withJournal } from "./journal-folder.ts";
import { meetStore, type MetStore, untilDone } from "./meet-store.ts";

/** An intake that has all it needs beside its journal begins without a store that is silent for so long. */
const PATIENCE_MS = 5 * SECOND_MS;

/** What an intake stands on: its store, and what is known of it. */
export interface Place extends MetStore {
  /** Resolves when the store was met: nothing may be published before. Rejects when it cannot be met now. */
  readonly meet: () => Promise<void>;
  /** Resolves if it shows, later than at the start, that nothing may be published into the store. */
  readonly failure: Promise<UnusableStoreError>;
}

const NEVER: Promise<never> = new Promise(() => undefined);

/** What is known of a store that was met at the start. */
const MET: Pick<Place, "meet" | "failure"> = { meet: () => Promise.resolve(), failure: NEVER };

/**
 * Meets the state store. With a journal that an intake has used before, a store that is down, or silent for five seconds, is met
 * later. Throws `StoreError`, `StateError`, `UsageError`, `JournalError`.
 *
 * @param folder of the journal; undefined when there is none.
 */
export async function openPlace(
  store: ObjectStore,
  folder: string | undefined,
  log: Log,
): Promise<Place> {
  if (folder === undefined) {
    const met = await meetStore(store, undefined, log.emit).catch(rethrowDown);
    if (typeof met !== "string") return { ...met, ...MET };
    throw cannotBegin(`${met} Without --journal an intake cannot start while its store is down.`);
  }
  await makeJournalFolder(folder);
  const copy = await withJournal(folder, () => readCopy(folder));
  const meeting = meetAndKeep(store, folder, copy, log).catch(rethrowDown);
  if (copy === undefined) {
    const met = await meeting;
    if (typeof met !== "string") return { ...met, ...MET };
    throw cannotBegin(`${met} The first start with --journal ${folder} takes a secret from there.`);
  }
  const silence = delay(PATIENCE_MS, `${store.name} does not answer.`, { ref: false });
  const met = await Promise.race([meeting, silence]);
  if (typeof met !== "string") return { ...met, ...MET };
  log.warn(`Nothing is published until the state store answers; reports are taken: ${met}`);
  return { ...awaitStore(store, folder, copy, log), secret: copy, ledger: EMPTY_LEDGER };
}

/** What a store that is down says; whatever else is wrong is thrown on. */
function rethrowDown(error: unknown): string {
  if (error instanceof StoreError && !(error instanceof UnusableStoreError)) return error.message;
  throw error;
}

function cannotBegin(message: string): StoreError {
  return new StoreError("read", SECRET_KEY, message);
}

/** The store, met before anything is published; what cannot be met at all is told by `failure`. */
function awaitStore(
  store: ObjectStore,
  folder: string,
  copy: Uint8Array,
  log: Log,
): Pick<Place, "meet" | "failure"> {
  let fail: ((error: UnusableStoreError) => void) | undefined;
  const failure = new Promise<UnusableStoreError>((resolve) => {
    fail = resolve;
  });
  const meet = async (): Promise<void> => {
    try {
      const { secret } = await meetAndKeep(store, folder, copy, log);
      if (Buffer.compare(secret, copy) === 0) return;
      log.warn(
        "The state store has another secret than this intake began with, so networks may count twice: start the intake again.",
      );
    } catch (error) {
      if (error instanceof UnusableStoreError) fail?.(error);
      throw error;
    }
  };
  return { meet: untilDone(meet), failure };
}

async function meetAndKeep(
  store: ObjectStore,
  folder: string,
  copy: Uint8Array | undefined,
  log: Log,
): Promise<MetStore> {
  const met = await meetStore(store, copy, log.emit);
  await keepCopy(folder, met.secret).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    log.warn(
      `The intake cannot start while the state store is down: no secret in ${folder} (${why})`,
    );
  });
  return met;
}
