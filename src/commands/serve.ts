import type { Log } from "../log/log.ts";
import { createFront } from "../serve/front.ts";
import { listen } from "../serve/listen.ts";
import { openStore } from "../store/open.ts";
import type { ExitCode, Io } from "./io.ts";
import { ifGiven, openChecklist, parseLogMode, parsePort } from "./settings.ts";

/** What a newcomer looks at first. */
const LIST_KEY = "api/v1/status";

export interface ServeFlags {
  readonly store: string;
  readonly host: string;
  readonly port: string;
  readonly log?: string;
}

/** `serve`: answers a store exactly as the CDN would, until stopped. Prints its URL when it is ready. */
export async function serveCommand(flags: ServeFlags, io: Io, log: Log): Promise<ExitCode> {
  const { take, note, settle } = openChecklist();
  const port = take(parsePort(flags.port));
  take(ifGiven(flags.log, parseLogMode));
  const opened = await openStore(flags.store, { role: "public" });
  if (opened.kind === "refused") note(opened.message);
  settle();
  if (port === undefined || opened.kind === "refused") throw new TypeError("no port or no store");
  const { store } = opened;
  const isEmpty = (await store.read(LIST_KEY)) === undefined;
  const onStoreError = (error: unknown): void =>
    log.fail(error instanceof Error ? error.message : String(error));
  const server = await listen(createFront(store, { onStoreError }).fetch, {
    port,
    host: flags.host,
  });
  io.print(`Serving ${store.name} at ${server.url}\nTry ${server.url}/${LIST_KEY} (Ctrl-C stops)`);
  if (isEmpty) {
    log.warn(
      `nothing is published in ${store.name} yet, so every answer is 404. Run \`status-snapshot run\` with the same --store; what it publishes shows at once.`,
    );
  }
  await new Promise((resolve) => {
    if (io.stop.aborted) resolve(undefined);
    io.stop.addEventListener("abort", resolve, { once: true });
  });
  await server.close();
  return 0;
}
