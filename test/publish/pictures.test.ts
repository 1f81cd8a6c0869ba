import { expect, test } from "vitest";
import { ANY_VERSION, type PublishedObject } from "../../src/model/publication.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { NO_BADGES, type WantedBadges } from "../../src/publish/badges.ts";
import { publish } from "../../src/publish/publish.ts";
import type { PublishResult } from "../../src/publish/publishing.ts";
import { createMemoryStore } from "../../src/store/memory.ts";

const IDS = Array.from({ length: 85 }, (_, at) => `service:s${String(at).padStart(2, "0")}`);
const PUBLISHED: PublishedObject = {
  digest: "d",
  etag: null,
  isPublished: true,
  suspectUntilMs: 0,
};
const MISSING: PublishedObject = { ...PUBLISHED, isPublished: false };

/** One publish of pictures alone, with time for so many of them; tells which were drawn. */
async function publishPictures(
  badges: ReadonlyMap<string, PublishedObject>,
  time: number,
  options: {
    readonly isAudit: boolean;
    readonly generation: number;
    readonly auditsAll?: boolean;
    readonly store?: ObjectStore;
  },
): Promise<PublishResult & { readonly drawn: readonly string[] }> {
  const { store = createMemoryStore(), ...plan } = options;
  const drawn: string[] = [];
  const keysOf = (id: string): readonly string[] => [`card/${id}.png`];
  const wantedBadges: WantedBadges = {
    ...NO_BADGES,
    signatures: new Map([...badges.keys()].map((id) => [id, "d"])),
    isPicture: () => true,
    keysOf,
    build: async (id) => {
      drawn.push(id);
      return keysOf(id).map((key) => {
        return { key, contentType: "image/png", cacheControl: "", body: new Uint8Array([1]) };
      });
    },
  };
  const result = await publish(
    {
      store,
      isOvertaken: () => Promise.resolve(false),
      sleep: () => Promise.resolve(),
      random: () => 0.5,
      isOutOfTime: () => false,
      isOutOfBadgeTime: () => false,
      isOutOfPictureTime: () => drawn.length >= time,
    },
    {
      documents: [],
      site: [],
      objects: new Map(),
      badges,
      wantedBadges,
      auditsAll: false,
      nowMs: 1,
      maxRemovalShare: 1,
      ...plan,
    },
  );
  return { ...result, drawn };
}

/** A store with the pictures of these. */
async function storeWith(ids: readonly string[]): Promise<ObjectStore> {
  const store = createMemoryStore();
  const object = { body: new Uint8Array([1]), contentType: "", cacheControl: "" };
  for (const id of ids) await store.write(`card/${id}.png`, object);
  return store;
}

test("pictures that are missing are drawn before others are looked at, or their time would never come", async () => {
  const missing = IDS.slice(-3);
  const badges = new Map(
    IDS.map((id) => [id, missing.includes(id) ? MISSING : { ...PUBLISHED, suspectUntilMs: 5 }]),
  );
  const store = await storeWith(IDS.slice(0, -3));
  const { drawn } = await publishPictures(badges, 3, { isAudit: true, generation: 1, store });
  expect(drawn.slice(0, 3)).toEqual(missing);
});

test("an audit asks whether pictures are there and draws those that are gone; one of everything draws all", async () => {
  const badges = new Map(IDS.map((id) => [id, { ...PUBLISHED, etag: ANY_VERSION }]));
  const gone = IDS.slice(3, 5);
  const store = await storeWith(IDS.filter((id) => !gone.includes(id)));
  const audit = { isAudit: true, generation: 1, store };
  expect((await publishPictures(badges, Infinity, audit)).drawn).toEqual(gone);
  expect((await publishPictures(badges, Infinity, audit)).drawn).toEqual([]);
  const all = await publishPictures(badges, Infinity, { ...audit, auditsAll: true });
  expect(all.drawn).toEqual(IDS);
});

test("a picture that an unconfirmed writer may still put there is drawn, to be compared", async () => {
  const store = createMemoryStore();
  const badges = new Map([[IDS[0] ?? "", { ...PUBLISHED, suspectUntilMs: 5 }]]);
  await store.write(`card/${IDS[0]}.png`, {
    body: new Uint8Array([0]),
    contentType: "",
    cacheControl: "",
  });
  const { drawn, written } = await publishPictures(badges, Infinity, {
    isAudit: false,
    generation: 1,
    store,
  });
  expect({ drawn, written }).toEqual({ drawn: [IDS[0]], written: 1 });
});
