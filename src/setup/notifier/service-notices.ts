import { deliver, type Source } from "../../notify/deliver.ts";
import { createSender, type OpenChannel } from "../../notify/services/send-to-channel.ts";
import { toServiceSource } from "../../notify/services/service-source.ts";
import { openWebsite, type WebsiteReading } from "../../notify/services/website-client.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import type { Service } from "../../model/service/catalogue.ts";
import type { Language } from "../../site/words/language.ts";
import { nameService } from "../../site/words/service-name.ts";
import type { Log } from "../log.ts";
import type { Io } from "../io.ts";
import type { NotifySource } from "./notify-cycle.ts";
import { sleep } from "../sleep.ts";

/** Channels at once. */
const CONCURRENCY = 16;

/** What channels of the operator are told with. */
export interface ServiceNotices {
  /** Of the website, or of its log of changes. */
  readonly websiteUrl: string;
  readonly channels: readonly OpenChannel[];
  /** By slug: the names in other languages. */
  readonly services: ReadonlyMap<string, Service>;
  readonly probe: ProbeDependencies;
}

/** Channels of the operator, and what they are told of services. Only the website and the ledger are read. */
export function createServiceNotices(
  { websiteUrl, channels, services, probe }: ServiceNotices,
  io: Io,
  log: Log,
): NotifySource {
  const website = openWebsite(websiteUrl, () => performance.now(), io.stop);
  const byId = new Map(channels.map((one) => [one.channel.id, one]));
  const listeners = new Map(channels.map(({ channel }) => [channel.id, channel]));
  const notePause = createPauseLog(log);
  let reading: WebsiteReading | undefined;
  const secrets = channels.map(({ secret }) => secret);
  const send = createSender(secrets, () => ({
    probe,
    signal: io.stop,
    baseUrl: website.baseUrl,
    nameOf: (slug, language) => nameOf(slug, language, services, reading),
    env: io.env,
    killGroup: io.killGroup,
    wallMs: io.wallMs,
    sleep: (ms) => sleep(ms, io.stop),
  }));
  const readSource = async (): Promise<Source> => {
    reading = await website.read();
    const source = toServiceSource(reading, listeners, io.wallMs());
    notePause(source);
    return source;
  };
  return {
    ledgerKey: "services.json.gz",
    deliver: (turn) =>
      deliver({
        ...turn,
        readSource,
        send: async (key, message) => {
          const open = byId.get(key);
          return open === undefined
            ? { kind: "failed", reason: "no such channel" }
            : send(open, message);
        },
        onFailed: (channel, reason, tries) =>
          log.emit({ event: "channel-failed", channel, reason, tries }),
        wallMs: io.wallMs,
        signal: io.stop,
        concurrency: CONCURRENCY,
      }),
  };
}

/** The website knows its own names, and the catalogue those in other languages. */
function nameOf(
  slug: string,
  language: Language,
  services: ServiceNotices["services"],
  reading: WebsiteReading | undefined,
): string {
  const known = services.get(slug);
  const own = reading?.status.services.get(slug)?.name ?? known?.name ?? slug;
  return language === "ru" || known === undefined ? own : nameService(known, language);
}

/** Says once that nothing is told, and again after a run that counted. */
function createPauseLog(log: Log): (source: Source) => void {
  let wasPaused = false;
  return ({ isPaused = false, lastRunMs }) => {
    if (isPaused && !wasPaused) log.emit({ event: "alerts-paused", updatedMs: lastRunMs });
    wasPaused = isPaused;
  };
}
