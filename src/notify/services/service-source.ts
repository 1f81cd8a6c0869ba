import { setTimeout as delay } from "node:timers/promises";
import type { Emit } from "../../model/run-event.ts";
import type { Service } from "../../model/service/catalogue.ts";
import { FRESH_MS } from "../../model/time.ts";
import type { SendDependencies } from "../channels/kind.ts";
import { CHANNEL_KINDS } from "../channels/kinds.ts";
import type { Source } from "../deliver.ts";
import { type News, sendBy } from "../outbox.ts";
import { type Change, isWell } from "../rules/change.ts";
import type { ServiceChannel } from "./parse-channels.ts";
import { createSender, type OpenChannel } from "./send-to-channel.ts";
import { openWebsite, type PublicChange, type WebsiteReading } from "./website-client.ts";
import { nameService } from "../../site/words/catalogue.ts";

const CONCURRENCY = 16;

/** A list that is older comes from a runner that does not run, or is offline. Source: docs/notify.md, "Noise". */
const STALE_MS = FRESH_MS;

/** Verdicts that a surge of reports confirms, so that they need not wait for the next run. */
const AT_ONCE: ReadonlySet<string> = new Set(["fail", "err"]);

export interface ServiceAudience extends SendDependencies {
  /** Of the website, or of its log of changes. */
  readonly websiteUrl: string;
  readonly channels: readonly OpenChannel[];
  /** By slug: the names in other languages. */
  readonly services: ReadonlyMap<string, Service>;
  readonly emit: Emit;
}

/** Channels of the operator, and what they are told of services. Only the website and the ledger are read. */
export function createServiceSource(audience: ServiceAudience): Source {
  const { websiteUrl, channels, services, emit, signal } = audience;
  const website = openWebsite(websiteUrl, () => performance.now(), signal);
  const byId = new Map(channels.map((one) => [one.channel.id, one]));
  const listeners = new Map(channels.map(({ channel }) => [channel.id, channel]));
  let reading: WebsiteReading | undefined;
  let wasPaused = false;
  const secrets = channels.map(({ secret }) => secret);
  const send = createSender(secrets, () => ({
    ...audience,
    baseUrl: website.baseUrl,
    // The website knows its own names, and the catalogue those in other languages.
    nameOf: (slug, language) => {
      const known = services.get(slug);
      const own = reading?.status.services.get(slug)?.name ?? known?.name ?? slug;
      return language === "ru" || known === undefined ? own : nameService(known, language);
    },
    changeOf: (slug, atMs) =>
      reading?.changes.changes.find((one) => one.slug === slug && one.atMs === atMs),
    sleep: (ms) => delay(ms, undefined, { signal }).catch(() => undefined),
  }));
  return {
    ledgerKeys: ["services.json.gz"],
    read: async () => {
      reading = await website.read();
      const news = toServiceNews(reading, listeners, audience.wallMs());
      // Said once, and again after a run that counted.
      const { isPaused = false, lastRunMs } = news;
      if (isPaused && !wasPaused) emit({ event: "alerts-paused", updatedMs: lastRunMs });
      wasPaused = isPaused;
      return [{ ...news, send: sendBy(byId, send) }];
    },
    onFailed: (channel, reason, tries) => emit({ event: "channel-failed", channel, reason, tries }),
    concurrency: CONCURRENCY,
  };
}

export type Listener = Pick<ServiceChannel, "slugs" | "kind">;

/** What a log of changes and a list of services say at one moment. */
interface ServiceStates {
  readonly next: number;
  readonly changes: readonly PublicChange[];
  /** Time of the last run that counted. */
  readonly updatedMs: number;
  /** As of the list; undefined if the service has left it. */
  readonly codeOf: (slug: string) => string | undefined;
}

/** A change waits until the list confirms it: a CDN may give a list that is newer than the log, which then tells what is over. Pure. */
export function newsOfServices(
  { next, changes, updatedMs, codeOf }: ServiceStates,
  nowMs: number,
): Omit<News, "channelsFor" | "subjectsOf"> {
  return {
    next,
    changes: toChanges(changes),
    lastRunMs: updatedMs,
    isPaused: nowMs - updatedMs > STALE_MS,
    // A channel that is added later is told of what happens then.
    isOpen: true,
    stateNow: (slug) => codeOf(slug) ?? "gone",
  };
}

/** What is new for channels of the operator, by their key. Pure. */
export function toServiceNews(
  { changes, status }: Pick<WebsiteReading, "changes" | "status">,
  channels: ReadonlyMap<string, Listener>,
  nowMs: number,
): News {
  const { services, updatedMs } = status;
  const codeOf = (slug: string): string | undefined => services.get(slug)?.code;
  const hears = ({ slugs }: Listener, slug: string): boolean => slugs?.has(slug) ?? true;
  return {
    ...newsOfServices({ ...changes, updatedMs, codeOf }, nowMs),
    channelsFor: ({ subject }) =>
      [...channels].filter(([, channel]) => hears(channel, subject)).map(([key]) => key),
    subjectsOf: (key) => {
      const channel = channels.get(key);
      if (channel === undefined) return undefined;
      return Math.max(1, [...services.keys()].filter((slug) => hears(channel, slug)).length);
    },
    mayEdit: (key) => {
      const channel = channels.get(key);
      return channel !== undefined && CHANNEL_KINDS[channel.kind].mayEdit;
    },
  };
}

/** The changes with what the log says of the time before them. */
function toChanges(changes: readonly PublicChange[]): readonly Change[] {
  const last = new Map<string, number>();
  const began = new Map<string, number>();
  return changes.map(({ seq, id, slug, atMs, before, code, isSurge }) => {
    const beganMs = began.get(slug);
    const sinceMs = last.get(slug) ?? atMs;
    last.set(slug, atMs);
    if (isWell(before)) began.set(slug, atMs);
    if (isWell(code)) began.delete(slug);
    return {
      kind: "changed",
      seq,
      id,
      subject: slug,
      atMs,
      before,
      sinceMs,
      after: code,
      ...(isSurge && AT_ONCE.has(code) ? { isUrgent: true } : {}),
      // Trouble that is older than the log has no known beginning.
      ...(isWell(code) && beganMs !== undefined ? { beganMs } : {}),
    };
  });
}
