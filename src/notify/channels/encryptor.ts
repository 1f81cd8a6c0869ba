import { Worker } from "node:worker_threads";
import webPush from "web-push";
import type { PushReceiver } from "../../model/monitor/visitor.ts";
import { builtThread } from "../../model/program-folder.ts";

/** How messages are encrypted: RFC 8188. */
export const CODING = "aes128gcm";

/** A message, and the browser that it is for. */
export interface EncryptionJob extends Pick<PushReceiver, "p256dh" | "auth"> {
  readonly payload: string;
}

/** Encrypts a message for its browser (RFC 8291). Returns undefined if the keys of the browser are not valid. Never throws. */
export function encrypt({ p256dh, auth, payload }: EncryptionJob): Uint8Array | undefined {
  try {
    return webPush.encrypt(p256dh, auth, payload, CODING).cipherText;
  } catch {
    return undefined;
  }
}

/** Fewer at once are encrypted in less time than a thread takes to start. */
const MIN_FOR_THREAD = 64;

interface Waiting {
  readonly job: EncryptionJob;
  readonly settle: (result: Uint8Array | undefined) => void;
}

/** Encrypts as `encrypt` does; many messages at once in a thread of its own, beside the one that sends. Never rejects. */
export function createEncryptor(threadUrl = builtThread("encryption-thread")) {
  let gathered: Waiting[] = [];
  let thread: ReturnType<typeof startThread> | undefined;
  const begin = (): void => {
    const batch = gathered;
    gathered = [];
    if (batch.length >= MIN_FOR_THREAD || thread?.isBusy() === true) {
      thread ??= startThread(threadUrl);
      thread.take(batch);
    } else encryptHere(batch);
  };
  return (job: EncryptionJob): Promise<Uint8Array | undefined> =>
    new Promise((settle) => {
      if (gathered.length === 0) setImmediate(begin);
      gathered.push({ job, settle });
    });
}

function encryptHere(batch: readonly Waiting[]): void {
  for (const { job, settle } of batch) settle(encrypt(job));
}

/** A thread that takes batches in turn. One that fails, or could not start, is not used again. */
function startThread(threadUrl: URL) {
  const worker = new Worker(threadUrl);
  const batches: (readonly Waiting[])[] = [];
  let hasFailed = false;
  const fail = (): void => {
    hasFailed = true;
    for (const batch of batches.splice(0)) encryptHere(batch);
  };
  worker.on("message", (results: readonly (Uint8Array | undefined)[]) => {
    const batch = batches.shift() ?? [];
    // It must not keep a process that has nothing left to do.
    if (batches.length === 0) worker.unref();
    for (const [at, { settle }] of batch.entries()) settle(results[at]);
  });
  worker.once("error", fail);
  worker.once("exit", fail);
  return {
    isBusy: (): boolean => batches.length > 0,
    take: (batch: readonly Waiting[]): void => {
      if (hasFailed) return encryptHere(batch);
      batches.push(batch);
      worker.ref();
      worker.postMessage(
        batch.map(({ job }) => job),
        [],
      );
    },
  };
}
