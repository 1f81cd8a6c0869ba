import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compileFingerprints,
  findPattern,
  matchLocationHost,
} from "../../src/probe/answer/fingerprints.ts";
import { specialPurposeOf } from "../../src/probe/network/address-guard.ts";
import { BLOCK_PAGES, FINGERPRINTS } from "./harness.ts";

const bodyRows = BLOCK_PAGES.filter(({ where }) => where === "body");

const ROW = {
  id: "test-row",
  where: "location-host",
  type: "exact",
  pattern: "blocked.example.ru",
  country: "RU",
  scope: "isp",
  confidence: 9,
  source: "this test",
  sourceCommit: "0123456789abcdef0123456789abcdef01234567",
  addedAt: "2026-11-21",
};

function encodeWindows1251(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) return code;
    if (character === "Ё") return 0xa8;
    if (character === "ё") return 0xb8;
    if (character === "«") return 0xab;
    if (character === "»") return 0xbb;
    if (code >= 0x410 && code <= 0x44f) return code - 0x410 + 0xc0;
    throw new Error(`no windows-1251 for ${character}`);
  });
}

function matchHost(url: string): string | undefined {
  return matchLocationHost(FINGERPRINTS, new URL(url));
}

describe("a redirect is matched by its host", () => {
  test.each([
    [
      "http://warning.rt.ru/?id=1&st=0&dt=1.2.3.4&rs=http://x.example/",
      "cl-isp-ru-rostelcom-warning-forward",
    ],
    ["http://BLOCKED.MTS.RU/", "cl-isp-ru-mts-forward"],
    ["https://blackhole.beeline.ru./?url=x", "cl-isp-ru-beeline-blackhole-forward"],
    ["http://lawfilter.ertelecom.ru:8080/", "cl-isp-ru-ertelecom-rkn-forward"],
    ["http://62.112.121.68/", "cl-isp-ru-mgts-rkn-forward-3"],
    ["http://block.mgts.ru/", "cl-isp-ru-mgts-rkn-forward-2"],
  ])("%s", (url, id) => {
    expect(matchHost(url)).toBe(id);
  });

  test.each([
    "https://www.rt.ru/",
    "https://mts.ru/",
    "https://unblock.mts.ru/",
    "https://www.beeline.ru/customers/help/safe-beeline/",
    "https://www.tbank.ru/",
    "https://www.yota.ru/",
    "https://example.org/?next=http://warning.rt.ru/",
    "https://example.org/warning.rt.ru",
    "https://warning.rt.ru@example.org/",
    "https://warning.rt.ru.example.org/",
    "https://notblocked.mts.ru/",
    "https://x.blocked.mts.ru/",
  ])("%s is not a block page", (url) => {
    expect(matchHost(url)).toBeUndefined();
  });

  test("a suffix matches the host itself and its subdomains", () => {
    const fingerprints = compileFingerprints([{ ...ROW, type: "suffix" }]);
    const match = (host: string) => matchLocationHost(fingerprints, new URL(`http://${host}/`));
    expect(match("blocked.example.ru")).toBe("test-row");
    expect(match("spb.blocked.example.ru")).toBe("test-row");
    expect(match("unblocked.example.ru")).toBeUndefined();
    expect(match("example.ru")).toBeUndefined();
    expect(match("ru")).toBeUndefined();
    expect(match("[2a02:6b8::1]")).toBeUndefined();
  });
});

