import { expect, test } from "vitest";
import { renderOutage } from "../../src/site/pages/outage.tsx";
import type { OutagePageView } from "../../src/site/view.ts";
import type { XmlElement } from "../../src/verify/site/parse-xml.ts";
import { OUTAGE_LIST } from "./outage-fixture.ts";
import { byName, only, parsePage, textOf } from "./page.ts";
import { ADDRESS, frameOf } from "./site-fixture.ts";

const [LASTING, CORRECTED] = OUTAGE_LIST.outages;
if (LASTING === undefined || CORRECTED === undefined) throw new Error("the fixture has no outages");

const CAUSE = "What the checks found";

const pageOf = (outage: OutagePageView): XmlElement =>
  parsePage(renderOutage(frameOf("en"), outage));

const imageIn = (page: XmlElement): string | undefined =>
  only(
    byName(page, "meta").filter(({ attributes }) => attributes.get("property") === "og:image"),
  ).attributes.get("content");

test("an outage without a start has the picture of the site, others their own", () => {
  expect(imageIn(pageOf(LASTING))).toBe(`${ADDRESS.origin}/card/vtb.fail.202611210704.png`);
  const lasting = { ...LASTING, about: { ...LASTING.about, code: "restricted" as const } };
  expect(imageIn(pageOf(lasting))).toBe(`${ADDRESS.origin}/card.png`);
});

test("the source of a correction is a link only if it is an address", () => {
  const correctionsFrom = (source: string): XmlElement => {
    const corrections = CORRECTED.corrections.map((one) => ({ ...one, source }));
    const page = pageOf({ ...CORRECTED, corrections });
    return only(
      byName(page, "section").filter(
        ({ attributes }) => attributes.get("aria-labelledby") === "corrections",
      ),
    );
  };
  const linked = correctionsFrom("https://shop.example/status");
  expect(byName(linked, "a").map((link) => link.attributes.get("href"))).toEqual([
    "https://shop.example/status",
  ]);
  for (const source of ["a call by phone", "javascript:alert(1)", "see https://a.example/"]) {
    const plain = correctionsFrom(source);
    expect(byName(plain, "a")).toEqual([]);
    expect(textOf(plain)).toContain(source);
  }
});

test("an outage whose cause is not known has no line for it", () => {
  const linesOf = (about: Partial<OutagePageView["about"]>): readonly string[] =>
    byName(pageOf({ ...LASTING, about: { ...LASTING.about, ...about } }), "dt").map(textOf);
  const all = linesOf({});
  expect(linesOf({ cause: null })).toEqual(all.filter((name) => name !== CAUSE));
  expect(all).toContain(CAUSE);
});
