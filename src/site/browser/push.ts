/**
 * The service worker that shows notices to owners. It does nothing else: no page goes through it. The notice comes encrypted from our
 * notifier. Source: docs/monitors/owners.md, "Alerts".
 */

/** The part of the worker's scope that is used; `lib.dom` has only that of pages. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { readonly openWindow: (url: string) => Promise<unknown> };
  addEventListener(
    type: "push" | "notificationclick",
    listener: (event: WorkerEvent) => void,
  ): void;
}

interface WorkerEvent extends Event {
  readonly data?: { readonly json: () => unknown } | null;
  readonly notification?: Notification;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

const scope = globalThis as unknown as WorkerScope;

/** Anything but a text shows as nothing. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

scope.addEventListener("push", (event) => {
  // A trial, by which our notifier learns that the subscription is real.
  if (!event.data) return;
  const notice = (event.data.json() ?? {}) as Readonly<Record<string, unknown>>;
  const { title, body, tag, url } = notice;
  const options = { body: textOf(body), tag: textOf(tag), data: textOf(url), icon: "icon-192.png" };
  event.waitUntil(scope.registration.showNotification(textOf(title), options));
});

scope.addEventListener("notificationclick", (event) => {
  event.notification?.close();
  const url: unknown = event.notification?.data;
  if (typeof url === "string" && /^https?:/.test(url))
    event.waitUntil(scope.clients.openWindow(url));
});
