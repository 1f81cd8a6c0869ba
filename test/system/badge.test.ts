import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeBadge } from "badge-maker";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LABEL_GROUND, BACKGROUNDS } from "../../src/images/colors.ts";
import { type BadgePicture, createBadgePainter } from "../../src/images/badge/badge-renderer.ts";
import type { BadgeContent } from "../../src/model/monitor/monitor.ts";
import { type Color, openBrowser, type Screenshot, show, type Shown } from "./browser.ts";

/** Folder to keep the screenshots in; without the variable they are removed after the test. */
const KEPT = process.env["BADGE_SCREENSHOTS"];
const FOLDER = KEPT ?? mkdtempSync(join(tmpdir(), "status-snapshot-badges-"));

const LOOKS: readonly BadgeContent[] = [
  { label: "аптайм", message: "99.98%", tone: "best" },
  { label: "аптайм", message: "100%", tone: "best" },
  { label: "uptime", message: "99.12%", tone: "good" },
  { label: "аптайм", message: "97.41%", tone: "fair" },
  { label: "аптайм", message: "93.70%", tone: "poor" },
  { label: "аптайм", message: "12.34%", tone: "bad" },
  { label: "аптайм", message: "нет данных", tone: "none" },
  { label: "Мой «магазин» & <щука>", message: "99.98%", tone: "best" },
];

const PAGES = { light: "#ffffff", dark: "#0d1117" } as const;
const DENSITIES = [1, 3] as const;

const paint = createBadgePainter(
  readFileSync(new URL("../../data/fonts/Inter-Medium.ttf", import.meta.url)),
);
let browser: Browser;
let pictures: readonly BadgePicture[];

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  pictures = await Promise.all(LOOKS.map(async (look) => await paint(look)));
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  if (KEPT === undefined) rmSync(FOLDER, { recursive: true, force: true });
});

const toUrl = (bytes: Uint8Array | string, type: string): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

/** One row for each look: our SVG, our PNG at the size of the SVG, and a badge of badge-maker, the library of Shields. */
function pageOf(background: string): string {
  const rows = LOOKS.map(({ label, message, tone }, index) => {
    const picture = pictures[index];
    const svg = toUrl(picture?.svg ?? "", "image/svg+xml");
    const png = toUrl(picture?.png() ?? "", "image/png");
    const shields = makeBadge({ label, message, color: BACKGROUNDS[tone] });
    return `<p><img src="${svg}"> <img height="20" src="${png}"> <img src="${toUrl(shields, "image/svg+xml")}">`;
  });
  return `<!doctype html><style>body{margin:20px;background:${background}}p{margin:0 0 10px;height:20px;line-height:0;white-space:nowrap}</style>${rows.join("")}`;
}

const toColor = (hex: string): Color => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

const brightness = ([red, green, blue]: Color): number => (red + green + blue) / 3;

/** Brightest pixel of a rectangle. */
function brightestIn(
  screenshot: Screenshot,
  left: number,
  top: number,
  columns: number,
  rows: number,
): number {
  let best = 0;
  for (let y = top; y < top + rows; y += 1) {
    for (let x = left; x < left + columns; x += 1) {
      best = Math.max(best, brightness(screenshot.colorAt(x, y)));
    }
  }
  return best;
}

for (const density of DENSITIES) {
  describe.each(Object.entries(PAGES))(`at ${density}× on a %s page`, (name, background) => {
    let shown: Shown;

    beforeAll(async () => {
      shown = await show(browser, pageOf(background), density);
      writeFileSync(join(FOLDER, `badges-${name}-${density}x.png`), shown.screenshot.png);
    });

    test("the console is empty, and every picture is shown", () => {
      expect(shown.complaints).toEqual([]);
      expect(shown.images).toHaveLength(3 * LOOKS.length);
    });

    test("SVG and PNG have the same size, and the height of a Shields badge", () => {
      for (const index of LOOKS.keys()) {
        const [svg, png, shields] = shown.images.slice(3 * index, 3 * index + 3);
        expect([png?.width, png?.height]).toEqual([svg?.width, svg?.height]);
        expect(svg?.height).toBe(20);
        expect(shields?.height).toBe(20);
        expect(svg?.width).toBeGreaterThan(0.75 * (shields?.width ?? Infinity));
        expect(svg?.width).toBeLessThan(1.15 * (shields?.width ?? 0));
      }
    });

    test.each(LOOKS.map((look, index) => [look.message, index, look] as const))(
      "%s (%i): backgrounds have their colours, corners are round, text is light",
      (_message, index, look) => {
        for (const image of shown.images.slice(3 * index, 3 * index + 2)) {
          const { screenshot } = shown;
          const scaled = [image.x, image.y, image.width].map((length) => length * density);
          const [left = 0, top = 0, width = 0] = scaled;
          const height = 20 * density;
          const ground = toColor(BACKGROUNDS[look.tone]);
          // In the middle of the padding, where there are no letters.
          expect(screenshot.colorAt(left + 2 * density, top + height / 2)).toEqual(
            toColor(LABEL_GROUND),
          );
          expect(screenshot.colorAt(left + width - 2 * density, top + height / 2)).toEqual(ground);
          for (const x of [left, left + width - 1]) {
            for (const y of [top, top + height - 1]) {
              const corner = brightness(screenshot.colorAt(x, y));
              const page = brightness(toColor(background));
              expect(Math.abs(corner - page)).toBeLessThan(40);
            }
          }
          for (const x of [left + 5 * density, left + width - 20 * density]) {
            const size = 14 * density;
            expect(
              brightestIn(screenshot, x, top + 5 * density, size, 10 * density),
            ).toBeGreaterThan(220);
            expect(
              screenshot.countColors(x, top + 5 * density, size, 10 * density),
            ).toBeGreaterThan(8);
          }
        }
      },
    );

    test("digits fill whole pixels: rows around them are plain background", () => {
      const [image] = shown.images;
      const { screenshot } = shown;
      const left = ((image?.x ?? 0) + 58) * density;
      const top = (image?.y ?? 0) * density;
      const columns = 30 * density;
      // Capitals and digits fill rows 6 to 14; round ones extend a tenth of a pixel further.
      expect(brightestIn(screenshot, left, top + 8 * density, columns, 1)).toBeGreaterThan(200);
      const ground = brightness(toColor(BACKGROUNDS.best));
      for (const row of [4.5, 15]) {
        expect(brightestIn(screenshot, left, top + row * density, columns, 1)).toBeLessThan(
          ground + 3,
        );
      }
    });
  });
}
