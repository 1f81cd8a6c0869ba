import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { expect } from "vitest";

const CHROMIUM = "/usr/bin/chromium";

/** Debian's Chromium, without a window. Throws with the name of the package when it is not there. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error("Missing for this test: Debian's package chromium");
  // As root, which CI may be, Chromium's sandbox does not start. It gets to see nothing but our own pages.
  return await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
}

export type Color = readonly [red: number, green: number, blue: number];

/** What was on the screen. Places are device pixels. */
export interface Screenshot {
  readonly png: Buffer;
  colorAt(x: number, y: number): Color;
  /** How many different colours are in a rectangle. */
  countColors(x: number, y: number, width: number, height: number): number;
}

export interface Shown {
  readonly screenshot: Screenshot;
  /** The images of the page in its order, CSS pixels. */
  readonly images: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  /** Whatever the page complained about. */
  readonly complaints: readonly string[];
}

/** Shows a page and takes a picture of it. */
export async function show(browser: Browser, html: string, density: number): Promise<Shown> {
  const viewport = { width: 900, height: 400 };
  const context = await browser.newContext({ deviceScaleFactor: density, viewport });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => complaints.push(request.url().slice(0, 80)));
  await page.setContent(html, { waitUntil: "load" });
  const images: Shown["images"] = JSON.parse(
    // The compiler knows no browser, so what runs there is a text.
    String(
      await page.evaluate(
        "JSON.stringify([...document.images].map((i) => ({ ...i.getBoundingClientRect().toJSON() })))",
      ),
    ),
  );
  const png = await page.screenshot();
  const pixels = await decode(browser, png);
  await context.close();
  const width = viewport.width * density;
  expect(pixels.length).toBe(4 * width * viewport.height * density);
  return { screenshot: createScreenshot(png, pixels, width), images, complaints };
}

/** The pixels of a PNG, four bytes each, by the browser's own decoder. */
async function decode(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const encoded = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png.toString("base64")}";
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let text = "";
    for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode(...data.subarray(i, i + 32768));
    return btoa(text);
  })()`);
  await page.close();
  return Buffer.from(String(encoded), "base64");
}

function createScreenshot(png: Buffer, pixels: Buffer, width: number): Screenshot {
  const colorAt = (x: number, y: number): Color => {
    const at = 4 * (Math.floor(y) * width + Math.floor(x));
    return [pixels.readUInt8(at), pixels.readUInt8(at + 1), pixels.readUInt8(at + 2)];
  };
  return {
    png,
    colorAt,
    countColors(left, top, columns, rows) {
      const seen = new Set<string>();
      for (let y = top; y < top + rows; y += 1) {
        for (let x = left; x < left + columns; x += 1) seen.add(colorAt(x, y).join());
      }
      return seen.size;
    },
  };
}
