import type { BlockList } from "node:net";
import { answerFault, answerRefusal, toResponse } from "../intake/answers.ts";
import { networksBeside } from "../intake/client-address.ts";
import { type Intake, OPERATIONS_LISTENING } from "../intake/open-intake.ts";
import type { ConnectionObserver } from "../model/connections.ts";
import { SECOND_MS } from "../model/time.ts";
import { listen, type Listening } from "../serve/listen.ts";

/** What a client waits that came while the intake started in vain, or was stopped meanwhile. */
const RETRY_AFTER_MS = 5 * SECOND_MS;

export interface IntakePortsOptions {
  readonly host: string;
  readonly port: number;
  /** Undefined: health and metrics are not served. */
  readonly operationsPort: number | undefined;
  readonly isBehindFront: boolean;
  /** Proxies bring the requests of everybody, so their connections are not counted to a network. */
  readonly proxies: BlockList;
}

/** The ports of an intake, which are bound before there is one. */
export interface IntakePorts {
  /** Where reports come in. */
  readonly reports: Listening;
  /** Where operators ask. */
  readonly operations: Listening | undefined;
  /** The intake answers from now on, also the reports that have waited for it. */
  readonly serve: (intake: Intake) => void;
  /** Answers waiting reports with 503 if no intake came, and frees the ports. Closing twice is fine. */
  readonly close: () => Promise<void>;
}

/**
 * Binds both ports, or neither. An intake begins with this, so that a port that is taken is found before anything is read or
 * published. Reports that come early wait for the intake: a refused connection would lose them. Operators are told 503 meanwhile.
 * Throws `ListenError`.
 */
export async function openIntakePorts(options: IntakePortsOptions): Promise<IntakePorts> {
  const { host, port, operationsPort, isBehindFront, proxies } = options;
  let opened: Intake | undefined;
  let tell: ((intake: Intake | undefined) => void) | undefined;
  const waiting = new Promise<Intake | undefined>((resolve) => {
    tell = resolve;
  });
  const { observer, forwardTo } = createLateObserver();
  const reports = await listen(
    async (request, bindings) => {
      const intake = opened ?? (await waiting);
      return intake === undefined
        ? toResponse(answerRefusal("unavailable", RETRY_AFTER_MS))
        : intake.app.fetch(request, bindings);
    },
    {
      port,
      host,
      isBehindFront,
      answerFault,
      networkOf: networksBeside(proxies),
      observer,
    },
  );
  const operations = await openOperations(operationsPort, () => opened).catch(
    async (error: unknown) => {
      await reports.close();
      throw error;
    },
  );
  return {
    reports,
    operations,
    serve: (intake) => {
      opened = intake;
      forwardTo(intake.listening.observer);
      tell?.(intake);
    },
    close: async () => {
      tell?.(undefined);
      await Promise.all([reports.close(), operations?.close()]);
    },
  };
}

/** Connections can be opened before there is anybody to count them; how many are open then is told when there is. */
function createLateObserver(): {
  readonly observer: ConnectionObserver;
  readonly forwardTo: (to: ConnectionObserver) => void;
} {
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
    },
    forwardTo: (to) => {
      target = to;
      if (last !== undefined) to.onOpen(...last);
    },
  };
}

async function openOperations(
  port: number | undefined,
  intake: () => Intake | undefined,
): Promise<Listening | undefined> {
  if (port === undefined) return undefined;
  return listen((request) => intake()?.operations.fetch(request) ?? answerStarting(), {
    ...OPERATIONS_LISTENING,
    port,
  });
}

/** Neither ready nor healthy, so nothing is to be sent here yet. */
function answerStarting(): Response {
  return Response.json({ error: "starting" }, { status: 503, headers: NO_STORE });
}

const NO_STORE = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
