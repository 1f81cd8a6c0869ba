import type { Catalogue } from "../../src/model/catalogue.ts";
import { NO_GROUPS } from "../../src/publish/groups.ts";
import type { ReleaseSetup } from "../../src/release.ts";
import { type Stores, writerOver } from "./writers.ts";

/** A catalogue of services without an endpoint, in one category. */
export function catalogueOf(slugs: readonly string[]): Catalogue {
  return {
    categories: [{ id: "all", name: "Все" }],
    anchors: [],
    services: slugs.map((slug) => ({
      slug,
      name: slug,
      category: "all",
      endpoints: [],
      annotations: [],
      isAbroad: false,
    })),
  };
}

/** What a publish takes over a catalogue, where nobody knows of a monitor. */
export function releaseOver(
  stores: Stores,
  catalogue: Catalogue,
  pause: (ms: number) => Promise<void>,
): ReleaseSetup {
  const look = { label: "", message: "", tone: "none" } as const;
  return {
    ...writerOver(stores, pause),
    readCatalogue: async () => catalogue,
    readRegistry: async () => ({ monitors: [], rejectedIds: [], isComplete: false }),
    site: { build: async () => [], cardsOf: () => NO_GROUPS, partsOf: async () => new Map() },
    badges: {
      looksOf: () => ({ "24h": look, "7d": look, "30d": look, "90d": look }),
      signatureOf: () => "",
      keysOf: () => [],
      build: async () => [],
    },
  };
}
