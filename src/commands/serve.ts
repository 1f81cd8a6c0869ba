import type { HttpBindings } from "@hono/node-server";
import { answerRefusal, toResponse } from "../intake/answers.ts";
import type { Log } from "../log/log.ts";
import { createFront } from "../serve/front.ts";
import { type FetchHandler, listen } from "../serve/listen.ts";
import { openStore } from "../store/open.ts";
import { isExpectedFailure, UsageError } from "./failures.ts";
import { untilStopped } from "./intake.ts";
import { type IntakeFlags, prepareIntake, type PreparedIntake } from "./intake-setup.ts";
import type { ExitCode, Io } from "./io.ts";
import { UnsharableError } from "./meet-store.ts";
import { openDesk, type OpenDesk } from "./open-desk.ts";
import { createReminder } from "./seldom.ts";
import { openChecklist, parsePort } from "./settings.ts";

/** What a newcomer looks at first. */
const LIST_KEY = "api/v1/status";

/** What a client waits while reports cannot be taken. */
const RETRY_AFTER_MS = 5_000;

export interface ServeFlags extends IntakeFlags {
  readonly host: string;
  readonly port: string;
}

/** `serve`: answers a store exactly as the CDN would, until stopped. Prints its URL when it is ready. */
export async function serveCommand(flags: ServeFlags, io: Io, log: Log): Promise<ExitCode> {
  const checklist = openChecklist();
  const { take, note, settle } = checklist;
  const port = take(parsePort(flags.port));
  const prepared = await prepareIntake(flags, checklist);
  const opened = await openStore(flags.store, { role: "public" });
  if (opened.kind === "refused") note(opened.message);
  settle();
  if (port === undefined || prepared === undefined || opened.kind === "refused") {
    throw new TypeError("no port or no store");
  }
  const { store } = opened;
  const isEmpty = (await store.read(LIST_KEY)) === undefined;
  const onStoreError = (error: unknown): void =>
    log.fail(error instanceof Error ? error.message : String(error));
  const front = createFront(store, { onStoreError });
  const reports = mountReports(prepared, io, log);
  const server = await listen(
    (request, bindings) =>
      new URL(request.url).pathname.startsWith("/report/")
        ? reports.fetch(request, bindings)
        : front.fetch(request, bindings),
    { port, host: flags.host },
  );
  io.print(
    `Serving ${store.name} at ${server.url}, website and API\nTry ${server.url}/ and ${server.url}/${LIST_KEY} (Ctrl-C stops)`,
  );
  if (isEmpty) {
    log.warn(
      `nothing is published in ${store.name} yet, so every answer is 404. Run \`status-snapshot run\` with the same --store; what it publishes shows at once.`,
    );
  }
  await untilStopped(io.stop);
  await server.close();
  await reports.close();
  return 0;
}

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
    if (error instanceof UnsharableError) isRefused = true;
    else opening = undefined;
    if (isDue("reports")) log.warn(`Reports are not taken: ${error.message}`);
  };
  const open = async (): Promise<OpenDesk | undefined> => {
    try {
      const desk = await openDesk(prepared, io, log);
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
