import { FAILURES } from "../../model/failures.ts";
import { unlessStopped } from "../../model/stopping.ts";
import { SECOND_MS } from "../../model/time.ts";
import type { Ask } from "../../model/service/vantage.ts";
import { openBrowserPool } from "../../probe/browser/open-browser.ts";
import { createPool, PER_HOST } from "../../probe/pool.ts";
import { answerAsk, createPlaceProbes, mayPutAgain } from "../../vantages/answer-ask.ts";
import { importPrivateKey, signEvidence } from "../../vantages/evidence-codec.ts";
import { createAskReader, putEvidence } from "../../vantages/exchange.ts";
import { type Action, type Call, type Io, setMissingHome, sleep } from "../../setup/io.ts";
import type { Log } from "../../setup/log.ts";
import { repeatUntilStopped } from "../../setup/long-running.ts";
import type { Flags, VantageFlags } from "../../setup/options/options.ts";
import { readBy } from "../../setup/parse-options.ts";
import { readNetworks } from "../../setup/files/named-files.ts";
import { readKey } from "../../setup/files/push-key.ts";
import { findOwnAddresses, readProbeConfig } from "../../setup/read-probe-config.ts";
import { openChecked } from "../../setup/stores.ts";

/** The runner waits 100 s for a new failure, so an answer that takes longer comes too late for it. */
const DEADLINE_MS = 70 * SECOND_MS;

/** `vantage`: answers the newest ask once. */
export const vantageCommand: Action<VantageFlags> = async (call) => {
  const { io, log } = call;
  const setup = await prepareVantage(call);
  const readNewest = createAskReader(setup.askStore, log.warn);
  const ask = await unlessStopped(readNewest, io.stop);
  if (ask === "stopped") return 0;
  if (ask === undefined) {
    log.emit({ event: "nothing-asked", isAnswered: false });
    return 0;
  }
  const answer = await makeAnswer(setup, ask, io);
  if (answer === undefined) return 0;
  await putAnswer(setup, answer, log);
  return answer.evidence.connectivity === "offline" ? 3 : 0;
};

/**
 * `vantage watch`: answers every ask until stopped. A store that fails is logged and asked again. What it did not take is put again, and not
 * measured again: with a store that takes nothing, a line at home would otherwise carry twenty times the traffic.
 */
export const vantageWatchCommand: Action<VantageFlags & Flags<"vantageWatch">> = async (call) => {
  const { flags, io, log } = call;
  const setup = await prepareVantage(call);
  const readNewest = createAskReader(setup.askStore, log.warn);
  let answer: Answer | undefined;
  let putId = "";
  const look = async (): Promise<void> => {
    const ask = await unlessStopped(readNewest, io.stop);
    if (ask === "stopped" || ask === undefined || ask.id === putId) return;
    const isKept =
      answer !== undefined &&
      mayPutAgain(answer.evidence, performance.now() - answer.madeAtMs, ask);
    if (!isKept) answer = await makeAnswer(setup, ask, io);
    if (answer === undefined) return;
    await putAnswer(setup, answer, log);
    putId = ask.id;
  };
  await repeatUntilStopped(flags.everyMs, [look], io.stop, log.warn);
  return 0;
};

type VantageSetup = Awaited<ReturnType<typeof prepareVantage>>;

/** Reads what the options of a vantage name. Throws one `UsageError` with every problem. */
async function prepareVantage({ flags, problems, io }: Call<VantageFlags>) {
  const { id, ask, evidence, key } = flags;
  const keyFile = problems.need("--key", key, "the file of its private key");
  const { askUrl, vantageId, privateKey, config } = problems.settle({
    askUrl: problems.need("--ask", ask, "the store in which the runner asks"),
    vantageId: problems.need("--id", id, "the name of this vantage"),
    privateKey: await readBy(keyFile, (file) => readKey(file, "vantage", importPrivateKey)),
    config: await readProbeConfig(flags, io),
  });
  setMissingHome(io);
  return {
    vantageId,
    privateKey,
    askStore: await openChecked(askUrl, "ask"),
    evidenceStore: await openChecked(evidence ?? askUrl, "evidence"),
    anchors: flags.anchor,
    unlisted: flags.unlistedAnchor,
    concurrency: flags.concurrency,
    networkOf: await readNetworks(),
    probesNow: createPlaceProbes(config, findOwnAddresses, await openBrowserPool()),
  };
}

type Answer = NonNullable<Awaited<ReturnType<typeof makeAnswer>>>;

/** A signed answer; `madeAtMs` is by the monotonic clock. Undefined: it was stopped meanwhile. */
async function makeAnswer(setup: VantageSetup, ask: Ask, io: Io) {
  const startedMs = performance.now();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort("deadline"), DEADLINE_MS);
  const evidence = await answerAsk(ask, {
    ...setup,
    ...setup.probesNow(),
    pool: createPool({ concurrency: setup.concurrency, perHost: PER_HOST }),
    wallMs: io.wallMs,
    now: () => performance.now(),
    sleep,
    signal: AbortSignal.any([io.stop, deadline.signal]),
  });
  clearTimeout(timer);
  if (io.stop.aborted) return undefined;
  const body = await signEvidence(evidence, setup.privateKey);
  const madeAtMs = performance.now();
  return { evidence, body, madeAtMs, durationMs: Math.round(madeAtMs - startedMs) };
}

/** Throws `StoreError`. */
async function putAnswer(
  { evidenceStore, vantageId }: VantageSetup,
  { evidence, body, durationMs }: Answer,
  log: Log,
): Promise<void> {
  const { askId, results, connectivity } = evidence;
  const put = await putEvidence(evidenceStore, vantageId, askId, body);
  if (put === "answered") log.emit({ event: "nothing-asked", isAnswered: true });
  else
    log.emit({
      event: "ask-answered",
      ask: askId,
      endpoints: results.length,
      failing: results.filter(({ code }) => code in FAILURES).length,
      connectivity,
      bytes: body.length,
      durationMs,
    });
}
