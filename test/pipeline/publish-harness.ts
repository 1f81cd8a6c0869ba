import { inboxKey, encodeInbox } from "../../src/state/inbox.ts";
import type { RunEvent } from "../../src/model/run-event.ts";
import type { Report } from "../../src/model/service/reports.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import type { PublishSetup } from "../../src/pipeline/publish/publish-setup.ts";
import { catalogueOf, setupOver } from "./empty-setup.ts";
import type { Stores } from "../publish/writers.ts";

export const NOW_MS: number = Date.UTC(2026, 10, 21, 12);
export const SLUGS = ["alpha", "beta"] as const;
export const CATALOGUE = catalogueOf(SLUGS);

/** A setup with two services that does not pause, and its events. */
export function openSetup(stores: Stores) {
  const events: RunEvent[] = [];
  const setup: PublishSetup = {
    ...setupOver(stores, CATALOGUE, async () => undefined),
    emit: (event) => events.push(event),
  };
  const eventsNamed = (name: RunEvent["event"]) => events.filter(({ event }) => event === name);
  return { setup, eventsNamed };
}

/** A report of a network and block of this name. */
export function reportOf(slug: string, network: string): Report {
  return { slug, atMs: NOW_MS - 60_000, network, block: network };
}

/** Writes an inbox object like the intake, and returns its body. */
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

/** The published details, by slug. */
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
