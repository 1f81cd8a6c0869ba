import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderIndex } from "../../src/site/pages/index.tsx";
import { renderMonitor } from "../../src/site/pages/monitor.tsx";
import { renderService } from "../../src/site/pages/service.tsx";
import { byName, only, parsePage, skeletonOf, textOf } from "./page.ts";
import {
  ADDRESS,
  annotationOf,
  ASSETS,
  endpointOf,
  HOSTILE_NAME,
  monitorOf,
  serviceOf,
  SPECIMEN,
} from "./specimen.ts";

/** Anything that may be a name: no control characters, as the registry and the catalogue demand. */
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

describe("whatever a text says, the markup is that of the template", () => {
  const plain = monitorOf({ name: "Имя" });
  const skeleton = skeletonOf(parsePage(renderMonitor(ADDRESS, plain, "ru", ASSETS)));

  test("name of a monitor", () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const page = parsePage(renderMonitor(ADDRESS, monitorOf({ name }), "ru", ASSETS));
        expect(skeletonOf(page)).toBe(skeleton);
        expect(textOf(only(byName(page, "h1")))).toBe(name);
      }),
    );
  });

  test("address of a monitor", () => {
    fc.assert(
      fc.property(hostile, (path) => {
        const url = `https://example.ru/${path}`;
        const page = parsePage(renderMonitor(ADDRESS, monitorOf({ url }), "en", ASSETS));
        const english = parsePage(renderMonitor(ADDRESS, plain, "en", ASSETS));
        expect(skeletonOf(page)).toBe(skeletonOf(english));
        const link = byName(page, "a").find((each) => each.attributes.get("href") === url);
        expect(link?.attributes.get("rel")).toBe("nofollow ugc noopener noreferrer");
      }),
      { numRuns: 50 },
    );
  });

  test("everything that the catalogue says of a service", () => {
    const service = (words: string): ReturnType<typeof serviceOf> =>
      serviceOf("restricted", {
        name: words,
        category: { id: "banks", name: words },
        endpoints: [endpointOf("example.ru", words)],
        annotations: [{ ...annotationOf("restricted"), reason: words, source: words }],
      });
    const render = (words: string): string =>
      renderService(SPECIMEN, service(words), "en", ASSETS) +
      renderIndex({ ...SPECIMEN, services: [service(words)] }, "en", ASSETS);
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

test("a source is a link only if it is an address of the web", () => {
  const sourceOf = (source: string): readonly (string | undefined)[] => {
    const annotations = [{ ...annotationOf("provider"), source }];
    const page = parsePage(
      renderService(SPECIMEN, serviceOf("provider", { annotations }), "en", ASSETS),
    );
    return byName(page, "a")
      .filter((link) => link.attributes.get("rel")?.includes("noopener") === true)
      .map((link) => link.attributes.get("href"));
  };
  expect(sourceOf("https://example.org/a")).toEqual(["https://example.org/a"]);
  expect(sourceOf("javascript:alert(1)//https://example.org/")).toEqual([]);
  expect(sourceOf("data:text/html,https://x")).toEqual([]);
});