describe("a block page is found in the body", () => {
  test.each(bodyRows.map((row) => [row.id, row.pattern]))("%s", (id, pattern) => {
    const page = `<!DOCTYPE html><html><head><title>x</title></head><body>${pattern}</body></html>`;
    expect(findPattern(FINGERPRINTS.bodies, Buffer.from(page))).toBe(id);
    expect(findPattern(FINGERPRINTS.bodies, encodeWindows1251(page))).toBe(id);
  });

  test("at any position", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...bodyRows),
        fc.uint8Array({ maxLength: 300 }),
        fc.uint8Array({ maxLength: 300 }),
        fc.boolean(),
        (row, before, after, isLegacy) => {
          const pattern = isLegacy ? encodeWindows1251(row.pattern) : Buffer.from(row.pattern);
          expect(findPattern(FINGERPRINTS.bodies, Buffer.concat([before, pattern, after]))).toBe(
            row.id,
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("but not with a missing byte or a cut-off end", () => {
    for (const row of bodyRows) {
      const bytes = Buffer.from(row.pattern);
      expect(findPattern(FINGERPRINTS.bodies, bytes.subarray(1))).toBeUndefined();
      expect(findPattern(FINGERPRINTS.bodies, bytes.subarray(0, -1))).toBeUndefined();
    }
  });

  test("as a plain search for each pattern would find it", () => {
    const alphabet = fc.constantFrom("a", "b", "ф", "Ф");
    const text = fc.string({ unit: alphabet, minLength: 20, maxLength: 24 });
    fc.assert(
      fc.property(
        fc.uniqueArray(text, { minLength: 1, maxLength: 6 }),
        fc.array(fc.string({ unit: alphabet, maxLength: 30 }), { maxLength: 6 }),
        fc.nat(5),
        (patterns, noise, at) => {
          const some = patterns.map((pattern, index) => ({
            ...ROW,
            id: `row-${index}`,
            where: "body",
            type: "contains",
            pattern,
          }));
          const body = Buffer.from(noise.toSpliced(at, 0, patterns[at] ?? "").join(""));
          const isThere = patterns.some(
            (pattern) =>
              body.includes(pattern) || body.includes(Buffer.from(encodeWindows1251(pattern))),
          );
          expect(findPattern(compileFingerprints(some).bodies, body) !== undefined).toBe(isThere);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("no healthy page matches", () => {
  const HEALTHY = {
    "a home page of a bank":
      "<title>Т-Банк — Кредитные и дебетовые карты</title><p>Страница временно недоступна. Тинькофф Мобайл: роуминг, eSIM</p>",
    "an anti-bot page":
      "<title>Доступ ограничен: проблема с IP</title><h1>Доступ ограничен</h1><p>Обнаружена проблема с IP. Отключите VPN и обновите страницу.</p>",
    "a captcha":
      '<title>Ой!</title><h1>Подтвердите, что запросы отправляли вы, а не робот</h1><a id="toggle" href="">Почему это могло произойти?</a>',
    "a shop that refuses the region":
      '<h1 class="title title_h1">Доступ запрещён</h1><p>Доступ к запрашиваемому ресурсу ограничен из вашего региона.</p>',
    "news about blocking":
      "<title>Роскомнадзор заблокировал ещё один ресурс</title><p>Пользователи видят страницу warning.rt.ru, blackhole.beeline.ru, blocked.mts.ru или lawfilter.ertelecom.ru: «Доступ к информационному ресурсу ограничен на основании Федерального закона от 27 июля 2006 г. № 149-ФЗ». Сайт внесён в Единый реестр, проверить: https://blocklist.rkn.gov.ru/</p>",
    "news that quotes a stub in capitals":
      "<p>На экране — «ДОСТУП К ИНФОРМАЦИОННОМУ РЕСУРСУ ОГРАНИЧЕН» и «ДОСТУП К РЕСУРСУ ЗАБЛОКИРОВАН!», у ТТК — «Доступ к ресурсу ограничен»</p>",
    "a blocked profile in a social network":
      "<h2>Страница заблокирована</h2><p>Данный материал заблокирован на территории РФ на основании требования Генпрокуратуры. Доступ ограничен по решению суда или по иным основаниям, установленным законодательством Российской Федерации.</p>",
    "a home page of a provider":
      '<title>МТС</title><a href="https://mts.ru/personal">Связь</a><a href="https://unblock.mts.ru">Оплатить</a><script>ym(38740850,\'init\')</script><a href="http://www.beeline.ru/customers/help/safe-beeline/">Безопасность</a>',
    "another provider with a form":
      '<a class="header__logo" href="https://www.rt.ru/?utm_source=main"></a><p>Техническая поддержка: <a href="mailto:support@rt.ru">support@rt.ru</a></p><a href="/">Отменить</a>',
    "a maintenance page":
      "<title>Технические работы</title><h1>Сервис временно недоступен</h1><p>Уважаемые пользователи! Мы уже всё чиним.</p>",
    "a refusal of a content delivery network":
      "<title>Access denied</title><h1>Sorry, you have been blocked</h1><p>You are unable to access this website. This page has been blocked. Cloudflare Ray ID</p>",
    "an API response": '{"error":{"code":"ACCESS_BLOCKED","message":"Доступ ограничен"}}',
    "an empty body": "",
  };

  test.each(Object.entries(HEALTHY))("%s", (_name, page) => {
    const long = page.repeat(1 + Math.floor(60_000 / Math.max(1, Buffer.byteLength(page))));
    expect(findPattern(FINGERPRINTS.bodies, Buffer.from(page))).toBeUndefined();
    expect(findPattern(FINGERPRINTS.bodies, Buffer.from(long))).toBeUndefined();
    expect(
      findPattern(FINGERPRINTS.bodies, new TextEncoder().encode(page.toUpperCase())),
    ).toBeUndefined();
  });
});

test("a provider's stub address matches, its neighbour does not", () => {
  expect(FINGERPRINTS.addresses.get("5.3.3.17")).toBe("ooni-ru-96");
  expect(FINGERPRINTS.addresses.get("5.3.3.18")).toBeUndefined();
  expect(FINGERPRINTS.addresses.get("77.88.55.242")).toBeUndefined();
});

test("stub addresses are public, not special-purpose", () => {
  for (const row of BLOCK_PAGES.filter(({ where }) => where === "dns-address")) {
    expect(specialPurposeOf(row.pattern)).toBeUndefined();
  }
});

describe("a broken file is reported with its first broken row", () => {
  const SHORT_BODY = "row 2 needs a body pattern of at least 20 characters";

  test.each([
    [{ ...ROW, id: "Bad Id" }, 'row 2 has no valid "id"'],
    [{ ...ROW, where: "title" }, 'row 2 has no valid "where"'],
    [{ ...ROW, where: "toString" }, 'row 2 has no valid "where"'],
    [{ ...ROW, type: "contains" }, "row 2 needs type exact or suffix for location-host"],
    [{ ...ROW, pattern: "" }, 'row 2 has no valid "pattern"'],
    [{ ...ROW, pattern: "Blocked.example.ru" }, "row 2 needs a lower-case host name"],
    [{ ...ROW, pattern: "http://blocked.example.ru/" }, "row 2 needs a lower-case host name"],
    [{ ...ROW, where: "dns-address", pattern: "x.example" }, "row 2 needs an IP address"],
    [{ ...ROW, where: "body", type: "contains", pattern: "Доступ ограничен" }, SHORT_BODY],
    [{ ...ROW, country: "Russia" }, 'row 2 has no valid "country"'],
    [{ ...ROW, scope: "vbw" }, 'row 2 has no valid "scope"'],
    [{ ...ROW, confidence: 11 }, 'row 2 has no valid "confidence"'],
    [{ ...ROW, confidence: 0 }, 'row 2 has no valid "confidence"'],
    [{ ...ROW, confidence: 1.5 }, 'row 2 has no valid "confidence"'],
    [{ ...ROW, where: "body", type: "contains", pattern: ` ${"x".repeat(19)} ` }, SHORT_BODY],
    [{ ...ROW, pattern: "a.b" }, "row 2 needs a lower-case host name"],
    [{ ...ROW, source: " " }, 'row 2 has no valid "source"'],
    [{ ...ROW, sourceCommit: "main" }, 'row 2 has no valid "sourceCommit"'],
    [{ ...ROW, addedAt: "yesterday" }, 'row 2 has no valid "addedAt"'],
    [{ ...ROW, note: "x" }, 'row 2 does not know the field "note"'],
    ["row", "row 2 is not an object"],
    [null, "row 2 is not an object"],
  ])("%j", (row, problem) => {
    const message = `Fingerprints: ${problem}: ${JSON.stringify(row)}`;
    expect(() => compileFingerprints([ROW, row])).toThrow(new Error(message));
  });

  test.each([
    [{ pattern: "other.example.ru" }, "id test-row"],
    [{ id: "other" }, "location-host pattern blocked.example.ru"],
  ])("%j beside the first row", (part, repeated) => {
    const message = `Fingerprints: duplicate ${repeated}`;
    expect(() => compileFingerprints([ROW, { ...ROW, ...part }])).toThrow(new Error(message));
  });

  test.each([
    { confidence: 1 },
    { confidence: 10, scope: "national" },
    { where: "body", type: "contains", pattern: "x".repeat(20) },
    { where: "dns-address", pattern: "2001:db8::1" },
    { pattern: "a.bc" },
  ])("a row with %j is whole", (part) => {
    expect(() => compileFingerprints([{ ...ROW, ...part }])).not.toThrow();
  });

  test("a file that is not a list", () => {
    const message = "Fingerprints: the file is not a list of rows";
    expect(() => compileFingerprints({})).toThrow(new Error(message));
  });
});

test("an empty list matches nothing", () => {
  const none = compileFingerprints([]);
  expect(findPattern(none.bodies, Buffer.from("x".repeat(100)))).toBeUndefined();
  expect(matchLocationHost(none, new URL("http://warning.rt.ru/"))).toBeUndefined();
  expect(none.addresses.get("5.3.3.17")).toBeUndefined();
});
