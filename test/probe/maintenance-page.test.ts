import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HttpResponse } from "../../src/probe/network/http.ts";
import { isMaintenancePage } from "../../src/probe/answer/maintenance-page.ts";

function tells(body: string | Buffer, rest: Partial<HttpResponse> = {}): boolean {
  return isMaintenancePage({
    kind: "answer",
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8" },
    oddities: [],
    body: Buffer.from(body),
    firstByteMs: 1,
    bodyMs: 1,
    ...rest,
  });
}

const TITLE = "<title>Технические работы</title>";
const BUNDLE = `<script type="module" src="/assets/index.js"></script>`;
const LOREM = "Здесь много о чём рассказано, и каждая строка на своём месте. ".repeat(40);

describe("a maintenance page", () => {
  test.for<[why: string, body: string]>([
    [
      "announces maintenance in its title",
      `<!doctype html><html><head>${TITLE}</head><body>Скоро!</body></html>`,
    ],
    ["announces a break", "<title>Технический перерыв</title><h1>Технический перерыв</h1>"],
    ["announces a break in its heading", "<title>Банк</title><h1>Технический перерыв</h1>"],
    ["says what is going on", "<title>Банк</title><p>Ведутся технические работы.</p>"],
    ["says that a break is on", "<title>Банк</title><p>Сейчас идёт технический перерыв.</p>"],
    [
      "has its own name in the title",
      "<title>БЛИЦ — технические работы</title><p>Скоро вернёмся</p>",
    ],
    ["announces it in capitals", "<TITLE>ТЕХНИЧЕСКИЕ РАБОТЫ</TITLE><H1>ИЗВИНИТЕ</H1>"],
    ["is unavailable", "<title>Сервис временно недоступен</title><p>Зайдите позже</p>"],
    ["is under maintenance", "<title>Сайт на техническом обслуживании</title>"],
    ["announces it in English", "<title>Site Under Maintenance | Cloud</title><h1>Sorry</h1>"],
    ["will be back", "<title>We&rsquo;ll be back soon</title>"],
    ["loads a script but has such a title", `${TITLE}${BUNDLE}<h1>Скоро вернёмся</h1>`],
    [
      "announces maintenance in its heading",
      "<title>Банк</title><h1>Технические <b>работы</b></h1><p>Скоро!</p>",
    ],
    [
      "announces maintenance in a sentence",
      "<title>Банк</title><p>Сейчас на сервере проводятся <b>технические</b>&nbsp;работы.</p>",
    ],
    [
      "has its spaces as numbers",
      "<title>Банк</title><p>Ведутся&#160;технические&#xa0;работы.</p>",
    ],
    ["announces it with a ё", "<title>Банк</title><p>Мы ведём технические работы.</p>"],
    ["is a line of text", "На сайте проводятся профилактические работы. Ожидайте."],
    ["is closed for reconstruction", "<title>Музей</title><h2>Сайт закрыт на реконструкцию</h2>"],
    [
      "announces maintenance in an English sentence",
      "<title>Brand</title><p>The site is currently undergoing scheduled maintenance.</p>",
    ],
    ["hides a visitor counter", `${TITLE}<noscript><img src="/hit"></noscript>`],
  ])("%s", ([, body]) => {
    expect(tells(body)).toBe(true);
  });

  test("may be in windows-1251, as declared by its header or itself", () => {
    const letters = [0xd2, 0xe5, 0xf5, 0xf0, 0xe0, 0xe1, 0xee, 0xf2, 0xfb];
    const body = Buffer.concat([
      Buffer.from("<title>"),
      Buffer.from(letters),
      Buffer.from("</title>"),
    ]);
    const meta = Buffer.from('<meta charset="windows-1251">');
    expect(tells(body, { headers: { "content-type": "text/html; charset=Windows-1251" } })).toBe(
      true,
    );
    expect(tells(Buffer.concat([meta, body]), { headers: {} })).toBe(true);
    expect(tells(body)).toBe(false);
  });
});

/** A phrase for each word that may stand in a pattern, most of them as no one would write it. */
const [AS_TITLE = [], AS_SENTENCE = [], NOT_NOW = []] = readFileSync(
  new URL("maintenance-phrases.txt", import.meta.url),
  "utf8",
)
  .split("\n\n")
  .map((section) => section.trim().split("\n").slice(1));

describe("every phrase", () => {
  test.each(AS_TITLE)("%s is maintenance as a title", (phrase) => {
    expect(tells(`<title>${phrase}</title>`)).toBe(true);
  });

  test.each(AS_SENTENCE)("%s is maintenance as a sentence", (phrase) => {
    expect(tells(`<title>Банк</title><p>${phrase}</p>`)).toBe(true);
  });

  test.each(NOT_NOW)("%s beside such a title is not maintenance now", (phrase) => {
    expect(tells(`${TITLE}<p>${phrase}</p>`)).toBe(false);
  });
});

