import type { OwnedMonitor, OwnersState } from "../../src/model/monitor/owned-monitor.ts";
import { DAY_MS } from "../../src/model/time.ts";
import { T0 } from "./samples.ts";

/** Hashes and tokens have a fixed length. */
export function hashOf(letter: string): string {
  return letter.repeat(43);
}

export function tokenOf(letter: string): string {
  return letter.repeat(22);
}

/** A monitor that its owner has just added. */
export function pendingMonitor(id: string, url = "https://shop.example.ru/"): OwnedMonitor {
  return {
    monitor: { id, url, name: new URL(url).host, isPublic: false },
    revision: 1,
    keyHash: hashOf("k"),
    createdAtMs: T0,
    challenges: [{ token: tokenOf("t"), goal: { kind: "first" }, sinceMs: T0, network: "n" }],
  };
}

/** A monitor whose owner has proved control of it. */
export function provedMonitor(id: string, url?: string): OwnedMonitor {
  const proof = { token: tokenOf("t"), method: "file", provedAtMs: T0, seenAtMs: T0 } as const;
  return { ...pendingMonitor(id, url), revision: 2, proof, challenges: [] };
}

export const OWNERS: OwnersState = {
  sequence: T0,
  pending: {
    sequence: T0,
    changes: new Map([
      ["gone", null],
      ["new", pendingMonitor("new")],
      [
        "moving",
        {
          ...provedMonitor("moving"),
          channels: [
            {
              kind: "webhook",
              id: tokenOf("c"),
              addedAtMs: T0,
              url: "https://hooks.example.ru/status",
              secret: `whsec_${"A".repeat(32)}`,
            },
            {
              kind: "push",
              id: tokenOf("d"),
              addedAtMs: T0,
              stoppedAtMs: T0 + DAY_MS,
              endpoint: "https://push.example.com/send/1",
              p256dh: "B".repeat(87),
              auth: "C".repeat(22),
              language: "ru",
            },
          ],
          removedAtMs: T0,
          refusal: { kind: "denied", atMs: T0 },
          challenges: [
            {
              token: tokenOf("u"),
              goal: { kind: "url", url: "https://other.example.ru/" },
              sinceMs: T0 + DAY_MS,
              network: "n",
            },
            {
              token: tokenOf("v"),
              goal: { kind: "key", keyHash: hashOf("l") },
              sinceMs: T0 + DAY_MS,
              network: "m",
            },
          ],
        },
      ],
    ]),
  },
  shards: [3, 60],
  folded: new Map([["2f1d8f0a-0000-4000-8000", { atMs: T0, ranges: [[1, 4]] }]]),
  blockedHosts: ["evil.example"],
  changes: {
    next: 4,
    recent: [
      {
        seq: 2,
        id: "moving",
        atMs: T0,
        kind: "condition",
        before: "healthy",
        sinceMs: T0 - DAY_MS,
        after: "failing",
        code: "tcp-timeout",
      },
      { seq: 3, id: "moving", atMs: T0, kind: "added", channelId: tokenOf("c") },
    ],
  },
};
