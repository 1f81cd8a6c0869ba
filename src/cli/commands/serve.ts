import type { HttpBindings } from "@hono/node-server";
import {
  answerFault as answerReportFault,
  answerUnavailable,
} from "../../reports/intake/responses.ts";
import { isIntakePath } from "../../reports/intake/create-intake.ts";
import { createNetworkOf } from "../../http-server/client-address.ts";
import { messageOf } from "../../model/errors.ts";
import type { Log } from "../../setup/log.ts";
import { unlessStopped, untilStopped } from "../../model/stopping.ts";
import type { AnswerFault } from "../../model/connections.ts";
import { createFront, previewFault as answerFrontFault } from "../../preview/front.ts";
import { type FetchHandler, listen } from "../../http-server/listen.ts";
import { isExpectedFailure, UsageError } from "../../setup/errors.ts";
import { UnusableStoreError } from "../../intake/network-hash-key.ts";
import { prepareIntake, type PreparedIntake, trustOwnPages } from "../../intake/intake-setup.ts";
import type { Io, Action } from "../../setup/io.ts";
import { openIntakeRuntime, type IntakeRuntime } from "../../intake/intake-runtime.ts";
import type { Flags, IntakeFlags } from "../../setup/options/options.ts";
import { LIST_KEY } from "../../services/snapshot/api-documents.ts";
import { createThrottle } from "../../setup/long-running.ts";
import { openChecked } from "../../setup/stores.ts";

/**
 * `serve`: serves a store exactly as the CDN would, until stopped. Prints its URL when it is ready. A start that fails or is
 * stopped closes everything that it has opened. Throws `UsageError`, `ListenError`, `StoreError`.
 */
export const serveCommand: Action<IntakeFlags & Flags<"serve">> = async (call) => {
  const { flags, problems, io, log } = call;
  const intake = await unlessStopped(() => prepareIntake(flags, problems, io), io.stop);
  if (intake === "stopped") return 0;
  const store = await openChecked(flags.store, "public");
  const { host, port, proxy } = flags;
  const networkOf = createNetworkOf(intake.settings.proxies);
  const listening = { host, port, isBehindFront: proxy.length > 0, answerFault, networkOf };
  const onStoreError = (error: unknown): void => log.fail(messageOf(error));
  const front = createFront(store, { onStoreError });
  let reports: ReturnType<typeof mountReports> | undefined;
  const handler: FetchHandler = (request, bindings) =>
    reports !== undefined && isIntakePath(new URL(request.url).pathname)
      ? reports.fetch(request, bindings)
      : front.fetch(request, bindings);
  // First, so that a port in use is reported at once.
  const server = await unlessStopped(
    () => listen(handler, listening),
    io.stop,
    (late) => late.close(),
  );
  if (server === "stopped") return 0;
  try {
    const { configured, isLoopbackOwn, warning } = trustOwnPages(intake, server.address);
    // On the loopback a preview needs no base URL.
    if (warning !== undefined && !isLoopbackOwn) log.warn(warning);
    reports = mountReports(configured, io, log);
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
};

/** Answers as the part of the site that the request was meant for, as far as that is known. */
const answerFault: AnswerFault = (fault, target) =>
  isIntakePath(target?.split("?", 1)[0] ?? "") ? answerReportFault(fault) : answerFrontFault(fault);

/**
 * Opens the intake at the first report, so that a preview without reports writes nothing. If it cannot open, reports get 503, and the
 * documents are still served.
 */
function mountReports(prepared: PreparedIntake, io: Io, log: Log) {
  const isDue = createThrottle(io.wallMs);
  let opening: Promise<IntakeRuntime | undefined> | undefined;
  let isRefused = false;
  const refuse = (error: Error): void => {
    // An unusable store is not tried again; one that failed may answer the next report.
    if (error instanceof UnusableStoreError) isRefused = true;
    else opening = undefined;
    if (isDue("reports")) log.warn(`Reports are not accepted: ${error.message}`);
  };
  const open = async (): Promise<IntakeRuntime | undefined> => {
    try {
      const runtime = await openIntakeRuntime(prepared, io, log);
      if (runtime === "stopped") return undefined;
      void runtime.failure.then(refuse);
      return runtime;
    } catch (error) {
      if (!isExpectedFailure(error) && !(error instanceof UsageError)) throw error;
      refuse(error);
      return undefined;
    }
  };
  return {
    fetch: async (request: Request, bindings: HttpBindings) => {
      const runtime = await (opening ??= open());
      return isRefused || runtime === undefined
        ? answerUnavailable()
        : runtime.intake.app.fetch(request, bindings);
    },
    close: async () => {
      const runtime = await opening?.catch(() => undefined);
      await runtime?.close();
    },
  };
}
