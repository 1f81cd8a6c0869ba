import { FAILURE_CODES, rowOf } from "../../model/failures.ts";
import { SECOND_MS } from "../../model/time.ts";

/** A service that lets so many messages in a row wait to the end is silent: a lossy way would let some of them through. */
const SILENT_AFTER = 20;

/** How often one message asks a silent service whether it answers again. */
const ASKED_AGAIN_MS = 30 * SECOND_MS;

/** Strangers can name many services. */
const MAX_SERVICES = 1_000;

const TIME_OUTS: ReadonlySet<string> = new Set(
  FAILURE_CODES.filter((code) => rowOf(code).loss === "time-out"),
);

interface Silence {
  readonly count: number;
  /** Code of the last time-out. */
  readonly reason: string;
  readonly askedAtMs: number;
}

/**
 * Tells the services that do not answer: a message to one takes ten seconds, in a place that messages to others wait for. For thousands of
 * browsers of one such service, all others would wait for hours.
 *
 * @param nowMs a monotonic clock.
 */
export function createSilenceGuard(nowMs: () => number) {
  const known = new Map<string, Silence>();
  return {
    /** How a message to this service would end; undefined: it may be sent. */
    reasonOf(service: string): string | undefined {
      const silence = known.get(service);
      if (silence === undefined || silence.count < SILENT_AFTER) return undefined;
      if (nowMs() - silence.askedAtMs < ASKED_AGAIN_MS) return silence.reason;
      known.set(service, { ...silence, askedAtMs: nowMs() });
      return undefined;
    },
    /** Takes how a message to this service has ended: the code of a failure, or undefined for an answer. */
    note(service: string, failure: string | undefined): void {
      if (failure === undefined || !TIME_OUTS.has(failure)) return void known.delete(service);
      const count = (known.get(service)?.count ?? 0) + 1;
      if (known.size >= MAX_SERVICES) known.clear();
      known.set(service, { count, reason: failure, askedAtMs: nowMs() });
    },
  };
}
