import type { Monitor } from "../../model/monitor/monitor.ts";
import { defaultNameOf } from "../../model/monitor/monitor-schema.ts";
import type { OwnedMonitor } from "../../model/monitor/owned-monitor.ts";

/**
 * A record as it is kept in memory: one that waits for its first proof as a text, which takes a fifth of the memory of its objects,
 * because strangers can make thousands of them.
 */
export type Kept = OwnedMonitor | string;

/** Of a setting that is left out: a name that is the host, no other settings. */
const LEFT_OUT = "null";

/** The form in which a record is kept. Never throws. */
export function packRecord(owned: OwnedMonitor): Kept {
  const { monitor, revision, keyHash, createdAtMs, proof, challenges, refusal } = owned;
  const [challenge] = challenges;
  const isPlain =
    proof === undefined &&
    refusal === undefined &&
    owned.removedAtMs === undefined &&
    challenges.length === 1 &&
    challenge?.goal.kind === "first" &&
    challenge.sinceMs === createdAtMs;
  if (!isPlain || challenge === undefined) return owned;
  const { url, name, isPublic, id: _, ownedSinceMs: __, ...settings } = monitor;
  const isNamed = name !== defaultNameOf(url);
  // No part has a line break: those of names and texts are escaped. A joined text is one piece, unlike one of `JSON.stringify`.
  return [
    url,
    isNamed ? JSON.stringify(name) : LEFT_OUT,
    isPublic,
    revision,
    keyHash,
    challenge.token,
    challenge.network,
    createdAtMs,
    Object.keys(settings).length === 0 ? LEFT_OUT : JSON.stringify(settings),
  ].join("\n");
}

/** The record that was kept under an id. */
export function unpackRecord(id: string, kept: Kept): OwnedMonitor {
  if (typeof kept !== "string") return kept;
  const [url = "", name = LEFT_OUT, isPublic, revision, keyHash = "", ...others] = kept.split("\n");
  const [token = "", network = "", since, settings = LEFT_OUT] = others;
  // `packRecord` has written both.
  const called = JSON.parse(name) as string | null;
  const more = JSON.parse(settings) as Partial<Monitor> | null;
  return {
    monitor: {
      id,
      url,
      name: called ?? defaultNameOf(url),
      isPublic: isPublic === "true",
      ...more,
    },
    revision: Number(revision),
    keyHash,
    createdAtMs: Number(since),
    challenges: [{ token, goal: { kind: "first" }, sinceMs: Number(since), network }],
  };
}
