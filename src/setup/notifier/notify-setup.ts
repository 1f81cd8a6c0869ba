import { buildProbeDependencies, buildUrlGuard } from "../../probe/probe-config.ts";
import type { ObjectStore } from "../../model/store.ts";
import type { ServiceAudience } from "../../notify/services/service-source.ts";
import type { VisitorAudience } from "../../notify/visitors/visitor-source.ts";
import { openStore } from "../../store/open.ts";
import type { Io } from "../io.ts";
import { collectProblems, ifGiven, parseLogMode, type Parsed } from "../parse-options.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import { SHIPPED_CATALOGUE } from "../shipped-files.ts";
import { readCatalogue } from "../files/catalogue-file.ts";
import { type ChannelFlags, type ReadChannels, readChannels } from "../files/channels-file.ts";
import { readPushKey } from "../files/push-key.ts";
import { type ProbeFlags, readProbeConfig } from "../read-probe-config.ts";

export interface NotifyFlags extends ProbeFlags, ChannelFlags {
  readonly state: string;
  readonly ledger: string;
  readonly key?: string;
  readonly changes?: string;
  readonly log?: string;
}

/** The checked settings of a notifier: at least one of both kinds of receivers. */
export interface NotifySetup {
  readonly ledgerStore: ObjectStore;
  readonly owners?: Pick<VisitorAudience, "stateStore" | "keys" | "probe" | "services">;
  readonly services?: Pick<ServiceAudience, "websiteUrl" | "channels" | "services" | "probe">;
  /** Sentences about what may be a mistake. */
  readonly warnings: readonly string[];
}

/** Parses the options of a notifier. Throws one `UsageError` with every problem. */
export async function prepareNotify(flags: NotifyFlags, io: Io): Promise<NotifySetup> {
  const { unwrap, throwIfAny } = collectProblems();
  const { changes } = flags;
  // The log of changes is public: telling of services alone needs neither the state nor a key.
  const hasOwners = changes === undefined || flags.key !== undefined;
  const stateStore = hasOwners ? unwrap(await open(flags.state)) : undefined;
  const keys = hasOwners ? unwrap(await readKey(flags.key)) : undefined;
  const ledgerStore = unwrap(await open(flags.ledger));
  const websiteUrl = unwrap(ifGiven(changes, parseChangesUrl));
  const read = unwrap(await readChannelsIfAny(flags, io));
  const catalogue = read?.catalogue ?? (hasOwners ? unwrap(await readNames(flags)) : undefined);
  const config = unwrap(await readProbeConfig(flags, io));
  unwrap(ifGiven(flags.log, parseLogMode));
  throwIfAny();
  if (!ledgerStore || !config || (hasOwners && (!stateStore || !keys)))
    throw new TypeError("a setting without a value and without a problem");
  const probe = { ...buildProbeDependencies(config), refusalOfUrl: buildUrlGuard(config) };
  const services = new Map(catalogue?.services.map((service) => [service.slug, service]));
  return {
    ledgerStore,
    ...(stateStore && keys ? { owners: { stateStore, keys, probe, services } } : {}),
    ...(websiteUrl !== undefined && read
      ? { services: { websiteUrl, channels: read.channels, services, probe } }
      : {}),
    warnings: read?.warnings ?? [],
  };
}

async function readNames({
  catalogue = SHIPPED_CATALOGUE,
  ...others
}: NotifyFlags): Promise<Parsed<Catalogue>> {
  const read = await readCatalogue({ ...others, catalogue });
  return "problem" in read ? read : { value: read.value.catalogue };
}

/** The address of a website, or of its log of changes. */
export function parseChangesUrl(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined &&
    /^https?:$/u.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (isPlain) return { value: url.href };
  const problem =
    "--changes: give the address of the website, or of its changes/v1.json, such as https://status.example.";
  return { problem };
}

async function readChannelsIfAny(
  flags: NotifyFlags,
  io: Io,
): Promise<Parsed<ReadChannels | undefined>> {
  const { changes, channels } = flags;
  if (channels !== undefined && changes === undefined)
    return { problem: `--channels ${channels}: --changes is missing: give the website to watch.` };
  if (changes === undefined) return { value: undefined };
  return channels === undefined
    ? { problem: `--changes ${changes}: --channels is missing: give the file of channels to tell.` }
    : readChannels(channels, flags, io);
}

async function open(url: string): Promise<Parsed<ObjectStore>> {
  const opened = await openStore(url, { role: "private" });
  return opened.kind === "refused" ? { problem: opened.message } : { value: opened.store };
}

async function readKey(file: string | undefined): ReturnType<typeof readPushKey> {
  return file === undefined
    ? { problem: "--key is missing: give the file that `notify keygen` has written." }
    : readPushKey(file);
}
