import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressOf } from "../../src/store/anonymous-access.ts";
import { bucketOf, parseS3Url } from "../../src/store/location.ts";

describe("a good URL", () => {
  test("names a bucket of AWS, with defaults for everything else", () => {
    expect(parseS3Url("s3://my-bucket")).toEqual({
      kind: "s3",
      location: {
        bucket: "my-bucket",
        prefix: "",
        endpoint: undefined,
        region: undefined,
        isPathStyle: false,
        keyStyle: "exact",
        etagStyle: "auto",
      },
    });
  });

  test("may set everything", () => {
    const url =
      "s3://b.example.org/a/b?endpoint=https://s3.example.org:9000&region=ru-1&pathStyle=false&keys=suffixed&etag=unquoted";
    expect(parseS3Url(url)).toEqual({
      kind: "s3",
      location: {
        bucket: "b.example.org",
        prefix: "a/b",
        endpoint: "https://s3.example.org:9000",
        region: "ru-1",
        isPathStyle: false,
        keyStyle: "suffixed",
        etagStyle: "unquoted",
      },
    });
  });

  test.each(["/", "/a", "/a/", "//a//", "/a/b/"])(
    "has a prefix without outer slashes: %s",
    (path) => {
      expect(parseS3Url(`s3://bucket${path}`)).toMatchObject({
        location: { prefix: path.split("/").filter(Boolean).join("/") },
      });
    },
  );

  test("has path-style buckets with an endpoint, and host-style ones without", () => {
    expect(parseS3Url("s3://bucket?endpoint=http://127.0.0.1:9000")).toMatchObject({
      location: { isPathStyle: true },
    });
    expect(parseS3Url("s3://bucket?pathStyle=true")).toMatchObject({
      location: { isPathStyle: true },
    });
  });

  test.each(["auto", "quoted", "unquoted"])("takes etag=%s", (style) => {
    expect(parseS3Url(`s3://bucket?etag=${style}`)).toMatchObject({
      location: { etagStyle: style },
    });
  });

  test("may have its endpoint percent-encoded", () => {
    expect(parseS3Url("s3://bucket?endpoint=http%3A%2F%2F127.0.0.1%3A9000")).toMatchObject({
      location: { endpoint: "http://127.0.0.1:9000" },
    });
  });
});

describe("a bad URL is refused with what to write", () => {
  test.each([
    ["s3://", '"" is not a bucket name'],
    ["s3:///prefix", '"" is not a bucket name'],
    ["s3://ab", '"ab" is not a bucket name'],
    ["s3://Upper", '"Upper" is not a bucket name'],
    ["s3://under_score", "is not a bucket name"],
    ["s3://-dash", "is not a bucket name"],
    [`s3://${"a".repeat(64)}`, "is not a bucket name"],
    ["s3://имя-бакета", "is not a bucket name"],
    ["s3://bucket?endpoint=127.0.0.1:9000", "give a URL such as"],
    ["s3://bucket?endpoint=", "give a URL such as"],
    ["s3://bucket?endpoint=ftp://x", "give a URL such as"],
    ["s3://bucket?endpoint=http://u:p@host", "give a URL such as"],
    ["s3://bucket?endpoint=http://host/?x=1", "give a URL such as"],
    ["s3://bucket?endpoint=http://a&endpoint=http://b", 'more than one "endpoint"'],
    ["s3://bucket?region=", "region"],
    ["s3://bucket?keys=short", "keys=short: use exact or suffixed"],
    ["s3://bucket?etag=none", "etag=none: use auto or quoted or unquoted"],
    ["s3://bucket?pathStyle=yes", "pathStyle=yes: use true or false"],
    ["s3://bucket?path_style=true", '"path_style" is not a parameter'],
    ["s3://bucket/a?b?endpoint=http://h", "parameter"],
    ["s3://bucket/a/../b", "prefix"],
    ["s3://bucket/a%2e", "prefix"],
    ["s3://bucket#x", "is not a bucket name"],
    ["s3://minio:9000/bucket", 'no ":" or "@"'],
    ["s3://Upper", "3 to 63 lowercase Latin letters, digits, dots and hyphens"],
  ])("%s", (url, words) => {
    const parsed = parseS3Url(url);
    expect(parsed).toMatchObject({ kind: "unknown", problem: expect.stringContaining(words) });
    expect(parsed).toMatchSnapshot();
  });
});

test.each([
  "s3://user:HUNTER@bucket/prefix",
  "s3://user:HUN/TER@bucket/prefix%23",
  "s3://HUNTER@bucket",
  "s3://bucket?endpoint=http://user:HUNTER@host",
  "s3://bucket?endpoint=http://user:HUN/TER@host",
  "s3://bucket?endpoint=http%3A%2F%2Fuser%3AHUNTER%40host",
  "s3://user:HUNTER@bucket?endpoint=http://user:HUNTER@host",
  "s3://Bucket?endpoint=http://user:HUNTER@host",
])("%s is refused without its secret", (url) => {
  const parsed = parseS3Url(url);
  expect(parsed.kind).toBe("unknown");
  expect(JSON.stringify(parsed)).not.toMatch(/HUN|TER/u);
  expect(parsed).toMatchSnapshot();
});

test("all problems of a URL are reported at once", () => {
  const parsed = parseS3Url(
    "s3://Upper/a/../%2e?endpoint=ftp://x&keys=short&keys=exact&etag=none&what=1",
  );
  const problem = parsed.kind === "unknown" ? parsed.problem : "";
  for (const words of [
    '"Upper" is not a bucket name',
    'cannot contain ".."',
    'cannot contain "%2e"',
    "endpoint=ftp://x",
    'more than one "keys"',
    "etag=none",
    '"what" is not a parameter',
  ])
    expect(problem).toContain(words);
  expect(problem).toMatchSnapshot();
});

test("no text makes it throw, and a valid prefix has no outer slashes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.webQueryParameters(), (path, query) => {
      const parsed = parseS3Url(`s3://bucket/${path}?${query}`);
      if (parsed.kind === "s3") expect(parsed.location.prefix).not.toMatch(/^\/|\/$/u);
    }),
  );
});

test.each([
  ["s3://bucket", "https://bucket.s3.us-east-1.amazonaws.com/api/v1/status"],
  [
    "s3://bucket/a/b?region=eu-west-1",
    "https://bucket.s3.eu-west-1.amazonaws.com/a/b/api/v1/status",
  ],
  ["s3://bucket?pathStyle=true", "https://s3.us-east-1.amazonaws.com/bucket/api/v1/status"],
  [
    "s3://bucket/a?endpoint=http://host:9000&keys=suffixed",
    "http://host:9000/bucket/a/api/v1/status.json",
  ],
  ["s3://bucket?endpoint=https://host/s3/", "https://host/s3/bucket/api/v1/status"],
  ["s3://bucket?endpoint=https://host/s3&pathStyle=false", "https://bucket.host/s3/api/v1/status"],
])("a reader without keys finds an object of %s at %s", (url, address) => {
  const location = bucketOf(url);
  if (location === undefined) throw new Error(url);
  expect(addressOf(location, "api/v1/status").href).toBe(address);
});

test("only the URL of a bucket names a bucket", () => {
  expect(bucketOf("s3://bucket/a")).toMatchObject({ bucket: "bucket", prefix: "a" });
  expect(bucketOf("file:public")).toBeUndefined();
  expect(bucketOf("s3://Upper")).toBeUndefined();
});
