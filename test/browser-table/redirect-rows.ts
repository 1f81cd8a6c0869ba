import { type Row, latin1, BODY, LENGTH, TYPE, join, page, moved, movedTo } from "./page.ts";

export const REDIRECTS: readonly Row[] = [
  { name: "a redirect", answer: movedTo("/a", "Location: /a"), verdict: "opens" },
  {
    name: "equal targets twice",
    answer: movedTo("/a", "Location: /a", "LOCATION: /a"),
    verdict: "opens",
    oddities: ["location-repeated"],
  },
  {
    name: "different targets",
    answer: movedTo("/a", "Location: /a", "Location: /b"),
    verdict: "http-malformed",
  },
  {
    name: "a target in raw UTF-8",
    answer: movedTo(encodeURI("/путь"), latin1("Location: /путь")),
    verdict: "opens",
    oddities: ["location-not-ascii"],
  },
  {
    name: "a target in raw Latin-1",
    answer: movedTo("/caf%E9", "Location: /caf\xe9"),
    verdict: "opens",
    oddities: ["location-not-ascii"],
  },
  { name: "a target with a blank", answer: movedTo("/a%20b", "Location: /a b"), verdict: "opens" },
  { name: "a target with a tab", answer: movedTo("/ab", "Location: /a\tb"), verdict: "opens" },
  {
    name: "a target with a backslash",
    answer: movedTo("/a/b", "Location: /a\\b"),
    verdict: "opens",
  },
  {
    name: "a target with a fragment",
    answer: movedTo("/a", "Location: /a#part"),
    verdict: "opens",
  },
  {
    name: "a target without a scheme",
    answer: movedTo("/a", "Location: //%HOST%/a"),
    verdict: "opens",
  },
  {
    name: "a target of 5,000 characters",
    answer: movedTo(`/${"a".repeat(5_000)}`, `Location: /${"a".repeat(5_000)}`),
    verdict: "opens",
  },
  {
    name: "a target of 20,000 characters",
    answer: movedTo(`/${"a".repeat(20_000)}`, `Location: /${"a".repeat(20_000)}`),
    verdict: "http-malformed",
    butBrowser: "a growing loop, or an attack",
  },
  {
    name: "a redirect without a target",
    answer: join("HTTP/1.1 302 Found", TYPE, LENGTH) + BODY,
    verdict: "opens",
  },
  {
    name: "an empty target",
    answer: join("HTTP/1.1 302 Found", TYPE, "Location:", LENGTH) + BODY,
    verdict: "opens",
  },
  {
    name: "nine redirects",
    answer: (path) =>
      path === "/9" ? page(LENGTH) : moved(`Location: /${Number(path.slice(1)) + 1}`),
    verdict: "opens",
  },
  {
    name: "eleven redirects",
    answer: (path) =>
      path === "/11" ? page(LENGTH) : moved(`Location: /${Number(path.slice(1)) + 1}`),
    verdict: "redirect-too-many",
    butBrowser: "Chromium follows 20; no service needs more than ten",
  },
  { name: "a loop", answer: moved("Location: /"), verdict: "redirect-loop" },
  {
    name: "a cookie, then the page",
    answer: (_, head) =>
      /^cookie:.*\bseen=1/imu.test(head)
        ? page(LENGTH)
        : moved("Set-Cookie: seen=1; Path=/", "Location: /"),
    verdict: "opens",
  },
  {
    name: "two cookies, one by one",
    answer: (_, head) =>
      /a=1/u.test(head) && /b=2/u.test(head)
        ? page(LENGTH)
        : /a=1/u.test(head)
          ? moved("Set-Cookie: b=2", "Location: /")
          : moved("Set-Cookie: a=1; HttpOnly", "Location: /"),
    verdict: "opens",
  },
  {
    name: "a cookie of another site",
    answer: (_, head) =>
      /seen=1/u.test(head)
        ? page(LENGTH)
        : moved("Set-Cookie: seen=1; Domain=other.test", "Location: /"),
    verdict: "redirect-loop",
  },
  {
    name: "a cookie that is taken back",
    answer: (path, head) =>
      path === "/b"
        ? /seen=1/u.test(head)
          ? moved("Location: /b")
          : page(LENGTH)
        : path === "/a"
          ? moved("Set-Cookie: seen=; Max-Age=0; Path=/", "Location: /b")
          : moved("Set-Cookie: seen=1; Path=/", "Location: /a"),
    verdict: "opens",
  },
];
