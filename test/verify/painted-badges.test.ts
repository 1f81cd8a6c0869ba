import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { buildBadgeDocuments, looksOf } from "../../src/images/badge/content.ts";
import { createBadgePainter } from "../../src/images/badge/badge-renderer.ts";
import { createFront } from "../../src/preview/front.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { check } from "./check.ts";
import { connectFront } from "./good-deployment.ts";

const FONT = new URL("../../data/fonts/Inter-Medium.ttf", import.meta.url);

/** The checks share no code with the painter; this test shows that they agree. */
test.each([
  ["a new monitor", { decided: 0, healthy: 0 }, undefined],
  ["a monitor that never failed", { decided: 8_640, healthy: 8_640 }, undefined],
  ["a monitor that failed once", { decided: 8_640, healthy: 8_639 }, undefined],
  ["a monitor that never worked", { decided: 3, healthy: 0 }, undefined],
  ["a hostile label", { decided: 100, healthy: 99 }, "</svg><script>\u{202E}\0\uD800 😀 x&\"'"],
  [
    "a label that looks like code",
    { decided: 100, healthy: 99 },
    " onload=1 url(//a): javascript:",
  ],
  ["a label that the font lacks", { decided: 100, healthy: 99 }, "日本"],
])("the badges of %s pass every check", async (_, count, label) => {
  const painter = createBadgePainter(await readFile(FONT));
  const looks = looksOf(
    { "24h": count, "7d": count, "30d": count, "90d": count },
    { language: "ru", ...(label !== undefined && { label }) },
  );
  const store = createMemoryStore();
  for (const { key, ...document } of await buildBadgeDocuments("my-shop", looks, painter)) {
    await store.write(key, document);
  }
  // Without a list, all other checks would be skipped.
  await store.write("api/v1/status", {
    body: Buffer.from('{"updated":1,"services":[]}'),
    contentType: "",
    cacheControl: "",
  });
  const { checks } = await check(new URL("http://status.test"), {
    expectedServices: 0,
    connect: connectFront(createFront(store)),
  });
  const badges = checks.filter(({ id }) => id.startsWith("badge."));
  expect(badges.length).toBeGreaterThan(15);
  for (const { id, result, problems } of badges)
    expect([id, result, problems]).toEqual([id, "pass", []]);
});