describe("a page is healthy if it", () => {
  test.for<[why: string, body: string]>([
    ["is empty", ""],
    ["does not mention maintenance", "<title>Банк</title><h1>Добро пожаловать</h1>"],
    [
      "has a banner above other content",
      `<title>Банк</title><div>Сегодня ночью проводятся технические работы</div><p>${LOREM}</p>`,
    ],
    ["has much text below such a title", `${TITLE}<p>${LOREM}</p>`],
    [
      "hides an apology until it is needed",
      `<title>Кино</title><div style="display: none"><h1>Ведутся технические работы</h1></div>`,
    ],
    [
      "apologises if scripts are off",
      "<title>Почта</title><noscript>Технические работы</noscript>",
    ],
    [
      "is an application that contains the words",
      `<title>Кино</title><div id="root"></div><h1>Ведутся технические работы</h1>${BUNDLE}`,
    ],
    [
      "has the words in a script",
      `<title>Кино</title><script>const text = "<h1>Ведутся технические работы</h1>";</script>`,
    ],
    ["has the words in a comment", `<title>Кино</title><!-- <h1>Технические работы</h1> -->`],
    [
      "has a form to sign in",
      `<title>Вход</title><p>Ведутся технические работы.</p><form><input name="login"></form>`,
    ],
    [
      "has a menu",
      `<title>Город</title><h2>Технические работы</h2>${'<a href="/page">Раздел</a>'.repeat(7)}`,
    ],
    [
      "announces a planned break",
      "<title>Новости</title><h1>Технический перерыв</h1><p>5 декабря планируется технический перерыв.</p>",
    ],
    ["tells of a break that is over", `<title>Технический перерыв</title>${LOREM}`],
    [
      "announces planned maintenance",
      "<title>Связь</title><h1>Ночью будут проводиться технические работы</h1>",
    ],
    ["announces scheduled maintenance", "<title>Плановые работы запланированы на субботу</title>"],
    ["announces finished maintenance", "<title>Игра</title><h1>Технические работы завершены</h1>"],
    [
      "works during maintenance",
      "<title>Связь</title><p>Ведутся технические работы, возможны перебои.</p>",
    ],
    [
      "reports construction work",
      "<title>Метро</title><p>На станции ведутся ремонтные работы.</p>",
    ],
    [
      "describes a maintenance mode",
      "<title>API</title><p>Returns 503 while the platform is in maintenance mode.</p>",
    ],
    [
      "announces a date for maintenance",
      "<title>Scheduled maintenance will take place on Sunday</title>",
    ],
    ["has a drawing with such a title", "<svg><title>Технические работы</title></svg><p>Банк</p>"],
  ])("%s", ([, body]) => {
    expect(tells(body)).toBe(false);
  });

  test("is not HTML, is incomplete, is too long, or has another status", () => {
    expect(tells(TITLE)).toBe(true);
    expect(tells(TITLE, { headers: { "content-type": "application/json" } })).toBe(false);
    expect(tells(TITLE, { bodyFailure: "body-closed" })).toBe(false);
    expect(tells(`${TITLE}<style>${"a{}".repeat(20_000)}</style>`)).toBe(false);
    for (const status of [304, 403, 404, 503]) expect(tells(TITLE, { status })).toBe(false);
  });
});

describe("with any content,", () => {
  const phrase = fc.constantFrom(
    "Ведутся технические работы",
    "Сервис временно недоступен",
    "The site is under maintenance",
  );
  const piece = fc.oneof(
    phrase,
    fc.constantFrom(
      "<h1>",
      "</h1>",
      "<p>",
      "<div hidden>",
      "<!--",
      "-->",
      "<script>",
      "<svg>",
      "<",
    ),
    fc.string({ maxLength: 20 }),
  );
  const content = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(" "));

  test("a page with much more text is healthy", () => {
    fc.assert(
      fc.property(phrase, (said) => {
        expect(tells(`<title>${said}</title><h1>${said}</h1><p>${LOREM}</p>`)).toBe(false);
      }),
    );
  });

  test("an application is checked by its title alone", () => {
    fc.assert(
      fc.property(content, (text) => {
        expect(tells(`<title>Кино</title>${BUNDLE}${text}`)).toBe(false);
      }),
    );
  });

  test("any bytes can be checked", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), content, (bytes, text) => {
        expect(tells(Buffer.concat([Buffer.from(text), bytes]))).toBeTypeOf("boolean");
      }),
    );
  });
});

describe("at a bound,", () => {
  const filled = (bytes: number): Buffer => {
    const [start, end] = [`${TITLE}<style>`, "</style>"].map((text) => Buffer.from(text));
    const filler = Buffer.alloc(bytes - start!.length - end!.length, "a");
    return Buffer.concat([start!, filler, end!]);
  };
  const words = (characters: number): string => "а".repeat(characters);
  const links = (count: number): string => '<a href="/page">я</a>'.repeat(count);
  const NOTICE = "<title>Банк</title><h1>Технические работы</h1>";

  test.each<[what: string, within: string | Buffer, beyond: string | Buffer]>([
    ["48 KiB", filled(48 * 1024), filled(48 * 1024 + 1)],
    ["1,500 characters below a title", TITLE + words(1_500), TITLE + words(1_501)],
    ["600 characters otherwise", NOTICE + words(582), NOTICE + words(583)],
    ["6 links", NOTICE + links(6), NOTICE + links(7)],
    ["500 elements", TITLE + "<p>".repeat(497), TITLE + "<p>".repeat(500)],
    ["a heading of the third level", NOTICE.replaceAll("h1", "h3"), NOTICE.replaceAll("h1", "h4")],
  ])("%s", (_, within, beyond) => {
    expect([tells(within), tells(beyond)]).toEqual([true, false]);
  });

  test("only a status from 200 to 299 is healthy", () => {
    const statuses = [199, 200, 299, 300].map((status) => tells(TITLE, { status }));
    expect(statuses).toEqual([false, true, true, false]);
  });
});
