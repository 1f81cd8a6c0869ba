import { randomUUID } from "node:crypto";
import { createSender } from "../../notify/services/send-to-channel.ts";
import { websiteOf } from "../../notify/services/website-client.ts";
import { buildProbeDependencies, buildUrlGuard } from "../../probe/probe-config.ts";
import type { Log } from "../../setup/log.ts";
import { UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";
import { collectProblems, ifGiven, parseLogMode } from "../../setup/parse-options.ts";
import { type ChannelFlags, readChannels } from "../../setup/files/channels-file.ts";
import { parseChangesUrl } from "../../setup/notifier/notify-setup.ts";
import { type ProbeFlags, readProbeConfig } from "../../setup/read-probe-config.ts";

/** Options of `notify test`. */
export interface NotifyTestFlags extends ProbeFlags, ChannelFlags {
  readonly changes?: string;
  readonly log?: string;
}

/** `notify test`: sends one message to a channel that says that it is a test. Exit code 1: it did not arrive. */
export async function notifyTestCommand(
  id: string,
  flags: NotifyTestFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const { unwrap, throwIfAny } = collectProblems();
  const { channels: file } = flags;
  const read = unwrap(
    file === undefined
      ? { problem: "--channels is missing: give the file with the channel." }
      : await readChannels(file, flags, io),
  );
  const websiteUrl = unwrap(ifGiven(flags.changes, parseChangesUrl));
  const config = unwrap(await readProbeConfig(flags, io));
  unwrap(ifGiven(flags.log, parseLogMode));
  throwIfAny();
  if (!read || !config) throw new TypeError("a setting without a value and without a problem");
  for (const warning of read.warnings) log.warn(warning);
  const open = read.channels.find(({ channel }) => channel.id === id);
  if (open === undefined) {
    const ids = read.channels.map(({ channel }) => channel.id).join(", ");
    throw new UsageError([`${file}: there is no channel "${id}"; it has ${ids}.`]);
  }
  const send = createSender([open.secret], () => ({
    probe: { ...buildProbeDependencies(config), refusalOfUrl: buildUrlGuard(config) },
    signal: io.stop,
    baseUrl: websiteUrl === undefined ? "" : websiteOf(websiteUrl),
    nameOf: (slug) => slug,
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
}
