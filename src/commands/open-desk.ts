import { setTimeout as delay } from "node:timers/promises";
import { inboxKey } from "../inbox.ts";
import type { IntakeEvent } from "../intake/events.ts";
import { type Intake, type IntakeSettings, openIntake } from "../intake/open-intake.ts";
import type { Log } from "../log/log.ts";
import type { RunEvent } from "../model/event.ts";
import { unlessStopped } from "../model/stopping.ts";
import { SECOND_MS } from "../model/time.ts";
import { createReportDesk, type ReportDesk } from "../report-desk.ts";
import { encodeInbox } from "../reports/inbox.ts";
import type { CatalogueSource } from "./catalogue-source.ts";
import { openPlace, type Place } from "./intake-place.ts";
import type { PreparedIntake } from "./intake-setup.ts";
import type { Io } from "./io.ts";
import { withJournal } from "./journal-folder.ts";
import { createPublisher, type Published, type Publisher } from "./publisher.ts";
import { createReminder, emitSeldom } from "./seldom.ts";
import { endsWithin, LONGEST_STOP_MS } from "./stopping.ts";

/** Fewer objects to count in a flood, for an answer that comes a moment later. Source: docs/intake.md. */
const BETWEEN_WRITES_MS = 20;

/** The longest that a report waits for the store where there is no journal; a browser waits longer. */
const SLOWEST_WRITE_MS = 10 * SECOND_MS;

/** Counts fall by themselves as reports grow old: this often, at the latest. Source: docs/reports.md. */
const REFRESH_EVERY_MS = 50 * SECOND_MS;

/** A service that was added to the catalogue can be reported after so long. Source: docs/intake.md. */
const LOOK_EVERY_MS = SECOND_MS;

/** A website that was left as it was is published so long after the last report, at the latest. */
const SITE_BEHIND_MS = 5 * SECOND_MS;

/** What reading the catalogue tells. */
const OF_CATALOGUE: ReadonlySet<RunEvent["event"]> = new Set([
  "catalogue-changed",
  "catalogue-kept",
  "overlay-unused",
]);

const CUT_OFF =
  "The publish in hand did not end within a minute and is cut off. No report is lost: the next start publishes them.";

