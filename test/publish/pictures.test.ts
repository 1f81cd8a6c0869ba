import { expect, test } from "vitest";
import type { PublishedObject } from "../../src/model/publication.ts";
import { isAuditTurn, NO_BADGES, type WantedBadges } from "../../src/publish/badges.ts";
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
  options: { readonly isAudit: boolean; readonly generation: number },
): Promise<PublishResult & { readonly drawn: readonly string[] }> {
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
      store: createMemoryStore(),
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
      ...options,
    },
  );
  return { ...result, drawn };
}

test("pictures that are missing are drawn before others are looked at, or their time would never come", async () => {
  const missing = IDS.slice(-3);
  const badges = new Map(IDS.map((id) => [id, missing.includes(id) ? MISSING : PUBLISHED]));
  for (let generation = 1; generation <= 10; generation += 1) {
    const { drawn, postponedBadges } = await publishPictures(badges, 3, {
      isAudit: true,
      generation,
    });
    expect(drawn).toEqual(missing);
    expect(postponedBadges).toBe(0);
  }
});

test("where every publish is an audit, each draws a few pictures, and all have their turn", async () => {
  const badges = new Map(IDS.map((id) => [id, PUBLISHED]));
  const seen = new Set<string>();
  for (let generation = 1; generation <= 60; generation += 1) {
    const { drawn } = await publishPictures(badges, Infinity, { isAudit: true, generation });
    expect(drawn.length).toBeLessThan(35);
    for (const id of drawn) seen.add(id);
  }
  expect([...seen].toSorted()).toEqual(IDS);
  const { drawn } = await publishPictures(badges, Infinity, { isAudit: false, generation: 1 });
  expect(drawn).toEqual([]);
});

test("badges that cost nothing to draw are all looked at", () => {
  expect(IDS.every((id) => isAuditTurn(id, 7, IDS.length))).toBe(true);
});
