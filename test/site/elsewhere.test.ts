import { expect, test } from "vitest";
import { buildSite } from "../../src/site/site-files.ts";
import { ADDRESS, ASSETS, NOW_MS, SITE_FIXTURE } from "./site-fixture.ts";

/** The HTML of every page, without what is not text of ours. */
function pagesOf(people: typeof ADDRESS.people): readonly string[] {
  const address = { ...ADDRESS, people };
  const site = buildSite({ ...SITE_FIXTURE, address }, [], ASSETS, NOW_MS).flat();
  const texts = site.map(({ body }) => new TextDecoder().decode(body));
  return texts.filter((text) => text.startsWith("<!doctype html>"));
}

test("every page says that the runner is not in Moscow, and where it is", () => {
  const pages = pagesOf({ measuredFrom: "Frankfurt <1>" });
  expect(pages.length).toBeGreaterThan(10);
  for (const page of pages) {
    expect(page).toMatch(
      /<p class="elsewhere" role="note">.+ <strong>Frankfurt &lt;1&gt;<\/strong>\.<\/p>/u,
    );
    expect(page.slice(page.indexOf("<footer"))).not.toMatch(/в Москве|in Moscow/u);
  }
});

test("in Moscow no page says so", () => {
  for (const page of pagesOf({})) expect(page).not.toContain('class="elsewhere"');
});
