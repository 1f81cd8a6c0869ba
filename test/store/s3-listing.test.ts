import { expect, test } from "vitest";
import { openBucketAt, useKeys } from "./s3-server.ts";

useKeys();

/** A bucket with these keys, which gives at most so many at once. */
async function openBucket(keys: readonly string[], page: number) {
  const asked: (readonly [after: string, most: string | null])[] = [];
  const { store } = await openBucketAt(
    (request, response) => {
      const query = new URL(request.url ?? "", "http://bucket").searchParams;
      const prefix = query.get("prefix") ?? "";
      const after = query.get("continuation-token") ?? "";
      asked.push([after, query.get("max-keys")]);
      const left = keys.filter((key) => key.startsWith(prefix) && key > after);
      const most = Math.min(page, Number(query.get("max-keys")));
      const given = left.slice(0, most);
      const more =
        left.length > most
          ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${given.at(-1)}</NextContinuationToken>`
          : "<IsTruncated>false</IsTruncated>";
      const contents = given.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
      response.end(`<ListBucketResult>${more}${contents}</ListBucketResult>`);
    },
    { path: "bucket/pre" },
  );
  return { store, asked };
}

const FIVE = ["1", "2", "3", "4", "5"].map((name) => `pre/${name}`);

test.each([
  [4, ["1", "2", "3", "4"], false],
  [5, ["1", "2", "3", "4", "5"], true],
  [6, ["1", "2", "3", "4", "5"], true],
])("of five names up to %i are listed, over several pages", async (limit, names, isComplete) => {
  const { store, asked } = await openBucket(FIVE, 2);
  expect(await store.listAll(limit)).toEqual({ names, isComplete });
  expect(asked.slice(0, 2)).toEqual([
    ["", `${limit}`],
    ["pre/2", `${limit - 2}`],
  ]);
  expect(asked.length).toBe(Math.ceil(Math.min(limit, 5) / 2));
});

test("the mark of a folder is no name, nor is what is beside it", async () => {
  const { store } = await openBucket(["pre/", "pre/a.txt", "prefix/b.txt"], 10);
  expect(await store.listAll(9)).toEqual({ names: ["a.txt"], isComplete: true });
});

test("a folder has the names with a dot that are directly in it", async () => {
  const keys = ["pre/box/", "pre/box/a.txt", "pre/box/b", "pre/box/c/d.txt", "pre/boxes/e.txt"];
  const { store } = await openBucket(keys, 1);
  expect(await store.list("box")).toEqual(["box/a.txt"]);
});