/** An intake at work, and the desk that publishes what it accepts. */
export interface OpenDesk {
  readonly intake: Intake;
  /** Resolves when the first publish has ended, well or not. */
  readonly begun: Promise<void>;
  readonly failure: Place["failure"];
  /** To be called when nothing listens any more. Takes a minute at most: then the publish in hand is cut off. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the intake. From then on, counts that fall are published too. With a journal that an intake has used before, it opens also
 * while the store is down. A stop that is asked for meanwhile ends the opening at once, with nothing opened or published. Throws
 * `StoreError`, `StateError`, `UsageError`, `JournalError`, with nothing left open.
 */
export async function openDesk(
  prepared: PreparedIntake,
  io: Io,
  log: Log,
): Promise<OpenDesk | "stopped"> {
  const { ready, settings } = prepared;
  const folder = settings.journal?.folder;
  const place = await unlessStopped(() => openPlace(ready.setup.stateStore, folder, log), io.stop);
  if (place === "stopped") return "stopped";
  for (const warning of ready.warnings) log.warn(warning);
  const isDue = createReminder(io.wallMs);
  const emit = emitSeldom(log.emit, isDue);
  const publisher = createPublisher(prepared.flags, (event) => {
    // It reads the catalogue, too; what happens to that is told here, every second.
    if (!OF_CATALOGUE.has(event.event)) emit(event);
  });
  const desk = createDesk(place, publisher, io, (message) => {
    if (isDue("publish")) log.warn(`Reports wait to be published: ${message}`);
  });
  const opening = (): Promise<Intake> =>
    openIntake({
      ...settingsOf(prepared, desk, publisher),
      emit: (event) => log.warn(describeEvent(event)),
      nowMs: io.wallMs,
      secret: place.secret,
    });
  const intake = await (folder === undefined ? opening() : withJournal(folder, opening));
  // What an intake that died has left in the inbox waits for nobody else.
  desk.poke();
  const refreshing = setInterval(() => desk.poke(), REFRESH_EVERY_MS);
  const looking = setInterval(() => void ready.catalogue.read(emit), LOOK_EVERY_MS);
  return {
    intake,
    begun: desk.begun,
    failure: place.failure,
    close: async () => {
      clearInterval(refreshing);
      clearInterval(looking);
      const closed = intake.close().then(desk.close);
      if (!(await endsWithin(closed, LONGEST_STOP_MS))) log.warn(CUT_OFF);
      await publisher.close();
    },
  };
}

/** A desk that publishes by the thread as soon as the store was met. */
function createDesk(
  place: Place,
  publisher: Publisher,
  io: Io,
  warn: (message: string) => void,
): ReportDesk {
  const catchUp = createCatchUp(() => desk.poke());
  const desk = createReportDesk(
    {
      publish: async (nowMs) => {
        await place.meet();
        return catchUp(await publisher.publish(nowMs));
      },
      wallMs: io.wallMs,
      // Closing the desk does not wait for it.
      pause: (ms) => delay(ms, undefined, { ref: false }),
      onFailure: (error) => warn(error instanceof Error ? error.message : ""),
    },
    place.ledger,
  );
  return desk;
}

/** Sees to it that somebody pokes when the website has been left as it was and nobody reports any more. */
function createCatchUp(poke: () => void): (published: Published) => Published {
  let timer: NodeJS.Timeout | undefined;
  return (published) => {
    clearTimeout(timer);
    if (published.isSiteBehind) timer = setTimeout(poke, SITE_BEHIND_MS).unref();
    return published;
  };
}

/** What is always the same of an intake over a desk. */
function settingsOf(
  { ready, settings }: PreparedIntake,
  desk: ReportDesk,
  publisher: Publisher,
): Omit<IntakeSettings, "emit" | "nowMs" | "secret"> {
  const { stateStore } = ready.setup;
  return {
    ...settings,
    hasService: knowServices(ready.catalogue),
    countsOf: desk.countsOf,
    encode: encodeInbox,
    writeInbox: async (id, body) => {
      const object = { body, contentType: "application/json", cacheControl: "no-store" };
      // Without a condition: a name stands for the same bytes for ever, and in a directory conditions wait for one another.
      await stateStore.write(inboxKey(id), object);
      publisher.noteWritten(id, body);
    },
    onAccepted: desk.accept,
    onReplayed: desk.moveToInbox,
    onJournalEmpty: desk.noteEmptyJournal,
    keeper: {
      minIntervalMs: BETWEEN_WRITES_MS,
      // Without a journal there is nothing to turn to: a slow store is better than a refusal.
      ...(settings.journal === undefined ? { inboxTimeoutMs: SLOWEST_WRITE_MS } : {}),
    },
  };
}

/** Whether the catalogue, as it was read last, names a service. */
function knowServices({ current }: CatalogueSource): (slug: string) => boolean {
  let from = current();
  let slugs = new Set(from.services.map(({ slug }) => slug));
  return (slug) => {
    if (current() !== from) {
      from = current();
      slugs = new Set(from.services.map((one) => one.slug));
    }
    return slugs.has(slug);
  };
}

function describeEvent(event: IntakeEvent): string {
  switch (event.event) {
    case "inbox-failed":
      return `The state store does not take reports: ${event.message}`;
    case "inbox-back":
      return "The state store takes reports again.";
    case "intake-refusing":
      return `Reports are refused, for nothing can keep them: ${event.message}`;
    case "journal-damaged":
      return `${event.lines} lines of the journal ${event.id} cannot be read. Is the disk at fault?`;
    case "journal-failed":
      return `The journal cannot be read or tidied, which is tried again: ${event.message}`;
  }
}
