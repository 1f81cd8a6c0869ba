import { type News, sendBy, type Source } from "../../notify/deliver.ts";
import { createSender, type OpenChannel } from "../../notify/services/send-to-channel.ts";
import { toServiceNews } from "../../notify/services/service-news.ts";
import { openWebsite, type WebsiteReading } from "../../notify/services/website-client.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import type { Service } from "../../model/service/catalogue.ts";
import type { Language } from "../../site/words/language.ts";
import { nameService } from "../../site/words/catalogue.ts";
import type { Log } from "../log.ts";
import { type Io, sleep } from "../io.ts";

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
): Source {
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
  return {
    ledgerKey: "services.json.gz",
    read: async () => {
      reading = await website.read();
      const news = toServiceNews(reading, listeners, io.wallMs());
      notePause(news);
      return { ...news, send: sendBy(byId, send) };
    },
    onFailed: (channel, reason, tries) =>
      log.emit({ event: "channel-failed", channel, reason, tries }),
    concurrency: CONCURRENCY,
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
function createPauseLog(log: Log): (news: News) => void {
  let wasPaused = false;
  return ({ isPaused = false, lastRunMs }) => {
    if (isPaused && !wasPaused) log.emit({ event: "alerts-paused", updatedMs: lastRunMs });
    wasPaused = isPaused;
  };
}
