import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { expect, test } from "vitest";
import type { Publication } from "../../src/model/publication.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import {
  placeSite,
  type PlaceSources,
  toSiteAddress,
} from "../../src/pipeline/pages/site-address.ts";

const BUCKET: PlaceSources = { needsAddress: true, publicStore: { identity: "s3://status@aws" } };
const FOLDER: PlaceSources = { needsAddress: false, publicStore: { identity: "file:/srv/public" } };

/** The publication of a store with one object; a null digest means that it is to be removed. */
function publish(store: string, key: string, digest: string | null = "0123"): Publication {
  const object = { digest, etag: null, isPublished: true, suspectUntilMs: 0 };
  return { ...EMPTY_STATE.publication, store, objects: new Map([[key, object]]) };
}

const STORED = { ...EMPTY_STATE, baseUrl: "https://status.example" };

test("the setting takes precedence over the state, and the state over the default", () => {
  const given = "https://new.example";
  for (const sources of [BUCKET, FOLDER]) {
    expect(placeSite(STORED, { ...sources, baseUrl: given })).toEqual({
      kind: "known",
      baseUrl: given,
    });
    expect(placeSite(STORED, sources)).toEqual({
      kind: "known",
      baseUrl: "https://status.example",
    });
  }
});

test("a folder has the address of the preview, and a bucket has none", () => {
  expect(placeSite(EMPTY_STATE, FOLDER)).toEqual({
    kind: "known",
    baseUrl: "http://127.0.0.1:8080",
  });
  expect(placeSite(EMPTY_STATE, BUCKET)).toEqual({ kind: "nowhere" });
});

const { identity: store } = BUCKET.publicStore;

test.each([
  ["a page in this bucket", publish(store, "index.html"), "assumed"],
  ["a page that is to be removed", publish(store, "index.html", null), "nowhere"],
  ["a document of the API", publish(store, "api/v1/status"), "nowhere"],
  ["a page in another bucket", publish("s3://other@aws", "index.html"), "nowhere"],
])("with %s and no address, the website of the bucket is %3$s", (_, publication, kind) => {
  expect(placeSite({ ...EMPTY_STATE, publication }, BUCKET).kind).toBe(kind);
});

test("an address is an origin and a path without a trailing slash", () => {
  const addressOf = (baseUrl: string) =>
    toSiteAddress({ kind: "known", baseUrl }, DEFAULT_SITE_SETTINGS);
  expect(addressOf("https://status.example")).toEqual({
    ...DEFAULT_SITE_SETTINGS,
    origin: "https://status.example",
    root: "",
  });
  expect(addressOf("https://a.example:8443/sub/")).toEqual({
    ...DEFAULT_SITE_SETTINGS,
    origin: "https://a.example:8443",
    root: "/sub",
  });
  expect(toSiteAddress({ kind: "nowhere" }, DEFAULT_SITE_SETTINGS)).toBeUndefined();
});
