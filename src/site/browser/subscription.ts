import { DAY_MS } from "../../model/time.ts";
import type { PushProblem } from "../words/pages/follow.ts";
import { subscribeInTime } from "./push-permission.ts";
import { askJson } from "./polling.ts";

/* What this browser and the intake know of each other. Source: docs/notify.md, "Visitors' browsers". */

/** The record at the intake, as this browser keeps it. */
export interface Kept {
  readonly id: string;
  readonly token: string;
  readonly endpoint: string;
  readonly services: readonly string[];
  readonly atMs: number;
}

/** Where subscriptions go. */
export interface Place {
  /** Base URL of the intake. */
  readonly api: string;
  readonly worker: string;
  readonly scope: string;
  /** Public key of the notifier. */
  readonly key: string;
}

const KEY = "follow";

/** The record is renewed so often on a visit; it ends after a year. */
const RENEW_MS = 7 * DAY_MS;

/** Undefined: nothing is followed, or the browser keeps nothing. */
export function recall(): Kept | undefined {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function remember(kept: Kept | undefined): void {
  if (kept === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(kept));
}

/** Whether it can keep the token: without it nothing could be switched off. */
export function canKeep(): boolean {
  try {
    remember(recall());
    return true;
  } catch {
    return false;
  }
}

/** `failed`: no answer, or a refusal that may pass. */
export type Saved = "saved" | "too-many" | "failed" | PushProblem;

/** Makes the intake tell this browser of these services, and of no others. */
export async function follow(services: readonly string[], place: Place): Promise<Saved> {
  const kept = recall();
  if (services.length === 0) return endAll(kept, place);
  const subscription = await subscribeInTime(() => subscribe(place));
  if (typeof subscription === "string") return subscription;
  if (kept !== undefined && kept.endpoint === subscription.endpoint) {
    const { status } = await ask("PUT", kept, place, { services });
    if (status === 200) remember({ ...kept, services, atMs: Date.now() });
    if (status !== 404) return resultOf(status, 200);
  }
  const language = document.documentElement.lang === "en" ? "en" : "ru";
  const body = { subscription: subscription.toJSON(), services, language };
  const { status, body: answer } = await ask("POST", undefined, place, body);
  const { id, token } = answer as Partial<Kept>;
  if (status !== 201 || id === undefined || token === undefined) return resultOf(status, 201);
  const { endpoint } = subscription;
  remember({ id, token, endpoint, services, atMs: Date.now() });
  return "saved";
}

/** Renews the record, or forgets it if the browser has ended the subscription. Never rejects. */
export async function renew(place: Place): Promise<void> {
  const kept = recall();
  if (kept === undefined) return;
  try {
    const subscription = await current(place);
    if (subscription === null || Notification.permission !== "granted") await endAll(kept, place);
    else if (subscription.endpoint !== kept.endpoint || Date.now() - kept.atMs > RENEW_MS)
      await follow(kept.services, place);
  } catch {
    // The next visit tries again.
  }
}

function resultOf(status: number, good: number): Saved {
  if (status === good) return "saved";
  return status === 429 ? "too-many" : "failed";
}

/** The browser ends its subscription first: then nothing comes, whatever the intake answers. */
async function endAll(kept: Kept | undefined, place: Place): Promise<Saved> {
  await (await current(place))?.unsubscribe();
  const { status } = kept === undefined ? { status: 404 } : await ask("DELETE", kept, place);
  if (status !== 204 && status !== 404) return resultOf(status, 204);
  remember(undefined);
  return "saved";
}

/** Of its own registration, beside that of the pages for owners: each has a subscription of its own. */
async function current({ scope }: Place): Promise<PushSubscription | null> {
  const all = await navigator.serviceWorker.getRegistrations();
  const own = all.find((one) => new URL(one.scope).pathname === scope);
  return (await own?.pushManager.getSubscription()) ?? null;
}

async function subscribe({ worker, scope, key }: Place): Promise<PushSubscription> {
  const registration = await navigator.serviceWorker.register(worker, { scope });
  await untilActive(registration);
  const { pushManager } = registration;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    // One with an earlier key of the notifier is in the way.
    const old = await pushManager.getSubscription();
    if (old === null) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(options);
  }
}

/** A worker that is still being installed takes no subscription. */
async function untilActive({ active, waiting, installing }: ServiceWorkerRegistration) {
  const worker = installing ?? waiting;
  if (active !== null || worker === null) return;
  await new Promise<void>((resolve) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
    });
  });
}

async function ask(method: string, kept: Kept | undefined, { api }: Place, body?: object) {
  const path = kept === undefined ? "" : `/${kept.id}`;
  const request = { method, key: kept?.token, body };
  return await askJson(`${api}/push${path}`, request);
}
