import { actionsOf } from "../notify/channels/kinds.ts";
import { testChannel } from "../notify/services/send-to-channel.ts";
import { openWebsite, WebsiteError } from "../notify/services/website-client.ts";
import { buildProbeDependencies, buildUrlGuard } from "../probe/probe-config.ts";
import { type Check, fail, type CheckFinding, ok, warn } from "./check.ts";
import type { Io } from "../setup/io.ts";
import type { Flags, ProbeFlags } from "../setup/options/options.ts";
import type { ProblemCollector } from "../setup/parse-options.ts";
import { readChannels } from "../setup/files/channels-file.ts";
import { checkStores } from "./store.ts";
import { readProbeConfig } from "../setup/read-probe-config.ts";
import { openChecked } from "../setup/stores.ts";

/** Checks what a notifier of services needs, and nothing of a runner, which may be elsewhere. Throws `UsageError`. */
export async function checkNotifier(
  file: string,
  flags: ProbeFlags & Flags<"catalogue" | "channels" | "ledger">,
  problems: ProblemCollector,
  io: Io,
): Promise<readonly Check[]> {
  const { read, config } = problems.settle({
    read: await readChannels(file, flags, io),
    config: await readProbeConfig(flags, io),
  });
  const { channels, warnings } = read;
  const ledger = await openChecked(flags.ledger, "private");
  const probe = { ...buildProbeDependencies(config), refusalOfUrl: buildUrlGuard(config) };
  const stored = await checkStores(
    [{ role: "private", url: flags.ledger, store: ledger }],
    io.wallMs,
  );
  return [
    {
      name: "--channels",
      ...(warnings.length === 0
        ? ok(`${file}: ${channels.length} channels, with their secrets`)
        : warn(warnings.join(" "))),
    },
    ...(stored.get("private") ?? []).map((check) => ({
      ...check,
      name: check.name.replace("--state", "ledger"),
    })),
    ...(flags.changes === undefined
      ? []
      : [{ name: "--changes", ...(await judgeChanges(flags.changes, io)) }]),
    ...(await Promise.all(
      channels.map(async (open): Promise<Check> => {
        const fault = await testChannel(open, { probe, signal: io.stop, env: io.env });
        const { found, remedy } = actionsOf(open.channel);
        const finding =
          fault === undefined ? ok(found) : fail(`${open.channel.kind}: ${fault}. ${remedy}`);
        return { name: `channel ${open.channel.id}`, ...finding };
      }),
    )),
  ];
}

async function judgeChanges(url: string, io: Io): Promise<CheckFinding> {
  try {
    const { status } = await openWebsite(url, () => performance.now(), io.stop).read();
    const ageS = Math.round((io.wallMs() - status.updatedMs) / 1_000);
    return ok(`${status.services.size} services, as of ${ageS} s ago`);
  } catch (error) {
    if (!(error instanceof WebsiteError)) throw error;
    return fail(error.message);
  }
}
