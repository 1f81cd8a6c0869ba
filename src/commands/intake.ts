import { randomBytes } from "node:crypto";
import { access, constants } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readProxies } from "../intake/client-address.ts";
import type { IntakeEvent } from "../intake/events.ts";
import { type Intake, openIntake } from "../intake/open-intake.ts";
import { inboxKey } from "../inbox.ts";
import type { Log } from "../log/log.ts";
import { SECOND_MS } from "../model/time.ts";
import { StoreError, type ObjectStore } from "../model/store.ts";
import { loadState } from "../state.ts";
import { createReportDesk } from "../report-desk.ts";
import { encodeInbox } from "../reports/inbox.ts";
import { listen } from "../serve/listen.ts";
import { canShare, probeAbilities } from "../store/abilities.ts";
import { makeFolder } from "../store/durable-file.ts";
import { UsageError } from "./failures.ts";
import type { ExitCode, Io, ReleaseFlags } from "./io.ts";
import { type ReadyRelease, readRelease } from "./release-setup.ts";
import {
  type Checklist,
  ifGiven,
  openChecklist,
  parseBaseUrl,
  parseLogMode,
  parsePort,
  type Parsed,
} from "./settings.ts";

export interface IntakeFlags extends ReleaseFlags {
  readonly host: string;
  readonly port: string;
  readonly operationsPort?: string;
  readonly proxy?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly baseUrl?: string;
  readonly journal?: string;
}

/** Fewer objects to count in a flood, for an answer that comes a moment later. Source: docs/intake.md. */
const BETWEEN_WRITES_MS = 20;

/** The longest that a report waits for the store where there is no journal; a browser waits longer. */
const SLOWEST_WRITE_MS = 10 * SECOND_MS;

/** Counts fall by themselves as reports grow old: this often, at the latest. Source: docs/reports.md. */
const REFRESH_EVERY_MS = 50 * SECOND_MS;

const SECRET_KEY = "intake-secret.bin";
const SECRET_BYTES = 32;

/** `intake`: takes reports of users until stopped. Only writes; whoever reads asks the CDN. */
export async function intakeCommand(flags: IntakeFlags, io: Io, log: Log): Promise<ExitCode> {
  const checklist = openChecklist();
  const port = checklist.take(parsePort(flags.port));
  const operationsPort = checklist.take(
    ifGiven(flags.operationsPort, (text) => parsePort(text, "--operations-port")),
  );
  const prepared = await prepareIntake(flags, checklist);
  checklist.settle();
  if (port === undefined || prepared === undefined) throw new TypeError("no port or no store");
  await refuseToShare(prepared.ready.setup.stateStore);
  const desk = await openDesk(prepared, io, log);
  const server = await listen((request, bindings) => desk.intake.app.fetch(request, bindings), {
    port,
    host: flags.host,
  });
  const operations =
    operationsPort === undefined
      ? undefined
      : await listen((request) => desk.intake.operations.fetch(request), { port: operationsPort });
  io.print(`Taking reports at ${server.url}/report/<slug> (Ctrl-C stops)`);
  if (operations !== undefined) io.print(`Health and metrics at ${operations.url}`);
  await untilStopped(io.stop);
  await server.close();
  await operations?.close();
  await desk.close();
  return 0;
}

export function untilStopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** An intake that is checked and can be opened. */
export interface PreparedIntake {
  readonly ready: ReadyRelease;
  readonly settings: Pick<
    Parameters<typeof openIntake>[0],
    "proxies" | "allowedOrigins" | "ownOrigin"
  > & {
    readonly journal?: { readonly folder: string };
  };
}

/** Reads what an intake is told, noting every problem. */
export async function prepareIntake(
  flags: Omit<IntakeFlags, "host" | "port" | "operationsPort">,
  checklist: Checklist,
): Promise<PreparedIntake | undefined> {
  const { take } = checklist;
  const { ready } = await readRelease(flags, checklist);
  const baseUrl = take(ifGiven(flags.baseUrl, parseBaseUrl));
  const proxies = take(parseProxies(flags.proxy ?? []));
  const allowedOrigins = take(parseOrigins(flags.allowOrigin ?? []));
  take(ifGiven(flags.log, parseLogMode));
  if (ready === undefined || proxies === undefined || allowedOrigins === undefined)
    return undefined;
  return {
    ready,
    settings: {
      proxies,
      allowedOrigins,
      ...(baseUrl === undefined ? {} : { ownOrigin: new URL(baseUrl).origin }),
      ...(flags.journal === undefined ? {} : { journal: { folder: flags.journal } }),
    },
  };
}

