import type { Log } from "../log/log.ts";
import { createFront } from "../serve/front.ts";
import { listen } from "../serve/listen.ts";
import { openStore } from "../store/open.ts";
import type { ExitCode, Io } from "./io.ts";
import { UsageError } from "./failures.ts";

export interface ServeFlags {
  readonly store: string;
  readonly host: string;
  readonly port: string;
}

/** `serve`: answers a store exactly as the CDN would, until stopped. Prints its URL when it is ready. */
export async function serveCommand(flags: ServeFlags, io: Io, log: Log): Promise<ExitCode> {
  const port = Number(flags.port);
  if (!/^\d+$/u.test(flags.port) || port > 65_535) {
    throw new UsageError([`--port ${flags.port}: give a port number, 0 for any that is free.`]);
  }
  const opened = await openStore(flags.store, { role: "public" });
  if (opened.kind === "refused") throw new UsageError([opened.message]);
  const server = await listen(
    createFront(opened.store, { onStoreError: (error) => log.fail(String(error)) }).fetch,
    { port, host: flags.host },
  );
  io.print(
    `Serving ${opened.store.name} at ${server.url}\nTry ${server.url}/api/v1/status (Ctrl-C stops)`,
  );
  await new Promise((resolve) => {
    if (io.stop.aborted) resolve(undefined);
    io.stop.addEventListener("abort", resolve, { once: true });
  });
  await server.close();
  return 0;
}
