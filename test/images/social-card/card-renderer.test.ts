import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signatureOfCard } from "../../../src/model/monitor/pictures.ts";
import { createCardPainter } from "../../../src/images/social-card/card-renderer.ts";
import { CARD_COLORS, CARD_INK, CARD_QUIET } from "../../../src/images/colors.ts";
import { createBadgeMaker } from "../../../src/setup/publish-settings.ts";
import type { CardContent } from "../../../src/model/monitor/pictures.ts";
import { atDepth, isFull } from "../../depth.ts";
import { contrast } from "../contrast.ts";
import { FONT } from "../font.ts";
import { hasInk, inkOf, type Picture, readPng } from "../read-png.ts";

const draw = createCardPainter(FONT);
/** On a busy machine dozens of cards take long. */
const COLORS = ["ok", "warn", "bad", "none"] as const;
const USUAL: CardContent = {
  title: "Госуслуги",
  label: "Сбой: не открывается",
  sublabel: "Outage: does not open",
  color: "bad",
  site: "status.example.ru",
};

/** Titles that try to break the picture. */
const HOSTILE = [
  "",
  " ",
  "</svg><script>alert(1)</script>",
  `"/><image href="https://example.org/a.png"/>`,
  "&amp;&lt;&#0;]]>",
  "a\u0000\u0008\u001F\uFFFE\uFFFFb",
  "\uD800\uDC00\uDFFF\uD83D",
  "\u202Etxt.exe\u202C",
  "👨‍👩‍👧‍👦🏳️‍🌈1️⃣",
  "漢字かな한글",
  "שלום עולם",
  "z̴̡̢̛̛̗a͕̫l̶g̸o",
  "⸻".repeat(120),
  "‱".repeat(5_000),
  "Ế".repeat(200),
  "Щ".repeat(120),
  "i".repeat(120),
  "a ".repeat(60),
  "ЪЩ ".repeat(40),
  // The largest number of lines of each size.
  ...[5, 7, 9, 11, 13, 17, 21].map((count) => "ẾЩ ".repeat(count)),
  "https://averyveryverylonghostname.with.many.labels.example.org/and/a/path/that/never/ends/".repeat(
    2,
  ),
  `${"очень ".repeat(18)}длинное`,
];

describe("the PNG", () => {
  test.skipIf(isFull)("is 1200 × 630 pixels of a palette, and small", async () => {
    const png = Buffer.from(await draw(USUAL));
    expect(png.subarray(0, 8).toString("latin1")).toBe("\u0089PNG\r\n\u001A\n");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630]);
    expect([...png.subarray(24, 29)]).toEqual([8, 3, 0, 0, 0]);
    expect(png.length).toBeLessThanOrEqual(40_000);
  });

  test.skipIf(isFull)("of equal contents has equal bytes, for any renderer and order", async () => {
    const other = createCardPainter(FONT);
    await other({ ...USUAL, title: "Открывается", color: "ok" });
    expect(Buffer.compare(await draw(USUAL), await other({ ...USUAL }))).toBe(0);
    expect(Buffer.compare(await draw(USUAL), await createBadgeMaker("ru").drawCard(USUAL))).toBe(0);
  });

  test.skipIf(isFull)("differs with every part of the content", async () => {
    const changes = [
      {},
      { title: "Госуслуги." },
      { label: "Работает" },
      { sublabel: "Working" },
      { site: "status.example.org" },
      { color: "ok" },
      { color: "warn" },
      { color: "none" },
    ] as const;
    const cards = new Set<string>();
    for (const change of changes) {
      cards.add(Buffer.from(await draw({ ...USUAL, ...change })).toString("base64"));
    }
    expect(cards.size).toBe(changes.length);
  });

  test.skipIf(isFull)("rejects bytes that are not a font", async () => {
    await expect(createCardPainter(new Uint8Array(9))(USUAL)).rejects.toThrow(/./u);
  });
});

describe("colours", () => {
  test.skipIf(isFull).each(COLORS)(
    "every text on %s has a contrast of 4.5 : 1, the light of 3 : 1",
    (color) => {
      const { ground, label, light } = CARD_COLORS[color];
      for (const text of [CARD_INK, CARD_QUIET, label]) {
        expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(light, ground)).toBeGreaterThanOrEqual(3);
    },
  );

  test.skipIf(isFull)("each colour has a background and a shape of its own", async () => {
    const shapes = new Set<string>();
    const grounds = new Set<number>();
    for (const color of COLORS) {
      const picture = readPng(await draw({ ...USUAL, color }));
      const light = { left: 80, right: 188, top: 436, bottom: 544 };
      shapes.add(inkOf(picture, light).join(""));
      grounds.add(picture.colorAt(0, 0));
    }
    expect(shapes.size).toBe(COLORS.length);
    expect([...grounds]).toEqual(
      COLORS.map((color) => Number.parseInt(CARD_COLORS[color].ground.slice(1), 16)),
    );
  });
});

/** The card; throws unless everything is at least 69 pixels from every edge. */
async function expectMargins(look: CardContent): Promise<Picture> {
  const png = await draw(look);
  expect(png.length).toBeLessThanOrEqual(40_000);
  const picture = readPng(png);
  const frames = [
    { left: 0, right: 70, top: 0, bottom: 630 },
    { left: 1_130, right: 1_200, top: 0, bottom: 630 },
    { left: 0, right: 1_200, top: 0, bottom: 69 },
    { left: 0, right: 1_200, top: 561, bottom: 630 },
  ];
  for (const frame of frames) expect(hasInk(picture, frame), look.title).toBe(false);
  return picture;
}

