import { HeadObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, describe, expect, inject, test } from "vitest";
import { describeStore, readText, toObject } from "../store/contract.ts";
import { connectS3 } from "./s3-client.ts";
import { createBucket, environmentOf, keysOf, openS3, urlOf, watchRequests } from "./s3-harness.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
Object.assign(process.env, environmentOf(ceph));
const bucket = createBucket(s3);
let opened = 0;

afterAll(() => s3.destroy());

/** A new folder in one bucket, because creating a bucket for each of some hundred stores is slow. */
async function placeOfItsOwn(): Promise<string> {
  return `${await bucket}/place-${(opened += 1)}`;
}

for (const parameters of ["etag=unquoted", "keys=suffixed&etag=unquoted", "etag=auto", ""]) {
  describeStore(`s3 with ${parameters === "" ? "no parameters" : parameters}`, async () =>
    openS3(urlOf(ceph.endpoint, await placeOfItsOwn(), parameters)),
  );
}

describe("metadata and keys of objects", () => {
  test("an object has the content type and cache rule of the document", async () => {
    const own = await createBucket(s3);
    await openS3(urlOf(ceph.endpoint, own)).write("api/m/x/badge.svg", {
      body: Buffer.from("<svg/>"),
      contentType: "image/svg+xml; charset=utf-8",
      cacheControl: "max-age=60",
    });
    expect(
      await s3.send(new HeadObjectCommand({ Bucket: own, Key: "api/m/x/badge.svg" })),
    ).toMatchObject({
      ContentType: "image/svg+xml; charset=utf-8",
      CacheControl: "max-age=60",
    });
  });

  test("exact keys are the API's, suffixed ones a directory's, both below the prefix", async () => {
    const own = await createBucket(s3);
    for (const [prefix, keys] of [
      ["", "exact"],
      ["/a/b", "exact"],
      ["/c", "suffixed"],
    ]) {
      const store = openS3(urlOf(ceph.endpoint, `${own}${prefix}`, `keys=${keys}`));
      await store.write("api/v1/status", toObject("list"));
      await store.write("api/v1/status/x", toObject("detail"));
    }
    expect(await keysOf(s3, own)).toEqual([
      "a/b/api/v1/status",
      "a/b/api/v1/status/x",
      "api/v1/status",
      "api/v1/status/x",
      "c/api/v1/status.json",
      "c/api/v1/status/x.json",
    ]);
  });
});

describe("tags without quotes, which this store needs", () => {
  test("are detected once, even by concurrent writes", async () => {
    const own = await createBucket(s3);
    const store = openS3(urlOf(ceph.endpoint, own, "etag=auto"));
    const keys = Array.from({ length: 16 }, (_, at) => `k${at}`);
    const tags = await Promise.all(
      keys.map(async (key) => {
        const written = await store.write(key, toObject("one"));
        return written.kind === "written" ? written.etag : "";
      }),
    );
    const replace = (text: string) =>
      Promise.all(
        keys.map(async (key, at) => {
          const etag = tags[at] ?? "";
          const result = await store.write(key, toObject(text), { kind: "unchanged", etag });
          if (result.kind === "written") tags[at] = result.etag;
          return result.kind;
        }),
      );
    expect(await replace("two")).toEqual(keys.map(() => "written"));
    const { result, requests } = await watchRequests(ceph, [own], () => replace("three"));
    expect(result).toEqual(keys.map(() => "written"));
    expect(requests).toHaveLength(16);
    expect(await readText(store, "k0")).toBe("three");
  });

  test("are never sent if the URL of the store asks for quotes", async () => {
    const store = openS3(urlOf(ceph.endpoint, await placeOfItsOwn(), "etag=quoted"));
    await store.write("a", toObject("one"));
    const etag = (await store.find("a")) ?? "";
    expect(await store.write("a", toObject("two"), { kind: "unchanged", etag })).toEqual({
      kind: "conflict",
    });
  });
});
