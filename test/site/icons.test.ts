import { readFileSync } from "node:fs";
import { Resvg } from "@resvg/resvg-js";
import { expect, test } from "vitest";
import { readXml } from "./read-xml.ts";

function readAsset(name: string): Buffer {
  return readFileSync(new URL(`../../data/assets/${name}`, import.meta.url));
}

const FAVICON = readAsset("favicon.svg").toString("utf8");

/** Pixels, not bytes: the compression of the PNG may differ. */
function pixelsOf(png: Uint8Array): Uint8Array {
  const href = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  const size = Buffer.from(png).readUInt32BE(16);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><image href="${href}" width="${size}" height="${size}"/></svg>`;
  const { pixels } = new Resvg(svg).render();
  // Unsupported images render as empty, and so would compare as equal.
  expect(new Set(pixels).size).toBeGreaterThan(10);
  return pixels;
}

test.each([192, 512])("the icon of %i pixels looks like the favicon", (size) => {
  const icon = readAsset(`icon-${size}.png`);
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([size, size]);
  const drawn = new Resvg(FAVICON, { fitTo: { mode: "width", value: size } }).render().asPng();
  expect(Buffer.compare(pixelsOf(icon), pixelsOf(drawn))).toBe(0);
});

test("an icon for launchers has the lights within a circle, on a full square", () => {
  const lights = FAVICON.replaceAll(/<\/?svg[^>]*>|<rect width="64"[^>]*>/gu, "");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#22262c"/><g transform="translate(32 32) scale(.75) translate(-32 -32)">${lights}</g></svg>`;
  const drawn = new Resvg(svg, { fitTo: { mode: "width", value: 512 } }).render().asPng();
  expect(Buffer.compare(pixelsOf(readAsset("icon-maskable.png")), pixelsOf(drawn))).toBe(0);
});

test("the favicon is well-formed, square, and loads nothing from elsewhere", () => {
  expect(readXml(FAVICON).attributes.get("viewBox")).toBe("0 0 64 64");
  expect(FAVICON).not.toMatch(/href|url\(|<script|<style/u);
  expect(FAVICON.length).toBeLessThan(1_000);
});
