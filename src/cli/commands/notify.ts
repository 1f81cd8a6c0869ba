import { randomUUID } from "node:crypto";
import { deliver, type Source } from "../../notify/deliver.ts";
import { type Ledgers, openLedgers } from "../../notify/ledger.ts";
import { createPushClient } from "../../notify/channels/push.ts";
import { createOwnerSource } from "../../notify/owners/owner-source.ts";
import { createServiceSource } from "../../notify/services/service-source.ts";
import { createStateReader } from "../../notify/state-audience.ts";
import { createVisitorSource } from "../../notify/visitors/visitor-source.ts";
import type { Log } from "../../setup/log.ts";
import { isExpectedFailure, UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import { type Io, type Action } from "../../setup/io.ts";
import { type NotifySetup, prepareNotify } from "../../setup/notifier/notify-setup.ts";
import { createSender } from "../../notify/services/send-to-channel.ts";
import { websiteOf } from "../../notify/services/website-client.ts";
import { buildProbeDependencies, buildUrlGuard } from "../../probe/probe-config.ts";
import { readChannels } from "../../setup/files/channels-file.ts";
import { readBy } from "../../setup/parse-options.ts";
import { readProbeConfig } from "../../setup/read-probe-config.ts";
import { repeatUntilStopped } from "../../setup/long-running.ts";
import type { Flags, NotifyFlags, ProbeFlags } from "../../setup/options/options.ts";

/** `notify`: tells all receivers once what has changed. */
export const notifyCommand: Action<NotifyFlags & Flags<"at">> = async (call) => {
  const { flags, problems, io, log } = call;
  const { atMs } = flags;
  const setup = await prepareNotify(flags, problems, io);
  const ioThen = atMs === undefined ? io : { ...io, wallMs: (): number => atMs };
  let code: ExitCode = 0;
  const sources = createSources(setup, ioThen, log);
  for (const source of sources) {
    try {
      await createCycle(source, setup, ioThen, log)();
      await source.settle?.();
    } catch (error) {
      // One that fails keeps nothing from the others.
      if (!isExpectedFailure(error)) throw error;
      log.fail(error.message);
      code = 1;
    }
  }
  return code;
};

/** `notify watch`: tells what changes until stopped. A store or a website that fails is logged and asked again. */
export const notifyWatchCommand: Action<NotifyFlags & Flags<"notifyWatch">> = async (call) => {
  const { flags, problems, io, log } = call;
  const setup = await prepareNotify(flags, problems, io);
  const sources = createSources(setup, io, log);
  const cycles = sources.map((source) => createCycle(source, setup, io, log));
  await repeatUntilStopped(flags.everyMs, cycles, io.stop, log.warn);
  return 0;
};

/** One look at a source, and the messages that follow from it. */
function createCycle(source: Source, { ledgerStore }: NotifySetup, { wallMs, stop }: Io, log: Log) {
  const holder = randomUUID();
  let known: Ledgers | undefined;
  return async (): Promise<void> => {
    // Another notifier may have written them: a conflict shows that, and then they are read again.
    const ledgers = known ?? (await openLedgers(ledgerStore, source.ledgerKeys));
    known = undefined;
    let isCut: boolean;
    do {
      const startedMs = performance.now();
      const done = await deliver(source, { ledgers, holder, wallMs, signal: stop });
      if (done === "busy") return log.emit({ event: "notifier-busy" });
      const { delivered, failed, open, missed } = done;
      if (missed > 0) log.emit({ event: "changes-missed", count: missed });
      const durationMs = Math.round(performance.now() - startedMs);
      if (delivered + failed > 0)
        log.emit({ event: "notices-sent", delivered, failed, open, durationMs });
      ({ isCut } = done);
    } while (isCut);
    known = ledgers;
  };
}

/** One for each audience: owners and visitors, who are told of what a state has, and channels of the operator. */
function createSources(
  { owners, services, warnings }: NotifySetup,
  { wallMs, stop, env, killGroup }: Io,
  { emit, warn }: Log,
): readonly Source[] {
  for (const warning of warnings) warn(warning);
  const sources: Source[] = [];
  if (owners !== undefined) {
    const readState = createStateReader(owners.stateStore);
    const { keys, probe } = owners;
    const push = createPushClient(keys, { probe, signal: stop });
    const audience = { ...owners, push, readState, wallMs, stop, emit, warn };
    sources.push(createOwnerSource(audience), createVisitorSource(audience));
  }
  if (services !== undefined) {
    const ways = { env, killGroup, wallMs, signal: stop };
    sources.push(createServiceSource({ ...services, ...ways, emit }));
  }
  return sources;
}

/** `notify test`: sends one message to a channel that says that it is a test. Exit code 1: it did not arrive. */
export const notifyTestCommand: Action<
  ProbeFlags & Flags<"channels" | "named">,
  [id: string]
> = async ({ flags, problems, io, log }, id) => {
  const needed = problems.need("--channels", flags.channels, "the file with the channel");
  const { file, read, config } = problems.settle({
    file: needed,
    read: await readBy(needed, (name) => readChannels(name, flags, io)),
    config: await readProbeConfig(flags, io),
  });
  for (const warning of read.warnings) log.warn(warning);
  const open = read.channels.find(({ channel }) => channel.id === id);
  if (open === undefined) {
    const ids = read.channels.map(({ channel }) => channel.id).join(", ");
    throw new UsageError([`${file}: it has no channel "${id}", but ${ids}.`]);
  }
  const send = createSender([open.secret], () => ({
    probe: { ...buildProbeDependencies(config), refusalOfUrl: buildUrlGuard(config) },
    signal: io.stop,
    baseUrl: flags.changes === undefined ? "" : websiteOf(flags.changes),
    nameOf: (slug) => slug,
    changeOf: () => undefined,
    env: io.env,
    killGroup: io.killGroup,
    wallMs: io.wallMs,
    // Nothing was sent before it.
    sleep: async () => undefined,
  }));
  const atMs = io.wallMs();
  const result = await send(open, { kind: "test", id: `test.${randomUUID()}`, atMs });
  const name = `${id} (${open.channel.kind})`;
  if (result.kind === "delivered") {
    const { ref, note } = result;
    io.print(`${name}: arrived${ref === undefined ? "" : `, as message ${ref}`}.`);
    if (note !== undefined) io.print(note);
    return 0;
  }
  log.fail(`${name}: did not arrive: ${result.kind === "failed" ? result.reason : result.kind}.`);
  return 1;
};
