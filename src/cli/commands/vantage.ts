import { unlessStopped } from "../../model/stopping.ts";
import { SECOND_MS } from "../../model/time.ts";
import type { Ask } from "../../model/service/vantage.ts";
import { createPool } from "../../probe/pool.ts";
import { answerAsk } from "../../vantages/answer-ask.ts";
import { signEvidence } from "../../vantages/evidence-codec.ts";
import { putEvidence, readAsk } from "../../vantages/exchange.ts";
import type { Log } from "../../setup/log.ts";
import { isExpectedFailure, UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import { type Io, sleep } from "../../setup/io.ts";
import { parseEvery } from "../../setup/parse-options.ts";
import { prepareVantage, type VantageFlags, type VantageSetup } from "../../setup/vantage-setup.ts";

/** The runner waits 100 s for a new failure, so an answer that takes longer comes too late for it. */
const DEADLINE_MS = 70 * SECOND_MS;

/** Connections to one host at once, as of the runner. */
const PER_HOST = 2;

/** `vantage`: answers the newest ask once. */
export async function vantageCommand(flags: VantageFlags, io: Io, log: Log): Promise<ExitCode> {
  const setup = await prepareVantage(flags, io);
  const ask = await unlessStopped(() => readAsk(setup.askStore, log.warn), io.stop);
  if (ask === "stopped") return 0;
  if (ask === undefined) {
    log.emit({ event: "nothing-asked", isAnswered: false });
    return 0;
  }
  return answer(setup, ask, io, log);
}

/** Options of `vantage watch`. */
export interface VantageWatchFlags extends VantageFlags {
  /** Seconds between two looks for an ask. */
  readonly every: string;
}

/** `vantage watch`: answers every ask until stopped. A store that fails is logged and asked again. */
export async function vantageWatchCommand(
  flags: VantageWatchFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const every = parseEvery(flags.every);
  if ("problem" in every) throw new UsageError([every.problem]);
  const setup = await prepareVantage(flags, io);
  let answeredId = "";
  let failure = "";
  while (!io.stop.aborted) {
    try {
      const ask = await unlessStopped(() => readAsk(setup.askStore, log.warn), io.stop);
      if (ask === "stopped") return 0;
      failure = "";
      if (ask !== undefined && ask.id !== answeredId) {
        await answer(setup, ask, io, log);
        answeredId = ask.id;
      }
    } catch (error) {
      if (!isExpectedFailure(error)) throw error;
      // A store that is down stays down for hours: one line says so.
      if (error.message !== failure) log.warn(error.message);
      failure = error.message;
    }
    await sleep(every.value, io.stop);
  }
  return 0;
}

async function answer(setup: VantageSetup, ask: Ask, io: Io, log: Log): Promise<ExitCode> {
  const startedMs = performance.now();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort("deadline"), DEADLINE_MS);
  const evidence = await answerAsk(ask, {
    ...setup,
    pool: createPool({ concurrency: setup.concurrency, perHost: PER_HOST }),
    wallMs: io.wallMs,
    now: () => performance.now(),
    sleep,
    signal: AbortSignal.any([io.stop, deadline.signal]),
  });
  clearTimeout(timer);
  if (io.stop.aborted) return 0;
  const body = await signEvidence(evidence, setup.privateKey);
  const put = await putEvidence(setup.evidenceStore, setup.vantageId, ask.id, body);
  if (put === "answered") log.emit({ event: "nothing-asked", isAnswered: true });
  else
    log.emit({
      event: "ask-answered",
      ask: ask.id,
      endpoints: evidence.results.length,
      failing: evidence.results.filter(({ code }) => !NOT_FAILING.has(code)).length,
      connectivity: evidence.connectivity,
      bytes: body.length,
      durationMs: Math.round(performance.now() - startedMs),
    });
  return evidence.connectivity === "offline" ? 3 : 0;
}

const NOT_FAILING: ReadonlySet<string> = new Set(["ok", "denied", "skipped"]);
