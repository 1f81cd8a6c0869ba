import { expect, test } from "vitest";
import { mediaTypeOf } from "../../../src/model/public-paths.ts";
import { toDocument, toJsonDocument, toLateDocument } from "../../../src/model/service/snapshot.ts";

const PNG = { contentType: "image/png", cacheControl: "max-age=60" };

test("bytes are published as they are, a text as UTF-8, an object as JSON", () => {
  const body = new Uint8Array([1, 2]);
  expect(toDocument("badge.svg", "ё").body).toEqual(new Uint8Array([0xd1, 0x91]));
  expect(toDocument("card.png", body)).toEqual({ key: "card.png", ...PNG, body });
  expect(toJsonDocument("badge.json", { a: [1, null] })).toEqual(
    toDocument("badge.json", '{"a":[1,null]}'),
  );
});

test("a document has a public path", () => {
  const error = new RangeError("state/v1.json is not a public path");
  expect(() => toDocument("state/v1.json", "{}")).toThrow(error);
  expect(() => toJsonDocument("state/v1.json", {})).toThrow(error);
});

test("a late document is made when it is read first, and only then", () => {
  let made = 0;
  const late = toLateDocument("card.png", "digest", () => `made ${(made += 1)}`);
  expect(made).toBe(0);
  const decoder = new TextDecoder();
  expect([late.body, late.body].map((body) => decoder.decode(body))).toEqual(["made 1", "made 1"]);
  expect(late).toMatchObject({ key: "card.png", ...PNG, signature: "digest" });
  expect(made).toBe(1);
});

test.each([
  ["archive/v1/2026-11-21/checks.parquet", "application/vnd.apache.parquet"],
  ["checks.ndjson.gz", "application/gzip"],
  ["a.csv", "text/csv"],
  ["metrics", undefined],
  ["a.exe", undefined],
  ["a.", undefined],
  ["a.toString", undefined],
])("the type of %s is %s, without parameters", (path, type) => {
  expect(mediaTypeOf(path)).toBe(type);
});