/** An intake at work, and the desk that publishes what it accepts. */
export interface OpenDesk {
  readonly intake: Intake;
  /** To be called when nothing listens any more. */
  readonly close: () => Promise<void>;
}

/** Opens the intake. From then on, counts that fall are published too. Throws `StoreError`, `StateError`. */
export async function openDesk(
  { ready, settings }: PreparedIntake,
  io: Io,
  log: Log,
): Promise<OpenDesk> {
  const { catalogue, stateStore } = ready.setup;
  for (const warning of ready.warnings) log.warn(warning);
  const slugs = new Set(catalogue.services.map(({ slug }) => slug));
  const { state } = await loadState(stateStore, log.emit);
  const desk = createReportDesk(
    {
      setup: { ...ready.setup, emit: log.emit },
      wallMs: io.wallMs,
      pause: (ms) => delay(ms),
      onFailure: (error) =>
        log.warn(`Reports wait to be published: ${error instanceof Error ? error.message : ""}`),
    },
    state.reports.ledger,
  );
  if (settings.journal !== undefined) await makeJournal(settings.journal.folder);
  const intake = await openIntake({
    ...settings,
    hasService: (slug) => slugs.has(slug),
    countsOf: desk.countsOf,
    encode: encodeInbox,
    writeInbox: async (id, body) => {
      const object = { body, contentType: "application/json", cacheControl: "no-store" };
      // A conflict is with an earlier try of our own: names are unique.
      await stateStore.write(inboxKey(id), object, { kind: "absent" });
    },
    onAccepted: (reports) => desk.accept(reports),
    onReplayed: () => desk.poke(),
    emit: (event) => log.warn(describeEvent(event)),
    nowMs: io.wallMs,
    secret: await readSecret(stateStore),
    keeper: {
      minIntervalMs: BETWEEN_WRITES_MS,
      // Without a journal there is nothing to turn to: a slow store is better than a refusal.
      ...(settings.journal === undefined ? { inboxTimeoutMs: SLOWEST_WRITE_MS } : {}),
    },
  });
  // What an intake that died has left in the inbox waits for nobody else.
  desk.poke();
  const timer = setInterval(() => desk.poke(), REFRESH_EVERY_MS);
  return {
    intake,
    close: async () => {
      clearInterval(timer);
      await intake.close();
      await desk.close();
    },
  };
}

/** Throws `UsageError` when there can be no such folder, or nothing can be written into it. */
async function makeJournal(folder: string): Promise<void> {
  try {
    await makeFolder(resolve(folder), 0o700);
    await access(folder, constants.W_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError([`--journal ${folder}: nothing can be kept there (${why}).`]);
  }
}

/** The key of the networks' hashes: made once, shared by all intakes of a state, and known to nobody else. */
async function readSecret(store: ObjectStore): Promise<Uint8Array> {
  const object = {
    body: randomBytes(SECRET_BYTES),
    contentType: "application/octet-stream",
    cacheControl: "no-store",
  };
  const found = await store.read(SECRET_KEY);
  if (found !== undefined) return found.body;
  await store.write(SECRET_KEY, object, { kind: "absent" });
  return (await store.read(SECRET_KEY))?.body ?? object.body;
}

/** Runs and the intake publish at once: a store that ignores conditions would let the older one win. Throws `StoreError`. */
async function refuseToShare(store: ObjectStore): Promise<void> {
  const key = `intake/${randomBytes(8).toString("hex")}`;
  if (canShare(await probeAbilities(store, key))) return;
  throw new StoreError(
    "write",
    key,
    `${store.name}: this store ignores the conditions of writes, so only one program may write there. Use another --state for an intake beside runs; doctor says more.`,
  );
}

function parseProxies(ranges: readonly string[]): Parsed<PreparedIntake["settings"]["proxies"]> {
  const read = readProxies(ranges);
  return read.kind === "ok" ? { value: read.proxies } : { problem: `--proxy ${read.message}` };
}

function parseOrigins(origins: readonly string[]): Parsed<readonly string[]> {
  const odd = origins.find((one) => !URL.canParse(one) || new URL(one).origin !== one);
  return odd === undefined
    ? { value: origins }
    : {
        problem: `--allow-origin ${odd}: write an origin such as https://example.ru, without a path.`,
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
