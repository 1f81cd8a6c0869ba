import { SECOND_MS } from "../../model/time.ts";
import type { PushProblem } from "../words/pages/follow.ts";

/* How a browser comes to take notices, for visitors and owners alike. */

/** The service of the browser's maker may never answer, as in Russia. */
const PATIENCE_MS = 20 * SECOND_MS;

/** A person needs longer to read a question and to answer it. */
const UNASKED_MS = SECOND_MS;

/** Whether this browser can take notices at all. */
export const isPushPossible = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Asks the visitor for permission; undefined if it was given. */
export async function askPermission(): Promise<PushProblem | undefined> {
  const before = Notification.permission;
  const startMs = performance.now();
  if ((await Notification.requestPermission()) === "granted") return undefined;
  return before === "default" && performance.now() - startMs < UNASKED_MS ? "private" : "denied";
}

let attempts = 0;

/** The subscription, or why there is none, within 20 seconds. A later one is ended, unless another attempt waits for it. Never rejects. */
export async function subscribeInTime(
  subscribe: () => Promise<PushSubscription>,
): Promise<PushSubscription | PushProblem> {
  attempts += 1;
  const attempt = attempts;
  let isLate = false;
  const subscription = subscribe().then(
    (one) => {
      if (isLate && attempt === attempts) void one.unsubscribe();
      return one;
    },
    (error: unknown): PushProblem =>
      error instanceof DOMException && error.name === "NotAllowedError" ? "private" : "unreachable",
  );
  const patience = new Promise<PushProblem>((resolve) => {
    setTimeout(() => {
      isLate = true;
      resolve("unreachable");
    }, PATIENCE_MS);
  });
  return Promise.race([subscription, patience]);
}
