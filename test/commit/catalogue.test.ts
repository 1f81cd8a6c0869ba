import { expect, test } from "vitest";
import type { Catalogue } from "../../src/model/catalogue.ts";
import { refresh } from "../../src/refresh.ts";
import { catalogueOf } from "./empty-release.ts";
import { NOW_MS, openRelease } from "./release-lab.ts";
import { freshStores, type Stores } from "./writers.ts";

const OLD = catalogueOf(["alpha", "beta"]);
const NEW = catalogueOf(["alpha", "gamma"]);

async function slugsIn({ publicStore }: Stores): Promise<unknown> {
  const found = await publicStore.read("api/v1/status");
  const list: unknown = JSON.parse(Buffer.from(found?.body ?? []).toString());
  return Object(list).services.map(({ slug }: { readonly slug: string }) => slug);
}

test("who read the catalogue before it was edited does not take back what was published after the edit", async () => {
  const stores = freshStores();
  const { setup } = openRelease(stores);
  let file: Catalogue = OLD;
  let hasRead = false;
  const slow = async (): Promise<Catalogue> => {
    const seen = file;
    if (!hasRead) {
      hasRead = true;
      // Somebody edits it and publishes between this reader's look and its write.
      file = NEW;
      await refresh({ ...setup, readCatalogue: async () => file }, NOW_MS);
      expect(await slugsIn(stores)).toEqual(["alpha", "gamma"]);
    }
    return seen;
  };
  await refresh({ ...setup, readCatalogue: slow }, NOW_MS);
  expect(await slugsIn(stores)).toEqual(["alpha", "gamma"]);
  expect(await stores.publicStore.find("api/v1/status/beta")).toBeUndefined();
});
