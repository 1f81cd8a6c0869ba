import { FRESH_MS } from "../../model/time.ts";
import type { Source } from "../deliver.ts";
import { type Change, isWell } from "../rules/change.ts";
import type { PublicChange } from "./website-documents.ts";
import type { WebsiteReading } from "./website-client.ts";

/** A list that is older comes from a runner that does not run, or is offline. Source: docs/notify.md, "Noise". */
const STALE_MS = FRESH_MS;

/** Verdicts that a surge of reports confirms, so that they need not wait for the next run. */
const AT_ONCE: ReadonlySet<string> = new Set(["fail", "err"]);

/** Kinds whose messages can be changed. */
const EDITABLE: ReadonlySet<string> = new Set(["telegram", "max"]);

/** What the engine needs to know of a channel; `ServiceChannel` is one. */
export interface Listener {
  /** Only these services; undefined: all. */
  readonly slugs: ReadonlySet<string> | undefined;
  readonly kind?: string;
}

/**
 * The outbox of services for channels by their key. A change waits until the list confirms it, because a CDN may give a list that is newer than the
 * log: then the log would tell what is over. Pure.
 */
export function toServiceSource(
  { changes: { next, changes }, status }: WebsiteReading,
  channels: ReadonlyMap<string, Listener>,
  nowMs: number,
): Source {
  const { services, updatedMs } = status;
  const keysOf = (slug: string): readonly string[] =>
    [...channels].filter(([, { slugs }]) => slugs?.has(slug) ?? true).map(([key]) => key);
  return {
    next,
    changes: toChanges(changes),
    lastRunMs: updatedMs,
    isPaused: nowMs - updatedMs > STALE_MS,
    // A channel that is added to the file later is told of what happens then.
    isOpen: true,
    channelsFor: ({ subject }) => keysOf(subject),
    subjectsOf: (key) => {
      const channel = channels.get(key);
      if (channel === undefined) return undefined;
      const count = [...services.keys()].filter((slug) => channel.slugs?.has(slug) ?? true).length;
      return Math.max(1, count);
    },
    stateNow: (slug) => services.get(slug)?.code ?? "gone",
    mayEdit: (key) => EDITABLE.has(channels.get(key)?.kind ?? ""),
  };
}

/** The changes with what the log says of the time before them. */
export function toChanges(changes: readonly PublicChange[]): readonly Change[] {
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
