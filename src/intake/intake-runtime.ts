import { setTimeout as delay } from "node:timers/promises";
import { inboxKey, encodeInbox, toInboxObject } from "../state/inbox.ts";
import { type Intake, type IntakeSettings, openIntake } from "../reports/intake/create-intake.ts";
import type { Log } from "../setup/log.ts";
import type { Emit, RunEvent } from "../model/run-event.ts";
import { unlessStopped } from "../model/stopping.ts";
import { SECOND_MS } from "../model/time.ts";
import { type ReportPublishLoop, createReportPublishLoop } from "../reports/publish-loop.ts";
import { type StateStoreSession, openStateStoreSession } from "./state-store-session.ts";
import type { PreparedIntake } from "./intake-setup.ts";
import type { Io } from "../setup/io.ts";
import { openOwnerRuntime } from "./owner-runtime.ts";
import { withJournalFolder } from "./journal-folder.ts";
import { SLOWEST_WRITE_MS } from "../store/with-timeout.ts";
import { type Publisher, createPublisher } from "./publisher.ts";
import { randomUUID } from "node:crypto";
import { createNetworkKeys } from "../http-server/network-key.ts";
import { announceUntried, editVisitorShard } from "../state/visitor-shards.ts";
import { createVisitorIntake } from "../visitors/create-visitor-intake.ts";
import type { IntakeEvent } from "../reports/intake/report-writer.ts";
import {
  createThrottle,
  throttleEvents,
  MAX_STOP_MS,
  REFRESH_EVERY_MS,
  within,
} from "../setup/long-running.ts";
import { onceFor } from "../model/lists.ts";
import type { Catalogue } from "../model/service/catalogue.ts";
import type { CatalogueSource } from "../setup/files/catalogue-file.ts";

/** Makes fewer objects in a flood, at the cost of slightly later answers. Source: docs/reports/intake.md. */
const BETWEEN_WRITES_MS = 20;

/** How often the catalogue is read, so that new services can be reported. Source: docs/reports/intake.md. */
const POLL_EVERY_MS = SECOND_MS;

/** Longest delay of the website after the last report, if a publish has left it out. */
const SITE_BEHIND_MS = 5 * SECOND_MS;

const CATALOGUE_EVENTS: ReadonlySet<RunEvent["event"]> = new Set([
  "catalogue-changed",
  "catalogue-reload-rejected",
  "overlay-unused",
]);

const CUT_OFF =
  "The publish in progress did not end within a minute and is cut off. No report is lost: the next start publishes them.";

export type IntakeRuntime = Exclude<Awaited<ReturnType<typeof openIntakeRuntime>>, "stopped">;

/**
 * Opens the intake, which from then on also publishes falling counts. With a journal that an intake has used before, it opens even while
 * the store is down. A stop meanwhile ends the opening at once. In that case, and if it throws, nothing stays open. Throws `StoreError`,
 * `StateError`, `UsageError`, `JournalError`.
 */
export async function openIntakeRuntime(prepared: PreparedIntake, io: Io, log: Log) {
  const { ready, settings } = prepared;
  const folder = settings.journal?.folder;
  const session = await unlessStopped(
    () => openStateStoreSession(ready.setup.stateStore, folder, log),
    io.stop,
  );
  if (session === "stopped") return session;
  for (const warning of ready.warnings) log.warn(warning);
  const isDue = createThrottle(io.wallMs);
  const emit = throttleEvents(log.emit, isDue);
  const warnOf: WarnOf = (part) => (message) => {
    if (isDue(part)) log.warn(message);
  };
  const { publisher, publishLoop, owners } = connect(prepared, session, io, emit, warnOf);
  const visitors = openVisitorRuntime(prepared, session.secret, io.wallMs, warnOf("visitors"));
  const opening = (): Promise<Intake> =>
    openIntake({
      ...settingsOf(prepared, publishLoop, publisher),
      emit: (event) => log.warn(describeEvent(event)),
      nowMs: io.wallMs,
      secret: session.secret,
      parts: [owners.intake, visitors],
    });
  const intake = await (folder === undefined ? opening() : withJournalFolder(folder, opening));
  // Publishes the reports that a killed intake has left in the inbox.
  publishLoop.request();
  const refreshing = setInterval(() => publishLoop.request(), REFRESH_EVERY_MS);
  const reloading = setInterval(() => void ready.catalogue.read(emit), POLL_EVERY_MS);
  return {
    intake,
    /** Resolves when the first publish has ended, with or without success; at once if the store was down. */
    firstPublish: session.isUp ? publishLoop.firstPublish : Promise.resolve(),
    failure: session.failure,
    /** To be called when nothing listens any more. Takes a minute at most; then a publish in progress is cut off. */
    close: async (): Promise<void> => {
      clearInterval(refreshing);
      clearInterval(reloading);
      const parts = [intake.close(), owners.close(), visitors.close()];
      const closed = Promise.all(parts).then(publishLoop.close);
      if ((await within(closed, MAX_STOP_MS, "late")) === "late") log.warn(CUT_OFF);
      await publisher.close();
    },
  };
}

