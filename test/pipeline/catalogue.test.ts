import { expect, test } from "vitest";
import type { Catalogue } from "../../src/model/service/catalogue.ts";
import { refresh } from "../../src/pipeline/publish/refresh.ts";
import { catalogueOf } from "./empty-setup.ts";
import { NOW_MS, openSetup } from "./publish-harness.ts";
import { freshStores, type Stores } from "../publish/writers.ts";

const OLD = catalogueOf(["alpha", "beta"]);
const NEW = catalogueOf(["alpha", "gamma"]);

async function slugsIn({ publicStore }: Stores): Promise<unknown> {
  const found = await publicStore.read("api/v1/status");
  const list: unknown = JSON.parse(Buffer.from(found?.body ?? []).toString());
  return Object(list).services.map(({ slug }: { readonly slug: string }) => slug);
}

test("a writer that read the catalogue before an edit does not undo the edit", async () => {
  const stores = freshStores();
  const { setup } = openSetup(stores);
  let file: Catalogue = OLD;
  let hasRead = false;
  const slow = async (): Promise<Catalogue> => {
    const before = file;
    if (!hasRead) {
      hasRead = true;
      // An edit is published between this writer's read and its write.
      file = NEW;
      await refresh({ ...setup, readCatalogue: async () => file }, NOW_MS);
      expect(await slugsIn(stores)).toEqual(["alpha", "gamma"]);
    }
    return before;
  };
  await refresh({ ...setup, readCatalogue: slow }, NOW_MS);
  expect(await slugsIn(stores)).toEqual(["alpha", "gamma"]);
  expect(await stores.publicStore.find("api/v1/status/beta")).toBeUndefined();
});
