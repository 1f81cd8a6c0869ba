import { inboxKey } from "../../src/inbox.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { Report } from "../../src/model/reports.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import type { ReleaseSetup } from "../../src/release.ts";
import { encodeInbox } from "../../src/reports/inbox.ts";
import { catalogueOf, releaseOver } from "./empty-release.ts";
import type { Stores } from "./writers.ts";

export const NOW_MS: number = Date.UTC(2026, 10, 21, 12);
export const SLUGS = ["alpha", "beta"] as const;
export const CATALOGUE = catalogueOf(SLUGS);

/** A publish of two services in a hurry, and what it tells. */
export function openRelease(stores: Stores) {
  const events: RunEvent[] = [];
  const setup: ReleaseSetup = {
    ...releaseOver(stores, CATALOGUE, async () => undefined),
    emit: (event) => events.push(event),
  };
  const told = (name: RunEvent["event"]) => events.filter(({ event }) => event === name);
  return { setup, told };
}

/** A report of a network that is nobody else's. */
export function reportOf(slug: string, network: string): Report {
  return { slug, atMs: NOW_MS - 60_000, network, block: network };
}

/** One object of the inbox, as the intake writes it; the value is its body. */
export async function post(
  store: ObjectStore,
  id: string,
  reports: readonly Report[],
): Promise<Uint8Array> {
  const body = encodeInbox(reports);
  const object = { body, contentType: "application/json", cacheControl: "no-store" };
  await store.write(inboxKey(id), object, { kind: "absent" });
  return body;
}

/** The details as they are published, by slug. */
export async function detailsIn(
  store: ObjectStore,
): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
  const entries = SLUGS.map(async (slug) => {
    const found = await store.read(`api/v1/status/${slug}`);
    const detail: unknown = JSON.parse(Buffer.from(found?.body ?? []).toString());
    return [slug, Object(detail)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