/** Warns about a part of the intake, not too often. */
type WarnOf = (part: "owners" | "publish" | "visitors") => (message: string) => void;

/** The publishing thread, the loop that publishes in it, and the part for owners, which asks both. */
function connect(
  prepared: PreparedIntake,
  session: StateStoreSession,
  { wallMs }: Io,
  emit: Emit,
  warnOf: WarnOf,
) {
  const publisher = createPublisher(prepared.flags, (event) => {
    // The thread reads the catalogue as well; this thread already logs its changes.
    if (!CATALOGUE_EVENTS.has(event.event)) emit(event);
  });
  const warn = warnOf("publish");
  let behind: NodeJS.Timeout | undefined;
  const publishLoop: ReportPublishLoop = createReportPublishLoop(
    {
      publish: async (nowMs) => {
        await session.handshake();
        const published = await publisher.publish(nowMs, owners.areEditsLater());
        owners.notePublished(published);
        // The website follows even if no report does.
        clearTimeout(behind);
        if (published.isSiteBehind)
          behind = setTimeout(() => publishLoop.request(), SITE_BEHIND_MS).unref();
        return published;
      },
      wallMs,
      now: () => performance.now(),
      // Closing the loop does not wait for it.
      pause: (ms) => delay(ms, undefined, { ref: false }),
      onFailure: (error) =>
        warn(`Reports wait to be published: ${error instanceof Error ? error.message : ""}`),
    },
    session.ledger,
  );
  const owners = openOwnerRuntime({
    prepared,
    secret: session.secret,
    publisher,
    requestPublish: publishLoop.request,
    warn: warnOf("owners"),
    wallMs,
  });
  return { publisher, publishLoop, owners };
}

function settingsOf(
  { ready, settings }: PreparedIntake,
  publishLoop: ReportPublishLoop,
  publisher: Publisher,
): Omit<IntakeSettings, "emit" | "nowMs" | "secret"> {
  const { stateStore } = ready.setup;
  return {
    ...settings,
    hasService: knowServices(ready.catalogue),
    countsOf: publishLoop.countsOf,
    sincePublishMs: publishLoop.sincePublishMs,
    encode: encodeInbox,
    writeInbox: async (id, body) => {
      // Unconditional: a name always has the same bytes, and in a directory conditional writes wait for each other.
      await stateStore.write(inboxKey(id), toInboxObject(body));
      publisher.noteWritten(id, body);
    },
    onAccepted: publishLoop.accept,
    onReplayed: publishLoop.moveToInbox,
    onJournalEmpty: publishLoop.clearJournal,
    writer: {
      minIntervalMs: BETWEEN_WRITES_MS,
      ...(settings.journal === undefined ? { inboxTimeoutMs: SLOWEST_WRITE_MS } : {}),
    },
  };
}

function describeEvent(event: IntakeEvent): string {
  switch (event.event) {
    case "inbox-failed":
      return `The state store does not take reports: ${event.message}`;
    case "inbox-back":
      return "The state store takes reports again.";
    case "intake-refusing":
      return `Reports are refused, because neither the store nor the journal accepts them: ${event.message}`;
    case "journal-damaged":
      return `${event.lines} lines of the journal ${event.id} cannot be read. Is the disk at fault?`;
    case "journal-failed":
      return `The journal cannot be read or cleaned up, and is tried again: ${event.message}`;
  }
}

/** Opens the visitors' part of an intake. It takes subscriptions only where the key of a notifier is given. */
function openVisitorRuntime(
  prepared: PreparedIntake,
  secret: Uint8Array,
  nowMs: () => number,
  warn: (message: string) => void,
) {
  const { setup, catalogue } = prepared.ready;
  const { stateStore, pause } = setup;
  return createVisitorIntake({
    ...prepared.settings,
    isOn: prepared.alerts !== undefined,
    rules: {
      refusalOfUrl: prepared.rules.refusalOfUrl,
      isPlainAllowed: prepared.alerts?.isPlainAllowed ?? false,
      hasService: knowServices(catalogue),
    },
    toNetworkKey: createNetworkKeys(secret),
    storage: {
      editShard: (number, apply) => editVisitorShard(stateStore, number, apply, pause),
      announceUntried: () => announceUntried(stateStore, randomUUID()),
    },
    nowMs,
    onFailure: (message) => warn(`The state store does not take subscriptions: ${message}`),
  });
}

const slugsOf = onceFor(({ services }: Catalogue) => new Set(services.map(({ slug }) => slug)));

/** Whether the last catalogue that was read has a service. */
function knowServices({ current }: CatalogueSource): (slug: string) => boolean {
  return (slug) => slugsOf(current()).has(slug);
}
