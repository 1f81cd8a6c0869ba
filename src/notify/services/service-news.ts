import { FRESH_MS } from "../../model/time.ts";
import { CHANNEL_KINDS, type KindName } from "../channels/kinds.ts";
import type { News } from "../deliver.ts";
import { type Change, isWell } from "../rules/change.ts";
import type { PublicChange } from "./website-documents.ts";
import type { WebsiteReading } from "./website-client.ts";

/** A list that is older comes from a runner that does not run, or is offline. Source: docs/notify.md, "Noise". */
const STALE_MS = FRESH_MS;

/** Verdicts that a surge of reports confirms, so that they need not wait for the next run. */
const AT_ONCE: ReadonlySet<string> = new Set(["fail", "err"]);

/** What the engine needs to know of a channel; `ServiceChannel` is one. */
export interface Listener {
  /** Only these services; undefined: all. */
  readonly slugs: ReadonlySet<string> | undefined;
  readonly kind: KindName;
}

/** What a log of changes and a list of services say at one moment. */
interface ServiceStates {
  readonly next: number;
  readonly changes: readonly PublicChange[];
  /** Time of the last run that counted. */
  readonly updatedMs: number;
  /** As of the list; undefined: there is no such service any more. */
  readonly codeOf: (slug: string) => string | undefined;
}

/**
 * What is new of services, for those who listen. A change waits until the list confirms it, because a CDN may give a list that is newer than
 * the log: then the log would tell what is over. Pure.
 */
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
  return {
    ...newsOfServices({ ...changes, updatedMs, codeOf }, nowMs),
    channelsFor: ({ subject }) =>
      [...channels].filter(([, { slugs }]) => slugs?.has(subject) ?? true).map(([key]) => key),
    subjectsOf: (key) => {
      const channel = channels.get(key);
      if (channel === undefined) return undefined;
      const count = [...services.keys()].filter((slug) => channel.slugs?.has(slug) ?? true).length;
      return Math.max(1, count);
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
