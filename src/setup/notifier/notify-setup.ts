import { buildProbeDependencies, buildUrlGuard } from "../../probe/probe-config.ts";
import type { ObjectStore } from "../../model/store.ts";
import type { PushKeys } from "../../notify/channels/push.ts";
import type { ServiceAudience } from "../../notify/services/service-source.ts";
import type { VisitorAudience } from "../../notify/visitors/visitor-source.ts";
import type { Io } from "../io.ts";
import { type ProblemCollector } from "../parse-options.ts";
import { readCatalogue } from "../files/catalogue-file.ts";
import { readChannels } from "../files/channels-file.ts";
import { pushKeysOf, readKey } from "../files/push-key.ts";
import { readProbeConfig } from "../read-probe-config.ts";
import type { NotifyFlags } from "../options/options.ts";
import { openChecked } from "../stores.ts";

/** The checked settings of a notifier: at least one of both kinds of receivers. */
export interface NotifySetup {
  readonly ledgerStore: ObjectStore;
  /** Owners and visitors. */
  readonly owners?: Pick<VisitorAudience, "stateStore" | "probe" | "services"> & {
    readonly keys: PushKeys;
  };
  readonly services?: Pick<ServiceAudience, "websiteUrl" | "channels" | "services" | "probe">;
  /** Sentences about what may be a mistake. */
  readonly warnings: readonly string[];
}

/** Reads what the options of a notifier name. Throws one `UsageError` with every problem. */
export async function prepareNotify(
  flags: NotifyFlags,
  problems: ProblemCollector,
  io: Io,
): Promise<NotifySetup> {
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
