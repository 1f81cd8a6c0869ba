import type { HttpBindings } from "@hono/node-server";
import type { Log } from "../log/log.ts";
import { createFront } from "../serve/front.ts";
import { listen } from "../serve/listen.ts";
import { openStore } from "../store/open.ts";
import type { ExitCode, Io } from "./io.ts";
import {
  type IntakeFlags,
  openDesk,
  type OpenDesk,
  prepareIntake,
  untilStopped,
} from "./intake.ts";
import { openChecklist, parsePort } from "./settings.ts";

/** What a newcomer looks at first. */
const LIST_KEY = "api/v1/status";

export interface ServeFlags extends Omit<IntakeFlags, "operationsPort"> {
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
  // A preview that nobody reports to writes nothing.
  let desk: Promise<OpenDesk> | undefined;
  const report = async (request: Request, bindings: HttpBindings): Promise<Response> => {
    desk ??= openDesk(prepared, io, log).catch((error: unknown) => {
      // A store that failed now may answer the next report.
      desk = undefined;
      throw error;
    });
    return (await desk).intake.app.fetch(request, bindings);
  };
  const server = await listen(
    (request, bindings) =>
      new URL(request.url).pathname.startsWith("/report/")
        ? report(request, bindings)
        : front.fetch(request, bindings),
    { port, host: flags.host },
  );
  io.print(`Serving ${store.name} at ${server.url}\nTry ${server.url}/${LIST_KEY} (Ctrl-C stops)`);
  if (isEmpty) {
    log.warn(
      `nothing is published in ${store.name} yet, so every answer is 404. Run \`status-snapshot run\` with the same --store; what it publishes shows at once.`,
    );
  }
  await untilStopped(io.stop);
  await server.close();
  await (await desk)?.close();
  return 0;
}
