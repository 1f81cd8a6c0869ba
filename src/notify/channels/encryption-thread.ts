import { parentPort } from "node:worker_threads";
import { encrypt, type EncryptionJob } from "./encryptor.ts";

/* Entry of the thread that encrypts for `createEncryptor`: each message has some jobs, and its answer their results. */

parentPort?.on("message", (jobs: readonly EncryptionJob[]) => {
  parentPort?.postMessage(jobs.map(encrypt), []);
});
