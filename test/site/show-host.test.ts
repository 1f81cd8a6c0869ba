import { expect, test } from "vitest";
import { showHost, showUrl } from "../../src/site/pages/parts/links.ts";

test.each([
  ["xn--e1afmkfd.xn--p1ai", "пример.рф"],
  ["xn--e1afmkfd.xn--p1ai:8080", "пример.рф:8080"],
  ["shop.xn--e1afmkfd.xn--p1ai", "shop.пример.рф"],
  ["example.ru", "example.ru"],
  ["www.example.com:80", "www.example.com:80"],
])("%s is shown as %s", (host, shown) => {
  expect(showHost(host)).toBe(shown);
});

test.each([
  ["Cyrillic that looks Latin, below a Latin ending", "xn--80ak6aa92e.com"],
  ["two alphabets in one word", new URL("https://пpимер.рф").hostname],
  ["another alphabet", "xn--hxajbheg2az3al.xn--jxalpdlp"],
  ["no name at all", "xn--0.xn--p1ai"],
])("%s stays in Punycode", (_, host) => {
  expect(showHost(host)).toBe(host);
});

test("an address keeps all but its host", () => {
  const url = "https://xn--e1afmkfd.xn--p1ai/xn--e1afmkfd?a=%D0%B0";
  expect(showUrl(url)).toBe("https://пример.рф/xn--e1afmkfd?a=%D0%B0");
});
