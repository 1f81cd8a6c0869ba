import type { CryptoKey } from "jose";
import type { ObjectStore } from "../../model/store.ts";
import { withAddress } from "../../probe/network/connect-to.ts";
import { buildProbeDependencies } from "../../probe/probe-config.ts";
import { createExperiment } from "../../probe/experiment.ts";
import { createProbe } from "../../probe/probe.ts";
import { unlessStopped } from "../../model/stopping.ts";
import { SECOND_MS } from "../../model/time.ts";
import type { Ask } from "../../model/service/vantage.ts";
import { createPool } from "../../probe/pool.ts";
import { answerAsk, type AnswerDependencies } from "../../vantages/answer-ask.ts";
import { importPrivateKey, signEvidence } from "../../vantages/evidence-codec.ts";
import { putEvidence, readAsk } from "../../vantages/exchange.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import { type Action, type Io, sleep } from "../../setup/io.ts";
import type { Log } from "../../setup/log.ts";
import { repeatUntilStopped } from "../../setup/long-running.ts";
import type { Flags, VantageFlags } from "../../setup/options/options.ts";
import type { ProblemCollector } from "../../setup/parse-options.ts";
import { readNetworks } from "../../setup/files/named-files.ts";
import { readKey } from "../../setup/files/push-key.ts";
import { readProbeConfig } from "../../setup/read-probe-config.ts";
import { openChecked } from "../../setup/stores.ts";

/** The runner waits 100 s for a new failure, so an answer that takes longer comes too late for it. */
const DEADLINE_MS = 70 * SECOND_MS;

/** Connections to one host at once, as of the runner. */
const PER_HOST = 2;

/** `vantage`: answers the newest ask once. */
export const vantageCommand: Action<VantageFlags> = async ({ flags, problems, io, log }) => {
  const setup = await prepareVantage(flags, problems, io);
  const ask = await unlessStopped(() => readAsk(setup.askStore, log.warn), io.stop);
  if (ask === "stopped") return 0;
  if (ask === undefined) {
    log.emit({ event: "nothing-asked", isAnswered: false });
    return 0;
  }
  return answer(setup, ask, io, log);
};

/** `vantage watch`: answers every ask until stopped. A store that fails is logged and asked again. */
export const vantageWatchCommand: Action<VantageFlags & Flags<"vantageWatch">> = async (call) => {
  const { flags, problems, io, log } = call;
  const setup = await prepareVantage(flags, problems, io);
  let answeredId = "";
  const look = async (): Promise<void> => {
    const ask = await unlessStopped(() => readAsk(setup.askStore, log.warn), io.stop);
    if (ask === "stopped" || ask === undefined || ask.id === answeredId) return;
    await answer(setup, ask, io, log);
    answeredId = ask.id;
  };
  await repeatUntilStopped(flags.everyMs, [look], io.stop, log.warn);
  return 0;
};

interface VantageSetup extends Pick<
  AnswerDependencies,
  "vantageId" | "probe" | "probeAt" | "experiment" | "networkOf" | "anchors" | "unlisted"
> {
  readonly askStore: ObjectStore;
  readonly evidenceStore: ObjectStore;
  readonly privateKey: CryptoKey;
  readonly concurrency: number;
}

/** Reads what the options of a vantage name. Throws one `UsageError` with every problem. */
async function prepareVantage(
  { id, ask, evidence, key, ...flags }: VantageFlags,
  problems: ProblemCollector,
  io: Io,
): Promise<VantageSetup> {
  problems.need("--ask", ask, "the store in which the runner asks");
  problems.need("--id", id, "the name of this vantage");
  problems.need("--key", key, "the file of its private key");
  const { privateKey, config } = problems.settle({
    privateKey:
      key === undefined ? { value: undefined } : await readKey(key, "vantage", importPrivateKey),
    config: await readProbeConfig(flags, io),
  });
  if (id === undefined || ask === undefined || privateKey === undefined)
    throw new TypeError("a setting without a value and without a problem");
  const dependencies = buildProbeDependencies(config);
  return {
    vantageId: id,
    privateKey,
    askStore: await openChecked(ask, "ask"),
    evidenceStore: await openChecked(evidence ?? ask, "evidence"),
    anchors: flags.anchor,
    unlisted: flags.unlistedAnchor,
    concurrency: flags.concurrency,
    probe: createProbe(dependencies),
    experiment: createExperiment(dependencies),
    networkOf: await readNetworks(),
    probeAt: (endpoint, address, signal) => {
      // The ask is only as trustworthy as its store, so its addresses have to pass the guard like those of a resolver.
      if (dependencies.addressRules.refusalOf(address) !== undefined) return undefined;
      const connectTo = withAddress(dependencies.connectTo, new URL(endpoint.url), address);
      return createProbe({ ...dependencies, connectTo })(endpoint, 0, signal);
    },
  };
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
