import { Resvg } from "@resvg/resvg-js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LABEL_GROUND, TEXT_COLOR, BACKGROUNDS } from "../../../src/images/colors.ts";
import { cleanLabel } from "../../../src/images/text/printable-text.ts";
import { createBadgePainter } from "../../../src/images/badge/badge-renderer.ts";
import type { BadgeContent } from "../../../src/model/monitor/monitor.ts";
import { atDepth, isFull } from "../../depth.ts";
import { contrast } from "../contrast.ts";
import { FONT } from "../font.ts";
import { followPath } from "../text/follow-path.ts";

const paint = createBadgePainter(FONT);
/** On a busy machine hundreds of badges take long. */
const USUAL: BadgeContent = { label: "аптайм", message: "99.98%", tone: "best" };

const svgOf = async (look: BadgeContent): Promise<string> =>
  new TextDecoder().decode((await paint(look)).svg);

/** Size in pixels. Throws if the text is not well-formed XML. */
function sizeOf(svg: string): { readonly width: number; readonly height: number } {
  const { width, height } = new Resvg(svg, { font: { loadSystemFonts: false } });
  return { width, height };
}

describe("colours", () => {
  test.skipIf(isFull).each(Object.entries({ label: LABEL_GROUND, ...BACKGROUNDS }))(
    "the text on %s, %s, has a contrast of 4.5 : 1",
    (_name, color) => {
      expect(contrast(TEXT_COLOR, color)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.skipIf(isFull).each(Object.entries(BACKGROUNDS))(
    "%s, %s, stands out on white and on dark pages",
    (_name, color) => {
      expect(contrast("#ffffff", color)).toBeGreaterThanOrEqual(3);
      expect(contrast("#0d1117", color)).toBeGreaterThanOrEqual(3);
    },
  );
});

describe("the SVG", () => {
  test.skipIf(isFull)("has a text alternative", async () => {
    const svg = await svgOf(USUAL);
    expect(svg).toMatch(
      /^<svg [^>]*role="img" aria-label="аптайм: 99\.98%"><title>аптайм: 99\.98%<\/title>/u,
    );
    expect(sizeOf(svg).height).toBe(20);
  });

  test.skipIf(isFull).each<[string, BadgeContent, string]>([
    ["its label stands on its own ground", USUAL, LABEL_GROUND],
    ["without a label it has the colour of its message", { ...USUAL, label: "" }, BACKGROUNDS.best],
  ])("%s", async (_, look, left) => {
    const drawn = new Resvg(await svgOf(look), { font: { loadSystemFonts: false } }).render();
    const colorAt = (x: number): string => {
      const rgb = drawn.pixels.readUIntBE((3 * drawn.width + x) * 4, 3);
      return `#${rgb.toString(16).padStart(6, "0")}`;
    };
    expect([colorAt(8), colorAt(drawn.width - 8)]).toEqual([left, BACKGROUNDS.best]);
  });

  test.skipIf(isFull)("is two grounds that meet on a whole pixel, with round corners", async () => {
    const shapes = (svg: string) => svg.replace(/ d="m[^"]*"/u, "");
    expect(shapes(await svgOf(USUAL))).toBe(
      [
        '<svg xmlns="http://www.w3.org/2000/svg" width="103" height="20" viewBox="0 0 2575 500" role="img" aria-label="аптайм: 99.98%"><title>аптайм: 99.98%</title>',
        '<rect width="1375" height="500" rx="100" fill="#4a525b"/>',
        '<path fill="#1a7f37" d="M1275 0h1200a100 100 0 0 1 100 100v300a100 100 0 0 1-100 100h-1200z"/>',
        '<path fill="#fff"/></svg>',
      ].join(""),
    );
    expect(shapes(await svgOf({ ...USUAL, label: "" }))).toBe(
      [
        '<svg xmlns="http://www.w3.org/2000/svg" width="52" height="20" viewBox="0 0 1300 500" role="img" aria-label=": 99.98%"><title>: 99.98%</title>',
        '<rect width="1300" height="500" rx="100" fill="#1a7f37"/>',
        '<path fill="#fff"/></svg>',
      ].join(""),
    );
  });

  test.skipIf(isFull)("has its text six pixels from each edge, on a whole pixel", async () => {
    const svg = await svgOf({ ...USUAL, label: "HH", message: "HH" });
    const points = followPath(/ d="(m[^"]*)"/u.exec(svg)?.[1] ?? "");
    const inside = points.filter(([x]) => x < 1_000_000);
    const [xs, ys] = [inside.map(([x]) => x), inside.map(([, y]) => y)];
    const width = sizeOf(svg).width * 25;
    expect(Math.min(...xs)).toBe(6 * 25);
    // The width is rounded up to a whole pixel.
    expect(width - Math.max(...xs)).toBeGreaterThanOrEqual(6 * 25);
    expect(width - Math.max(...xs)).toBeLessThan(7 * 25);
    expect([Math.min(...ys), Math.max(...ys)]).toEqual([6 * 25, 14 * 25]);
  });

  test.skipIf(isFull)(
    "has paths only: no ids, masks, styles, text or anything to load",
    async () => {
      const names = new Set((await svgOf(USUAL)).match(/(?<=<)[a-z]+|\b[a-z-]+(?==")/giu));
      expect([...names].toSorted()).toEqual(
        "aria-label d fill height path rect role rx svg title viewBox width xmlns".split(" "),
      );
    },
  );

  test.skipIf(isFull).each([
    ["аптайм", "99.98%"],
    ["uptime", "99.98%"],
    ["аптайм", "100%"],
    ["аптайм", "нет данных"],
    ["uptime", "no data"],
  ])("%s, %s: takes at most 2,900 bytes", async (label, message) => {
    const { svg } = await paint({ label, message, tone: "best" });
    expect(svg.length).toBeLessThanOrEqual(2_900);
  });

  test.skipIf(isFull)("no percentage takes more than 3 KiB", async () => {
    const sizes = Array.from({ length: 200 }, async (_, index) => {
      const value = (index * 37) % 10_000;
      const message = `${Math.floor(value / 100)}.${String(value % 100).padStart(2, "0")}%`;
      return (await paint({ label: "аптайм", message, tone: "bad" })).svg.length;
    });
    const worst = await paint({ label: "аптайм", message: "88.88%", tone: "bad" });
    expect(Math.max(worst.svg.length, ...(await Promise.all(sizes)))).toBeLessThanOrEqual(3_072);
  });

  test.skipIf(isFull)("equal contents have equal bytes, for any renderer and order", async () => {
    const other = createBadgePainter(FONT);
    await other({ label: "x", message: "98.99%", tone: "fair" });
    const [one, two] = [await paint(USUAL), await other({ ...USUAL })];
    expect(Buffer.compare(one.svg, two.svg)).toBe(0);
    expect(Buffer.compare(one.png(), two.png())).toBe(0);
    expect(Buffer.compare(one.json, two.json)).toBe(0);
  });

  test.skipIf(isFull)(
    "a content is drawn once, and other contents are other pictures",
    async () => {
      expect(await paint({ ...USUAL })).toBe(await paint(USUAL));
      for (const change of [{ label: "x" }, { message: "100%" }, { tone: "bad" }] as const) {
        expect(await paint({ ...USUAL, ...change })).not.toBe(await paint(USUAL));
      }
    },
  );

  test.skipIf(isFull)("an invalid font is reported at the first badge", async () => {
    await expect(createBadgePainter(new Uint8Array(9))(USUAL)).rejects.toThrow(/./u);
  });
});

describe("untrusted labels", () => {
  const fetch = globalThis.fetch;
  let fetches = 0;
  beforeAll(() => {
    globalThis.fetch = () => {
      fetches += 1;
      return Promise.reject(new Error("Nothing may be loaded."));
    };
  });
  afterAll(() => {
    globalThis.fetch = fetch;
  });

  const HOSTILE = [
    "</svg><script>alert(1)</script>",
    `"><img src=x onerror='alert(1)'>`,
    "&amp;&lt;&#0;]]>",
    "<![CDATA[",
    "a\u0000\u0008\u001F\uFFFE\uFFFFb",
    "\uD800\uDC00\uDFFF\uD83D",
    "\u202Etxt.exe\u202C",
    "Щ".repeat(40),
    "‱".repeat(40),
    "👨‍👩‍👧‍👦🏳️‍🌈1️⃣",
    "漢字かな한글",
    "שלום עולם",
    "z̴̡̢̛̛̗a͕̫l̶g̸o",
    "${x} {{y}} %s",
    "javascript:alert(1)",
    "https://example.org/a.png",
  ];

  test.skipIf(isFull).each(HOSTILE)(
    "%j is a well-formed picture of bounded width",
    async (label) => {
      const svg = await svgOf({ ...USUAL, label: cleanLabel(label) });
      const { width, height } = sizeOf(svg);
      expect(height).toBe(20);
      expect(width).toBeLessThanOrEqual(1_200);
      const elements = new Set(svg.match(/(?<=<)[a-z]+/giu));
      expect([...elements].filter((name) => !/^(?:svg|title|rect|path)$/u.test(name))).toEqual([]);
    },
  );

  test.skipIf(isFull)("the title holds the label, escaped once", async () => {
    const svg = await svgOf({ ...USUAL, label: "a&amp;<b>'\"" });
    expect(svg).toContain("<title>a&#38;amp;&#60;b&#62;&#39;&#34;: 99.98%</title>");
  });

  test("any text at all gives a well-formed picture", async () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, async (label) => {
        const { width } = sizeOf(await svgOf({ ...USUAL, label: cleanLabel(label) }));
        expect(width).toBeLessThanOrEqual(1_200);
      }),
      { numRuns: atDepth(40, 200) },
    );
  });

  test.skipIf(isFull)("a label without a drawable character leaves only the value", async () => {
    const svg = await svgOf({ ...USUAL, label: "漢字" });
    expect(svg).toContain("<title>漢字: 99.98%</title>");
    expect(svg).not.toContain(LABEL_GROUND);
    expect(sizeOf(svg).width).toBeLessThan(sizeOf(await svgOf(USUAL)).width);
  });

  test.skipIf(isFull)("none of them loads anything", () => {
    expect(fetches).toBe(0);
  });
});

test.skipIf(isFull)("the PNG is twice as large as the SVG", async () => {
  const picture = await paint(USUAL);
  const png = Buffer.from(picture.png());
  const { width, height } = sizeOf(new TextDecoder().decode(picture.svg));
  expect(png.subarray(1, 4).toString("latin1")).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2 * width, 2 * height]);
  expect(picture.png()).toBe(picture.png());
});

test.skipIf(isFull)("the JSON is shields' endpoint format", async () => {
  const { json } = await paint({ label: "ап<тайм", message: "98.00%", tone: "fair" });
  expect(new TextDecoder().decode(json)).toBe(
    '{"schemaVersion":1,"label":"ап<тайм","message":"98.00%","color":"946000"}',
  );
});
