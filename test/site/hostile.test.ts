import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderIndex } from "../../src/site/pages/index.tsx";
import { renderMonitor } from "../../src/site/pages/monitor.tsx";
import { renderService } from "../../src/site/pages/service.tsx";
import type { Annotation } from "../../src/model/service/catalogue.ts";
import { SERVICE_WORDS } from "../../src/site/words/pages/service-page.ts";
import { byName, only, parsePage, skeletonOf, textOf } from "./page.ts";
import {
  annotationOf,
  endpointOf,
  HOSTILE_NAME,
  serviceOf,
  SITE_FIXTURE,
  frameOf,
} from "./site-fixture.ts";
import { monitorOf } from "./monitor-fixture.ts";

/** Any valid name: the registry and the catalogue forbid control characters. */
const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .map((value) => value.replaceAll(/[\p{Cc}\p{Cs}\u{FFFE}\u{FFFF}]/gu, "?"));
const markup = fc.constantFrom(
  HOSTILE_NAME,
  "</title><script>alert(1)</script>",
  "' onmouseover='alert(1)",
  '" autofocus onfocus="alert(1)',
  "</textarea><svg onload=alert(1)>",
  "&lt;b&gt; &amp;amp; &#39;",
  "<!--",
  "]]>",
  "{{7*7}} ${7*7} `",
  "javascript:alert(1)",
);
const hostile = fc.oneof(
  text,
  markup,
  fc.tuple(text, markup).map((parts) => parts.join("")),
);

describe("no text changes the markup", () => {
  const plain = monitorOf({ name: "Имя" });
  const skeleton = skeletonOf(parsePage(renderMonitor(frameOf("ru"), plain)));

  test("name of a monitor", () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const page = parsePage(renderMonitor(frameOf("ru"), monitorOf({ name })));
        expect(skeletonOf(page)).toBe(skeleton);
        expect(textOf(only(byName(page, "h1")))).toBe(name);
      }),
    );
  });

  test("address of a monitor", () => {
    fc.assert(
      fc.property(hostile, (path) => {
        const url = `https://example.ru/${path}`;
        const page = parsePage(renderMonitor(frameOf("en"), monitorOf({ url })));
        const english = parsePage(renderMonitor(frameOf("en"), plain));
        expect(skeletonOf(page)).toBe(skeletonOf(english));
        const link = byName(page, "a").find((each) => each.attributes.get("href") === url);
        expect(link?.attributes.get("rel")).toBe("nofollow ugc noopener noreferrer");
      }),
      { numRuns: 50 },
    );
  });

  test("texts of the catalogue about a service", () => {
    const service = (words: string): ReturnType<typeof serviceOf> =>
      serviceOf("restricted", {
        name: words,
        category: { id: "banks", name: words },
        endpoints: [endpointOf("example.ru", words)],
        annotations: [
          {
            ...annotationOf("restricted"),
            reason: words,
            source: { url: "https://example.org/", title: words },
          },
        ],
      });
    const render = (words: string): string =>
      renderService(frameOf("en"), SITE_FIXTURE, service(words)) +
      renderIndex(frameOf("en"), { ...SITE_FIXTURE, services: [service(words)] });
    const skeletons = (words: string): readonly string[] =>
      render(words)
        .split(/(?=<!doctype html>)/u)
        .map((page) => skeletonOf(parsePage(page)));
    const expected = skeletons("words");
    fc.assert(
      fc.property(hostile, (words) => {
        expect(skeletons(words)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});

test("a source is a link with its title; without one the page says so", () => {
  const { source: _, ...reported } = annotationOf("provider");
  const pageWith = (annotations: readonly Annotation[]): string =>
    renderService(frameOf("en"), SITE_FIXTURE, serviceOf("provider", { annotations }));
  const linksOf = (html: string): readonly (string | undefined)[] =>
    byName(parsePage(html), "a")
      .filter((link) => link.attributes.get("rel")?.includes("noopener") === true)
      .map((link) => link.attributes.get("href"));
  const url = "https://example.org/a?b=1&c=2";
  const sourced = pageWith([{ ...reported, source: { url, title: "Новости" } }]);
  expect(linksOf(sourced)).toEqual([url, `https://web.archive.org/web/${url}`]);
  expect(sourced).toContain('lang="ru">Новости</a>');
  expect(linksOf(pageWith([reported]))).toEqual([]);
  expect(pageWith([reported])).toContain(SERVICE_WORDS.en.unconfirmed);
});
