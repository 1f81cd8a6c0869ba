import type { Catalogue } from "../../src/model/service/catalogue.ts";
import { NO_GROUPS } from "../../src/publish/object-groups.ts";
import type { PublishSetup } from "../../src/pipeline/publish/publish-setup.ts";
import { type Stores, writerOver } from "../publish/writers.ts";

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
      aliases: [],
      isAbroad: false,
    })),
  };
}

/** A setup over a catalogue, without monitors and website. */
export function setupOver(
  stores: Stores,
  catalogue: Catalogue,
  pause: (ms: number) => Promise<void>,
): PublishSetup {
  return {
    ...writerOver(stores, pause),
    emit: () => undefined,
    readCatalogue: async () => catalogue,
    readRegistry: async () => ({ monitors: [], rejectedIds: [], isComplete: false }),
    site: {
      build: async () => [],
      cardsOf: () => NO_GROUPS,
      outagesOf: async () => NO_GROUPS,
      outputsOf: async () => new Map(),
    },
    networkOf: () => "",
    badges: { signatureOf: () => "", keysOf: () => [], build: async () => [] },
  };
}
