import { expect, test } from "vitest";
import { badgeKeys, buildBadgeDocuments, looksOf } from "../../../src/images/badge/content.ts";
import { createBadgePainter } from "../../../src/images/badge/badge-renderer.ts";
import { FONT } from "../font.ts";

const looks = looksOf(
  {
    "24h": { decided: 1, healthy: 1 },
    "7d": { decided: 2, healthy: 1 },
    "30d": { decided: 4, healthy: 1 },
    "90d": { decided: 0, healthy: 0 },
  },
  { language: "en" },
);

test("a monitor has six objects, whose keys are known without rendering", async () => {
  const documents = await buildBadgeDocuments("Ab-1_", looks, createBadgePainter(FONT));
  expect(documents.map(({ key }) => key)).toEqual(badgeKeys("Ab-1_"));
  expect(badgeKeys("x")).toEqual([
    "api/m/x/badge.svg",
    "api/m/x/badge.png",
    "api/m/x/badge.json",
    "api/m/x/badge-24h.svg",
    "api/m/x/badge-7d.svg",
    "api/m/x/badge-90d.svg",
  ]);
});

test("each has its type, a lifetime of a minute, and its window", async () => {
  const documents = await buildBadgeDocuments("x", looks, createBadgePainter(FONT));
  const shown = documents.map(({ key, contentType, cacheControl, body }) => {
    const text = new TextDecoder().decode(body);
    const title = /<title>(.*)<\/title>/u.exec(text)?.[1] ?? /"message":"(.*?)"/u.exec(text)?.[1];
    return [key.slice("api/m/x/".length), contentType, cacheControl, title];
  });
  expect(shown).toEqual([
    ["badge.svg", "image/svg+xml; charset=utf-8", "max-age=60", "uptime: 25.00%"],
    ["badge.png", "image/png", "max-age=60", undefined],
    ["badge.json", "application/json; charset=utf-8", "max-age=60", "25.00%"],
    ["badge-24h.svg", "image/svg+xml; charset=utf-8", "max-age=60", "uptime: 100%"],
    ["badge-7d.svg", "image/svg+xml; charset=utf-8", "max-age=60", "uptime: 50.00%"],
    ["badge-90d.svg", "image/svg+xml; charset=utf-8", "max-age=60", "uptime: no data"],
  ]);
});
