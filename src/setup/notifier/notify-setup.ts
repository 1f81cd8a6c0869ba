import { buildProbeDependencies, buildUrlGuard } from "../../probe/probe-config.ts";
import type { Io } from "../io.ts";
import { type ProblemCollector } from "../parse-options.ts";
import { readCatalogue } from "../files/catalogue-file.ts";
import { readChannels } from "../files/channels-file.ts";
import { pushKeysOf, readKey } from "../files/push-key.ts";
import { readProbeConfig } from "../read-probe-config.ts";
import type { NotifyFlags } from "../options/options.ts";
import { openChecked } from "../stores.ts";

export type NotifySetup = Awaited<ReturnType<typeof prepareNotify>>;

/**
 * Reads what the options of a notifier name: at least one of both kinds of receivers. `owners` has visitors, too. `warnings` are sentences
 * about what may be a mistake. Throws one `UsageError` with every problem.
 */
export async function prepareNotify(flags: NotifyFlags, problems: ProblemCollector, io: Io) {
  const { changes, channels, key } = flags;
  const isWatching = changes !== undefined || problems.isWrong("--changes");
  // The log of changes is public: telling of services alone needs neither the state nor a key.
  if (!isWatching)
    problems.unwrap(problems.need("--key", key, "the file that `notify keygen` has written"));
  if (!isWatching && channels !== undefined)
    problems.addProblem(`--channels ${channels}: --changes is missing: give the website to watch.`);
  if (changes !== undefined && channels === undefined)
    problems.addProblem(
      `--changes ${changes}: --channels is missing: give the file of channels to tell.`,
    );
  const { keys, read, names, config } = problems.settle({
    keys: key === undefined ? ABSENT : await readKey(key, "notify", pushKeysOf),
    read: channels === undefined ? ABSENT : await readChannels(channels, flags, io),
    // For the names of services in notices.
    names: channels === undefined ? await readCatalogue(flags) : ABSENT,
    config: await readProbeConfig(flags, io),
  });
  const probe = { ...buildProbeDependencies(config), refusalOfUrl: buildUrlGuard(config) };
  const catalogue = read?.catalogue ?? names?.catalogue;
  const services = new Map(catalogue?.services.map((service) => [service.slug, service]));
  return {
    ledgerStore: await openChecked(flags.ledger, "private"),
    ...(keys && {
      owners: { stateStore: await openChecked(flags.state, "private"), keys, probe, services },
    }),
    ...(changes !== undefined &&
      read && { services: { websiteUrl: changes, channels: read.channels, services, probe } }),
    warnings: read?.warnings ?? [],
  };
}

const ABSENT = { value: undefined } as const;
