import type { BlockList } from "node:net";
import { answerFault, answerUnavailable } from "../reports/intake/responses.ts";
import { createNetworkOf } from "../http-server/client-address.ts";
import { type Intake, OPERATIONS_LISTENING } from "../reports/intake/create-intake.ts";
import { OPERATIONS_HEADERS } from "../reports/intake/metrics.ts";
import type { ConnectionObserver } from "../model/connections.ts";
import { createSignal } from "../model/stopping.ts";
import { within } from "../setup/long-running.ts";
import { SECOND_MS } from "../model/time.ts";
import { listen, type Listening } from "../http-server/listen.ts";

/** A health check waits so long for the end of a start, which takes a second: then it need not be repeated. */
const HEALTH_WAIT_MS = 2 * SECOND_MS;

export interface IntakePortsOptions {
  readonly host: string;
  readonly port: number;
  /** Undefined: health and metrics are not served. */
  readonly operationsPort: number | undefined;
  /** Connections of these do not count towards the limit of a network, because they carry the requests of all clients. */
  readonly proxies: BlockList;
}

export type IntakePorts = Awaited<ReturnType<typeof openIntakePorts>>;

/**
 * Binds both ports, or neither. An intake starts with this, so that a port in use is found before anything is read or published. Early
 * reports wait for the intake, because a refused connection would lose them; health and metrics wait two seconds and then answer 503. Throws
 * `ListenError`.
 */
export async function openIntakePorts(options: IntakePortsOptions) {
  const { host, port, operationsPort, proxies } = options;
  const isBehindFront = proxies.rules.length > 0;
  const [waiting, resolveIntake] = createSignal<Intake | undefined>();
  const { observer, forwardTo } = createLateObserver();
  const reports = await listen(
    async (request, bindings) => {
      const intake = await waiting;
      return intake === undefined ? answerUnavailable() : intake.app.fetch(request, bindings);
    },
    { port, host, isBehindFront, answerFault, networkOf: createNetworkOf(proxies), observer },
  );
  const operations = await openOperations(operationsPort, waiting).catch(async (error: unknown) => {
    await reports.close();
    throw error;
  });
  return {
    reports,
    operations,
    /** From now on the intake answers, including the reports that have waited. */
    serve: (intake: Intake): void => {
      forwardTo(intake.observer);
      resolveIntake(intake);
    },
    /** Answers waiting reports with 503 if there is no intake, and frees the ports. May be called twice. */
    close: async (): Promise<void> => {
      resolveIntake(undefined);
      await Promise.all([reports.close(), operations?.close()]);
    },
  };
}

/** Connections can open before the intake that counts them; it then gets the latest count. */
function createLateObserver() {
  let target: ConnectionObserver | undefined;
  let last: readonly [connections: number, limit: number] | undefined;
  return {
    observer: {
      onOpen: (connections, limit) => {
        last = [connections, limit];
        target?.onOpen(connections, limit);
      },
      onCut: (reason) => target?.onCut(reason),
      onFault: (fault) => target?.onFault(fault),
    } satisfies ConnectionObserver,
    forwardTo: (to: ConnectionObserver): void => {
      target = to;
      if (last !== undefined) to.onOpen(...last);
    },
  };
}

async function openOperations(
  port: number | undefined,
  waiting: Promise<Intake | undefined>,
): Promise<Listening | undefined> {
  if (port === undefined) return undefined;
  const answer = async (request: Request): Promise<Response> => {
    const intake = await within(waiting, HEALTH_WAIT_MS, undefined);
    if (intake !== undefined) return intake.operations.fetch(request);
    return Response.json({ error: "starting" }, { status: 503, headers: OPERATIONS_HEADERS });
  };
  return listen(answer, { ...OPERATIONS_LISTENING, port });
}
