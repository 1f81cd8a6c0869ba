import { expect, test } from "vitest";
import { ANY_VERSION, type PublishedObject } from "../../src/model/publication.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { type GroupOptions, keysOf, publishGroups, storeWith } from "./publish-groups.ts";

const IDS = Array.from({ length: 85 }, (_, at) => `service:s${String(at).padStart(2, "0")}`);
const PUBLISHED: PublishedObject = {
  digest: "d",
  etag: ANY_VERSION,
  isPublished: true,
  suspectUntilMs: 0,
};
const SUSPECT: PublishedObject = { ...PUBLISHED, suspectUntilMs: 5 };
const MISSING: PublishedObject = { ...PUBLISHED, etag: null, isPublished: false };

/** One publish of pictures alone. */
function publishPictures(
  groups: ReadonlyMap<string, PublishedObject>,
  store: ObjectStore,
  { wanted, ...options }: GroupOptions = {},
): ReturnType<typeof publishGroups> {
  const pictures = { isPicture: () => true, isOnlyLookedFor: () => true };
  const all = { ...options, store, wanted: { ...pictures, ...wanted } };
  return publishGroups(groups, all);
}

test("missing pictures are drawn before others are checked", async () => {
  const missing = IDS.slice(-3);
  const groups = new Map(IDS.map((id) => [id, missing.includes(id) ? MISSING : SUSPECT]));
  const store = await storeWith(IDS.slice(0, -3));
  const { drawn } = await publishPictures(groups, store, { plan: { isAudit: true } });
  expect(drawn.slice(0, 3)).toEqual(missing);
});

test("a picture is postponed and counted when the time runs out, unless it is named", async () => {
  const groups = new Map(IDS.slice(0, 3).map((id) => [id, MISSING]));
  let asked = 0;
  const { drawn, postponedGroups, isOutOfTime } = await publishPictures(
    groups,
    await storeWith([]),
    {
      isOutOfPictureTime: () => (asked += 1) > 1,
      wanted: { named: new Set(IDS.slice(2, 3)) },
    },
  );
  expect(drawn).toEqual([IDS[2], IDS[0]]);
  expect({ asked, postponedGroups, isOutOfTime }).toEqual({
    asked: 2,
    postponedGroups: 1,
    isOutOfTime: false,
  });
});

test("an audit draws missing pictures; an audit of everything draws all", async () => {
  const groups = new Map(IDS.map((id) => [id, PUBLISHED]));
  const gone = IDS.slice(3, 5);
  const store = await storeWith(IDS.filter((id) => !gone.includes(id)));
  const plan = { isAudit: true };
  expect((await publishPictures(groups, store, { plan })).drawn).toEqual(gone);
  expect((await publishPictures(groups, store, { plan })).drawn).toEqual([]);
  const all = await publishPictures(groups, store, { plan: { ...plan, auditsAll: true } });
  expect(all.drawn).toEqual(IDS);
});

test("a picture that an unconfirmed writer may still write is drawn and compared", async () => {
  const id = "service:s00";
  const store = await storeWith([id]);
  await store.write(keysOf(id)[0] ?? "", {
    body: new Uint8Array([0]),
    contentType: "",
    cacheControl: "",
  });
  const { drawn, written } = await publishPictures(new Map([[id, SUSPECT]]), store);
  expect({ drawn, written }).toEqual({ drawn: [id], written: 1 });
});