describe("untrusted texts", () => {
  test.skipIf(isFull)(
    "long and hostile titles stay inside the margins, and above the light",
    async () => {
      for (const title of HOSTILE) {
        const picture = await expectMargins({ ...USUAL, title });
        const isEmpty = !hasInk(picture, { left: 0, right: 1_200, top: 150, bottom: 280 });
        if (isEmpty) continue;
        const [above, below] = [119, 414];
        for (const top of [above, below]) {
          const gap = { left: 0, right: 1_200, top, bottom: top + 16 };
          expect(hasInk(picture, gap), title).toBe(false);
        }
      }
    },
  );

  test.skipIf(isFull)("so does every other text of excessive length", async () => {
    for (const text of ["Щ".repeat(60), "очень ".repeat(40), "⸻".repeat(60)]) {
      const long = { ...USUAL, label: text, sublabel: text, site: text };
      await expectMargins(long);
      await expectMargins({ ...long, since: text });
    }
  });

  test.skipIf(isFull)(
    "each more letter changes the picture until the text ends with an ellipsis",
    async () => {
      const card = async (title: string): Promise<string> =>
        Buffer.from(await draw({ ...USUAL, title })).toString("base64");
      expect(await card("Щ".repeat(59))).not.toBe(await card("Щ".repeat(60)));
      expect(await card("Щ".repeat(100))).toBe(await card("Щ".repeat(101)));
    },
  );

  test.skipIf(isFull)("characters that the font cannot draw are removed", async () => {
    const plain = Buffer.from(await draw({ ...USUAL, title: "Café" }));
    for (const title of ["Café 🚀", "\u202ECafé", "漢字 Café", "Cafe\u0301"]) {
      expect(Buffer.compare(plain, await draw({ ...USUAL, title })), title).toBe(0);
    }
  });

  test.skipIf(isFull)("the start is a line of its own, below the label", async () => {
    const since = readPng(await draw({ ...USUAL, since: "с 23 ноября, 05:58 МСК" }));
    const line = { left: 230, right: 600, top: 490, bottom: 511 };
    expect(hasInk(since, line)).toBe(true);
    expect(signatureOfCard({ ...USUAL, since: "с 05:58" })).not.toBe(signatureOfCard(USUAL));
  });

  test("any text at all gives a card", async () => {
    const text = fc.string({ unit: "binary", maxLength: 130 });
    await fc.assert(
      fc.asyncProperty(text, text, async (title, site) => {
        await expectMargins({ ...USUAL, title, site });
      }),
      { numRuns: atDepth(4, 20) },
    );
  });

  test("so does any text that the font can draw", async () => {
    const letters = fc.constantFrom(..."ЩЪiй.,:— —«»ABCWgjÅẾ©™0123…/");
    const text = fc.string({ unit: letters, minLength: 1, maxLength: 130 });
    await fc.assert(
      fc.asyncProperty(text, async (title) => {
        await expectMargins({ ...USUAL, title });
      }),
      { numRuns: atDepth(4, 20) },
    );
  });
});

describe("the signature", () => {
  test.skipIf(isFull)("is short, and the same for equal contents", () => {
    expect(signatureOfCard(USUAL)).toBe(signatureOfCard({ ...USUAL }));
    expect(signatureOfCard(USUAL)).toMatch(/^3\|[\d.a-z]{3,15}$/u);
  });

  test.skipIf(isFull)("differs if contents differ", () => {
    const text = fc.string({ maxLength: 20 });
    const look = fc.record({
      title: text,
      label: text,
      sublabel: text,
      color: fc.constantFrom(...COLORS),
      site: text,
    });
    fc.assert(
      fc.property(look, look, (one, other) => {
        const isEqual = JSON.stringify(one) === JSON.stringify(other);
        expect(signatureOfCard(one) === signatureOfCard(other)).toBe(isEqual);
      }),
      { numRuns: 500 },
    );
  });

  test.skipIf(isFull)("differs with each single part of a content", () => {
    const changes = [{}, { title: "x" }, { label: "x" }, { sublabel: "x" }, { site: "x" }] as const;
    const colors = COLORS.map((color) => ({ ...USUAL, title: "y", color }));
    const looks = [...changes.map((change) => ({ ...USUAL, ...change })), ...colors];
    expect(new Set(looks.map(signatureOfCard)).size).toBe(looks.length);
  });

  test.skipIf(isFull)("distinguishes where one text ends and the next begins", () => {
    const shifted = { ...USUAL, title: `${USUAL.title}","${USUAL.label}` };
    expect(signatureOfCard(shifted)).not.toBe(signatureOfCard(USUAL));
    const [one, other] = [
      { ...USUAL, label: "ab", sublabel: "c" },
      { ...USUAL, label: "a", sublabel: "bc" },
    ];
    expect(signatureOfCard(one)).not.toBe(signatureOfCard(other));
  });
});

test.skipIf(isFull)("a card with a wrong byte is invalid", async () => {
  const png = await draw(USUAL);
  expect(readPng(png).colorAt(0, 0)).toBe(0xfdeaea);
  const broken = png.with(png.length - 20, (png.at(-20) ?? 0) ^ 1);
  expect(() => readPng(broken)).toThrow("Nobody could read this PNG.");
});
