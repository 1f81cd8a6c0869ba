import { describe, expect, test } from "vitest";
import { createPngEncoder } from "../../../src/images/social-card/encode-png.ts";
import { readPng } from "../read-png.ts";

const encodePng = createPngEncoder();

/** A picture of 64 × 64 pixels, opaque. */
function paint(colorAt: (x: number, y: number) => readonly [number, number, number]) {
  const rgba = new Uint8Array(64 * 64 * 4);
  for (let at = 0; at < 64 * 64; at += 1) {
    rgba.set([...colorAt(at % 64, Math.floor(at / 64)), 255], at * 4);
  }
  return { width: 64, height: 64, rgba };
}

describe("a picture as PNG", () => {
  test("of 256 colours keeps every pixel", async () => {
    const picture = paint((x, y) => [(x * 4) & 0xff, y < 32 ? 10 : 200, (x + y) % 2 === 0 ? 7 : 8]);
    const png = readPng(await encodePng(picture));
    for (let at = 0; at < 64 * 64; at += 1) {
      const [red = 0, green = 0, blue = 0] = picture.rgba.subarray(at * 4);
      const color = (red << 16) | (green << 8) | blue;
      expect(png.colorAt(at % 64, Math.floor(at / 64))).toBe(color);
    }
  });

  test("is the same wherever its pixels lie in memory", async () => {
    const picture = paint((x, y) => [x, y, 99]);
    const moved = new Uint8Array(picture.rgba.length + 1).subarray(1);
    moved.set(picture.rgba);
    expect(await encodePng({ ...picture, rgba: moved })).toEqual(await encodePng(picture));
  });

  test("of more colours has similar shades", async () => {
    const picture = paint((x, y) => [x, y, 99]);
    const png = readPng(await encodePng(picture));
    for (let at = 0; at < 64 * 64; at += 1) {
      const [x, y] = [at % 64, Math.floor(at / 64)];
      const color = png.colorAt(x, y);
      expect(Math.abs((color >> 16) - x)).toBeLessThan(4);
      expect(Math.abs(((color >> 8) & 0xff) - y)).toBeLessThan(4);
      expect(color & 0xff).toBe(99);
    }
  });

  test("of slightly more than 256 colours has neighbouring shades", async () => {
    const png = readPng(await encodePng(paint((x, y) => [x % 20, y % 20, 99])));
    for (let at = 0; at < 64 * 64; at += 1) {
      const color = png.colorAt(at % 64, Math.floor(at / 64));
      expect(Math.abs((color >> 16) - ((at % 64) % 20))).toBeLessThan(2);
    }
  });

  test("after one of another size has no byte of it", async () => {
    const plain = { width: 4, height: 2, rgba: new Uint8Array(32).fill(255) };
    const before = { width: 1, height: 5, rgba: Uint8Array.from({ length: 20 }, (_, at) => at) };
    const alone = await createPngEncoder()(plain);
    await encodePng(before);
    expect(Buffer.compare(await encodePng(plain), alone)).toBe(0);
  });

  test("of random colours is valid", async () => {
    let seed = 1;
    const next = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed & 0xff;
    };
    const png = await encodePng(paint(() => [next(), next(), next()]));
    expect(readPng(png).width).toBe(64);
  });
});
