import type { HttpBindings } from "@hono/node-server";
import { answerFault as answerReportFault, answerRefusal, toResponse } from "../intake/answers.ts";
import { networksBeside } from "../intake/client-address.ts";
import type { Log } from "../log/log.ts";
import { unlessStopped, untilStopped } from "../model/stopping.ts";
import type { ObjectStore } from "../model/store.ts";
import type { AnswerFault } from "../model/connections.ts";
import { answerFault as answerFrontFault } from "../serve/answer.ts";
import { createFront } from "../serve/front.ts";
import { type FetchHandler, listen, type ListenOptions } from "../serve/listen.ts";
import { openStore } from "../store/open.ts";
import { isExpectedFailure, UsageError } from "./failures.ts";
import { UnusableStoreError } from "./intake-secret.ts";
import { type IntakeFlags, prepareIntake, type PreparedIntake } from "./intake-setup.ts";
import type { ExitCode, Io } from "./io.ts";
import { openDesk, type OpenDesk } from "./open-desk.ts";
import { trustOwnPages } from "./own-pages.ts";
import { createReminder } from "./seldom.ts";
import { openChecklist, parseHost, parsePort } from "./settings.ts";

/** What a newcomer looks at first. */
const LIST_KEY = "api/v1/status";

/** What a client waits while reports cannot be taken. */
const RETRY_AFTER_MS = 5_000;

export interface ServeFlags extends IntakeFlags {
  readonly host: string;
  readonly port: string;
}

/**
 * `serve`: answers a store exactly as the CDN would, until stopped. Prints its URL when it is ready. A start that fails, or is
 * stopped, closes everything that it has opened. Throws `UsageError`, `ListenError`, `StoreError`.
 */
export async function serveCommand(flags: ServeFlags, io: Io, log: Log): Promise<ExitCode> {
  const prepared = await unlessStopped(() => prepare(flags), io.stop);
  if (prepared === "stopped") return 0;
  const { intake, options, store } = prepared;
  const onStoreError = (error: unknown): void =>
    log.fail(error instanceof Error ? error.message : String(error));
  const front = createFront(store, { onStoreError });
  let reports: MountedReports | undefined;
  const handler: FetchHandler = (request, bindings) =>
    reports !== undefined && new URL(request.url).pathname.startsWith("/report/")
      ? reports.fetch(request, bindings)
      : front.fetch(request, bindings);
  // Before anything else, so that a port that is taken is told at once.
  const server = await unlessStopped(
    () => listen(handler, options),
    io.stop,
    (late) => late.close(),
  );
  if (server === "stopped") return 0;
  try {
    const { told, isLoopbackOwn, warning } = trustOwnPages(intake, server.address);
    // On the loopback a preview needs nothing more.
    if (warning !== undefined && !isLoopbackOwn) log.warn(warning);
    reports = mountReports(told, io, log);
    const list = await unlessStopped(() => store.read(LIST_KEY), io.stop);
    if (list === "stopped") return 0;
    io.print(
      `Serving ${store.name} at ${server.url}, website and API\nTry ${server.url}/ and ${server.url}/${LIST_KEY} (Ctrl-C stops)`,
    );
    if (list === undefined) {
      log.warn(
        `nothing is published in ${store.name} yet, so every answer is 404. Run \`status-snapshot run\` with the same --store; what it publishes shows at once.`,
      );
    }
    await untilStopped(io.stop);
    return 0;
  } finally {
    await server.close();
    await reports?.close();
  }
}

/** Everything that is told on the command line, checked. Throws one `UsageError` with every problem. */
async function prepare(flags: ServeFlags): Promise<{
  readonly intake: PreparedIntake;
  readonly options: ListenOptions;
  readonly store: ObjectStore;
}> {
  const checklist = openChecklist();
  const { take, note, settle } = checklist;
  const host = take(parseHost(flags.host));
  const port = take(parsePort(flags.port));
  const intake = await prepareIntake(flags, checklist);
  const opened = await openStore(flags.store, { role: "public" });
  if (opened.kind === "refused") note(opened.message);
  settle();
  if (host === undefined || port === undefined || intake === undefined || opened.kind === "refused")
    throw new TypeError("a setting without a value and without a problem");
  const networkOf = networksBeside(intake.settings.proxies);
  return { intake, options: { host, port, answerFault, networkOf }, store: opened.store };
}

/** As the part of the site answers that the request was meant for, as far as that is known. */
const answerFault: AnswerFault = (fault, target) =>
  target?.startsWith("/report/") ? answerReportFault(fault) : answerFrontFault(fault);

interface MountedReports {
  readonly fetch: FetchHandler;
  readonly close: () => Promise<void>;
}

/**
 * An intake that opens with the first report, for a preview that nobody reports to writes nothing. Where it cannot open, reports
 * are answered with 503, and the documents are served all the same.
 */
function mountReports(prepared: PreparedIntake, io: Io, log: Log): MountedReports {
  const isDue = createReminder(io.wallMs);
  let opening: Promise<OpenDesk | undefined> | undefined;
  let isRefused = false;
  const refuse = (error: Error): void => {
    // What was refused once need not be tried with each report; a store that failed now may answer the next one.
    if (error instanceof UnusableStoreError) isRefused = true;
    else opening = undefined;
    if (isDue("reports")) log.warn(`Reports are not taken: ${error.message}`);
  };
  const open = async (): Promise<OpenDesk | undefined> => {
    try {
      const desk = await openDesk(prepared, io, log);
      if (desk === "stopped") return undefined;
      void desk.failure.then(refuse);
      return desk;
    } catch (error) {
      if (!isExpectedFailure(error) && !(error instanceof UsageError)) throw error;
      refuse(error);
      return undefined;
    }
  };
  return {
    fetch: async (request: Request, bindings: HttpBindings) => {
      const desk = await (opening ??= open());
      return isRefused || desk === undefined
        ? toResponse(answerRefusal("unavailable", RETRY_AFTER_MS))
        : desk.intake.app.fetch(request, bindings);
    },
    close: async () => {
      const desk = await opening?.catch(() => undefined);
      await desk?.close();
    },
  };
}
