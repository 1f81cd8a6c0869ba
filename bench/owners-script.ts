import { randomBytes } from "node:crypto";
import { createOwnerIndex, OWNER_LIMITS } from "../src/monitors/owner-api/owner-index.ts";
import { generateMonitorId } from "../src/setup/registry/edit-registry.ts";
import type { OwnedMonitor } from "../src/model/monitor/owned-monitor.ts";
import { sha256Of } from "../src/http-server/json-api.ts";
import { newToken } from "../src/monitors/owner-api/owner-access.ts";

/** The output of this script, as JSON. */
export interface MeasuredStrangers {
  /** Growth of the heap by the records and their counts. */
  readonly heldBytes: number;
  readonly perRequestUs: number;
}

/** Registrations by 300,000 strangers, each of a host and a network of its own, without the limit of all. */
const STRANGERS = 300_000;

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const index = createOwnerIndex({ ...OWNER_LIMITS, pendingInAll: STRANGERS });
const before = heapBytes();
const startedMs = performance.now();
for (let at = 0; at < STRANGERS; at += 1) {
  const url = `https://shop${at}.example${at}.ru/`;
  const network = randomBytes(12).toString("base64url");
  const place = index.placeFor(url, network);
  if ("refusal" in place || place.displaced !== undefined)
    throw new Error("a stranger was refused");
  const id = generateMonitorId();
  const owned: OwnedMonitor = {
    monitor: { id, url, name: new URL(url).host, isPublic: true },
    revision: 1,
    keyHash: sha256Of(id),
    createdAtMs: at,
    challenges: [{ token: newToken(), goal: { kind: "first" }, sinceMs: at, network }],
  };
  index.set(id, owned);
}
const perRequestUs = ((performance.now() - startedMs) * 1_000) / STRANGERS;
const heldBytes = heapBytes() - before;
if (index.size() !== STRANGERS) throw new Error("a record is missing");
process.stdout.write(JSON.stringify({ heldBytes, perRequestUs } satisfies MeasuredStrangers));
