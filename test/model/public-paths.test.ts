import { expect, test } from "vitest";
import { findServed, findServedKey } from "../../src/model/public-paths.ts";
import { toDocument, toLateDocument } from "../../src/model/service/snapshot.ts";
import { MISSING_PAGE, NO_PAGES, SITE } from "../preview/site-objects.ts";

test.each([...SITE, MISSING_PAGE])("$key is published as fronts serve it", (object) => {
  const { key, contentType, cacheControl } = object;
  expect(toDocument(key, "ё")).toEqual({
    key,
    contentType,
    cacheControl,
    body: new TextEncoder().encode("ё"),
  });
  expect(toLateDocument(key, "s", () => "x")).toMatchObject({ contentType, cacheControl });
});

test.each(NO_PAGES)("%s, which no front serves, cannot be published", (key) => {
  expect(() => toDocument(key, "")).toThrow(RangeError);
  expect(() => toLateDocument(key, "s", () => "")).toThrow(RangeError);
});

test("the index of a folder is served at the path of the folder", () => {
  expect(findServedKey("en/index.html")).toEqual(findServed("en/"));
  expect(findServed("en/index.html")).toBeUndefined();
  expect(findServed("404.html")).toBeUndefined();
});
