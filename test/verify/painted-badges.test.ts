import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { buildBadgeDocuments } from "../../src/badge/documents.ts";
import { looksOf } from "../../src/badge/look.ts";
import { createBadgePainter } from "../../src/badge/painter.ts";
import { createFront } from "../../src/serve/front.ts";
import { listen } from "../../src/serve/listen.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { check } from "./check.ts";

const FONT = new URL("../../fonts/Inter-Medium.ttf", import.meta.url);

/** The check shares nothing with the painter, so only this shows that they mean the same. */
test.each([
  ["a new monitor", { decided: 0, healthy: 0 }, undefined],
  ["one that never failed", { decided: 8_640, healthy: 8_640 }, undefined],
  ["one that failed once", { decided: 8_640, healthy: 8_639 }, undefined],
  ["one that never worked", { decided: 3, healthy: 0 }, undefined],
  ["a hostile label", { decided: 100, healthy: 99 }, "</svg><script>\u{202E}\0\uD800 😀 x&\"'"],
  [
    "a label that looks like code",
    { decided: 100, healthy: 99 },
    " onload=1 url(//a): javascript:",
  ],
  ["a label that the font lacks", { decided: 100, healthy: 99 }, "日本"],
])("the badges of %s pass every point", async (_, count, label) => {
  const painter = createBadgePainter(await readFile(FONT));
  const looks = looksOf(
    { "24h": count, "7d": count, "30d": count, "90d": count },
    { language: "ru", ...(label !== undefined && { label }) },
  );
  const store = createMemoryStore();
  for (const { key, ...document } of await buildBadgeDocuments("my-shop", looks, painter)) {
    await store.write(key, document);
  }
  // Without a list nothing else is looked at.
  await store.write("api/v1/status", {
    body: Buffer.from('{"updated":1,"services":[]}'),
    contentType: "",
    cacheControl: "",
  });
  const front = await listen(createFront(store).fetch, { port: 0 });
  onTestFinished(() => front.close());
  const { points } = await check(new URL(front.url), { expectedServices: 0 });
  const badges = points.filter(({ id }) => id.startsWith("badge."));
  expect(badges.length).toBeGreaterThan(15);
  for (const { id, result, problems } of badges)
    expect([id, result, problems]).toEqual([id, "pass", []]);
});
