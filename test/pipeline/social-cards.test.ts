import { describe, expect, test } from "vitest";
import type { VerdictCode } from "../../src/contract/codes/verdict.ts";
import type { CardContent } from "../../src/model/monitor/pictures.ts";
import { NOTHING_PUBLISHED, type PublishedObject } from "../../src/model/publication.ts";
import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { DAY_MS, MINUTE_MS } from "../../src/model/time.ts";
import type { SiteSources } from "../../src/pipeline/pages/site-view.ts";
import { planPictures } from "../../src/pipeline/pages/social-cards.ts";
import { groupId } from "../../src/publish/object-groups.ts";
import { serviceCardId } from "../../src/site/pictures.ts";
import { catalogueOf, endpointOf, serviceOf, T0 } from "../model/samples.ts";
import type { ToldOutage } from "../../src/model/service/accuracy.ts";
import { ABOUT, outageAt } from "../open-data/accuracy/sample-ledger.ts";
import { snapshotOf } from "../services/snapshot/snapshot-of.ts";

const ADDRESS = { ...DEFAULT_SITE_SETTINGS, origin: "https://status.example.ru", root: "" };
const SERVICES = [serviceOf("bank", [endpointOf("https://bank.example.ru/", true)])];

const objectOf = (digest: string): PublishedObject => ({
  digest,
  etag: "e",
  isPublished: true,
  suspectUntilMs: 0,
});

/** A plan for one service, after these pictures were drawn: their ids with signatures. */
function plan(
  code: VerdictCode,
  drawn: ReadonlyMap<string, string> = new Map(),
  objects: readonly string[] = ["api/v1/status"],
  { outages = [] as readonly ToldOutage[], nowMs = T0 } = {},
) {
  const publication = {
    ...NOTHING_PUBLISHED,
    objects: new Map(objects.map((key) => [key, objectOf("d")])),
    groups: new Map([...drawn].map(([id, sign]) => [groupId("service", id), objectOf(sign)])),
  };
  const snapshot = snapshotOf({ bank: code });
  const services = snapshot.services.map((one) => ({
    ...one,
    verdict: { ...one.verdict, live: true, sinceMs: T0 },
  }));
  const sources: Partial<SiteSources> = {
    catalogue: catalogueOf(SERVICES),
    state: { ...EMPTY_STATE, publication, accuracy: { ...EMPTY_STATE.accuracy, outages } },
    nowMs,
    snapshot: { ...snapshot, services },
  };
  const painted: CardContent[] = [];
  // The plan reads nothing else.
  const family = planPictures(ADDRESS, sources as SiteSources, {
    drawCard: async (card) => {
      painted.push(card);
      return Buffer.from("png");
    },
    drawBadge: async () => ({ svg: Buffer.from("svg"), json: Buffer.from("json") }),
    language: "ru",
  });
  return { family, painted, ids: [...family.signatures.keys()].toSorted() };
}

/** An outage of five weeks before. */
const OLD_MS = T0 - 35 * DAY_MS;
const OLD = outageAt("bank", "2026-01-01T00:00", {
  toldAtMs: OLD_MS,
  endedAtMs: OLD_MS + 10 * MINUTE_MS,
  about: { ...ABOUT, sinceMs: OLD_MS - 40_000 },
});

const PRESENT = serviceCardId({ slug: "bank", code: "fail", sinceMs: T0 });
const BADGES = ["badge", "badge/bank"];

describe("the pictures", () => {
  test("of an outage stay as long as the list has it", () => {
    const picture = serviceCardId({ slug: "bank", code: ABOUT.code, sinceMs: OLD_MS - 40_000 });
    const at = (nowMs: number) =>
      plan("ok", new Map(), undefined, { outages: [OLD], nowMs }).ids.includes(picture);
    expect(at(OLD_MS + 30 * DAY_MS)).toBe(true);
    expect(at(OLD_MS + 31 * DAY_MS)).toBe(false);
  });

  test("wait for the first documents", () => {
    expect(plan("fail", new Map(), []).ids).toEqual([]);
  });

  test("are a badge and a card for each service and for the list", () => {
    expect(plan("fail").ids).toEqual(["all-services.outage", ...BADGES, PRESENT].toSorted());
    expect(plan("ok").ids).toEqual(["all-services.ok", ...BADGES, "bank.ok"].toSorted());
  });

  test("of the list for outages are drawn ahead, once the present one is there", () => {
    const first = plan("ok").family.signatures.get("all-services.ok") ?? "";
    const ahead = plan("ok", new Map([["all-services.ok", first]]));
    expect(ahead.ids).toContain("all-services.outage");
    expect(ahead.ids).not.toContain("all-services.warning");
    expect(plan("ok", new Map([["all-services.ok", "older"]])).ids).not.toContain(
      "all-services.outage",
    );
  });

  test("of the list stay once they were drawn", () => {
    expect(plan("ok", new Map([["all-services.warning", "x"]])).ids).toContain(
      "all-services.warning",
    );
  });

  test("of a service stay for a day after their start, those without one for ever", () => {
    const cardAt = (sinceMs: number) => serviceCardId({ slug: "bank", code: "fail", sinceMs });
    const young = cardAt(T0 - DAY_MS);
    const old = cardAt(T0 - DAY_MS - MINUTE_MS);
    const drawn = [young, old, "bank.none", "gone.ok", "bank.strange"].map(
      (id) => [id, "x"] as const,
    );
    const { ids } = plan("ok", new Map(drawn));
    expect(ids.filter((id) => id.includes("bank.") || id.includes("gone"))).toEqual(
      [young, "bank.none", "bank.ok"].toSorted(),
    );
  });
});

test("what is removed with a service is left to the limit of removals", () => {
  const { isDeliberate } = plan("ok").family;
  expect(["bank.fail", "badge", "badge/bank", "all-services.ok"].map(isDeliberate)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["gone.fail", "badge/gone"].map(isDeliberate)).toEqual([false, false]);
});

test("a badge has two objects, a card one, and what is not planned none", async () => {
  const { family, painted } = plan("fail");
  const built = async (id: string) =>
    (await family.build(id)).map(({ key, contentType, cacheControl }) => [
      key,
      contentType.replace(/;.*$/u, ""),
      cacheControl.includes("max-age=60"),
    ]);
  expect(await built("badge/bank")).toEqual([
    ["badge/bank.svg", "image/svg+xml", true],
    ["badge/bank.json", "application/json", true],
  ]);
  expect(await built(PRESENT)).toEqual([[`card/${PRESENT}.png`, "image/png", true]]);
  expect(painted).toMatchObject([{ title: "bank", color: "bad", site: "status.example.ru" }]);
  expect(await built("bank.ok")).toEqual([]);
  expect(family.keysOf("badge")).toEqual(["badge.svg", "badge.json"]);
});
