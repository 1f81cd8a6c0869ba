import { expect, test } from "vitest";
import { MINUTE_MS } from "../../src/model/time.ts";
import { renderOutages } from "../../src/site/pages/outages.tsx";
import { describeOutage } from "../../src/site/words/pages/outage-page.ts";
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

test("an outage whose end no check saw has only a bound of its length", () => {
  const ended = { ...LASTING, endedAtMs: LASTING.toldAtMs + 35 * MINUTE_MS };
  const said = [false, true].map((isEndUnseen) => {
    const outage = { ...ended, isEndUnseen };
    const list = parsePage(renderOutages(frameOf("en"), { ...OUTAGE_LIST, outages: [outage] }));
    return [describeOutage(outage, "en").split(".", 1)[0], ...byName(list, "b").map(textOf)];
  });
  expect(said).toEqual([
    ["It lasted 35 minutes", "35 minutes"],
    ["It lasted at most 35 minutes", "at most 35 minutes"],
  ]);
});
