import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";
import { expect } from "vitest";

const CHROMIUM = "/usr/bin/chromium";

/** Starts Debian's Chromium without a window. Throws with the name of the package if it is not installed. */
export async function openBrowser({ args = [], ...options }: LaunchOptions = {}): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error("Missing for this test: Debian's package chromium");
  // Chromium's sandbox does not start as root, which CI may be. Chromium shows only our own pages.
  return await chromium.launch({
    ...options,
    executablePath: CHROMIUM,
    args: ["--no-sandbox", ...args],
  });
}

/** Lets a Chromium with this home trust a root: in a profile that is gone afterwards. */
export function trustRoot(home: string, rootPem: string): void {
  const folder = join(home, ".pki/nssdb");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, "root.pem"), rootPem);
  const database = `sql:${folder}`;
  execFileSync("certutil", ["-N", "-d", database, "--empty-password"]);
  const root = ["-t", "C,,", "-n", "root", "-i", join(home, "root.pem")];
  execFileSync("certutil", ["-A", "-d", database, ...root]);
}

export type Color = readonly [red: number, green: number, blue: number];

/** What was on the screen. Positions are in device pixels. */
export interface Screenshot {
  readonly png: Buffer;
  colorAt(x: number, y: number): Color;
  /** Number of different colours in a rectangle. */
  countColors(x: number, y: number, width: number, height: number): number;
}

export interface Shown {
  readonly screenshot: Screenshot;
  /** The images of the page, in order; CSS pixels. */
  readonly images: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  /** Console messages and errors of the page. */
  readonly complaints: readonly string[];
}

/** Shows a page and takes a screenshot. */
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
    // Text, because the compiler does not know the browser's globals.
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

/** The pixels of a PNG, four bytes each, decoded by the browser. */
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
