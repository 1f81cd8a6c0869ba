import { describe, expect, test } from "vitest";
import { findKeyProblem, toFileSegments } from "../../src/store/key.ts";

const fileOf = (key: string): string => toFileSegments(key).join("/");

describe("the file of a key", () => {
  test.each([
    "status/sberbank",
    "status/mir-tesen",
    "status/sberbank/outages/202611230258",
    "outages",
    "day/2026-11-25",
    "m/My_shop-1",
    "m/status",
    "status/m",
    "api",
    "about",
    "data",
  ])("%s is a page in each language, so it gets .html", (key) => {
    expect(fileOf(key)).toBe(`${key}.html`);
    expect(fileOf(`en/${key}`)).toBe(`en/${key}.html`);
  });

  test.each([
    "api/v1/status",
    "api/v1/status/sberbank",
    "api/v1/status/about",
    "api/m/x",
    "api/about",
    "status",
    "m",
    "en",
    "en/status",
    "en/m",
    "en/en/about",
    "ru/about",
    "status/en/about",
    "status/a/b",
    "m/a/b",
    "About",
    "about-us",
    "state",
    "lists/about",
  ])("%s is not a page, so it gets .json", (key) => {
    expect(fileOf(key)).toBe(`${key}.json`);
  });

  test.each([
    "index.html",
    "en/index.html",
    "404.html",
    "site.css",
    "openapi.json",
    "names.json",
    "feed/sberbank.atom",
    "card/m/My_shop-1.png",
    "status/a.b",
    "m/a.b",
    "api/m/x/badge.svg",
    "manifest.webmanifest",
  ])("%s has a dot, so it keeps its name", (key) => {
    expect(fileOf(key)).toBe(key);
  });
});

describe("pages as keys", () => {
  test("a key may be as long as a file name with its suffix, and not longer", () => {
    expect(findKeyProblem(`status/${"a".repeat(250)}`)).toBeUndefined();
    expect(findKeyProblem(`status/${"a".repeat(251)}`)).toContain("longer than 255 bytes");
  });

  test.each(["a\\b", "a\nb", "\ud800", "", "a//b", "a/.b", "..", `a/${"b".repeat(251)}`])(
    "%j is invalid, and it is said why",
    (key) => expect(findKeyProblem(key)).toMatchSnapshot(),
  );

  test.each(["status/", "en/m/", "/about", "en//about"])("%s has an empty segment", (key) => {
    expect(findKeyProblem(key)).toContain("is empty");
  });
});
