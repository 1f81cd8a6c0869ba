import { randomUUID } from "node:crypto";
import { createSender } from "../../notify/services/send-to-channel.ts";
import { websiteOf } from "../../notify/services/website-client.ts";
import { buildProbeDependencies, buildUrlGuard } from "../../probe/probe-config.ts";
import { UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Call } from "../../setup/io.ts";
import type { Flags, ProbeFlags } from "../../setup/options/options.ts";
import { readChannels } from "../../setup/files/channels-file.ts";
import { readProbeConfig } from "../../setup/read-probe-config.ts";

/** `notify test`: sends one message to a channel that says that it is a test. Exit code 1: it did not arrive. */
export async function notifyTestCommand(
  { flags, problems, io, log }: Call<ProbeFlags & Flags<"channels" | "named">>,
  id: string,
): Promise<ExitCode> {
  const { channels: file } = flags;
  problems.need("--channels", file, "the file with the channel");
  const { read, config } = problems.settle({
    read: file === undefined ? { value: undefined } : await readChannels(file, flags, io),
    config: await readProbeConfig(flags, io),
  });
  if (file === undefined || read === undefined) throw new TypeError("no channels and no problem");
  for (const warning of read.warnings) log.warn(warning);
  const open = read.channels.find(({ channel }) => channel.id === id);
  if (open === undefined) {
    const ids = read.channels.map(({ channel }) => channel.id).join(", ");
    throw new UsageError([`${file}: there is no channel "${id}"; it has ${ids}.`]);
  }
  const send = createSender([open.secret], () => ({
    probe: { ...buildProbeDependencies(config), refusalOfUrl: buildUrlGuard(config) },
    signal: io.stop,
    baseUrl: flags.changes === undefined ? "" : websiteOf(flags.changes),
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
