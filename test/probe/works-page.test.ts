import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HttpAnswer } from "../../src/probe/http.ts";
import { isWorksPage } from "../../src/probe/works-page.ts";

function tells(body: string | Buffer, rest: Partial<HttpAnswer> = {}): boolean {
  return isWorksPage({
    kind: "answer",
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: Buffer.from(body),
    firstByteMs: 1,
    bodyMs: 1,
    ...rest,
  });
}

const TITLE = "<title>Технические работы</title>";
const BUNDLE = `<script type="module" src="/assets/index.js"></script>`;
const LOREM = "Здесь много о чём рассказано, и каждая строка на своём месте. ".repeat(40);

describe("a page of works is one that", () => {
  test.for<[why: string, body: string]>([
    [
      "says so in its title",
      `<!doctype html><html><head>${TITLE}</head><body>Скоро!</body></html>`,
    ],
    ["names itself as well", "<title>БЛИЦ — технические работы</title><p>Скоро вернёмся</p>"],
    ["says so in capitals", "<TITLE>ТЕХНИЧЕСКИЕ РАБОТЫ</TITLE><H1>ИЗВИНИТЕ</H1>"],
    ["is not to be reached", "<title>Сервис временно недоступен</title><p>Зайдите позже</p>"],
    ["is served", "<title>Сайт на техническом обслуживании</title>"],
    ["says so in English", "<title>Site Under Maintenance | Cloud</title><h1>Sorry</h1>"],
    ["will be back", "<title>We&rsquo;ll be back soon</title>"],
    ["loads a script beside its title", `${TITLE}${BUNDLE}<h1>Скоро вернёмся</h1>`],
    [
      "says so in its heading",
      "<title>Банк</title><h1>Технические <b>работы</b></h1><p>Скоро!</p>",
    ],
    [
      "says so in a sentence",
      "<title>Банк</title><p>Сейчас на сервере проводятся <b>технические</b>&nbsp;работы.</p>",
    ],
    ["tells of them with dots", "<title>Банк</title><p>Мы ведём технические работы.</p>"],
    ["is a line of text", "На сайте проводятся профилактические работы. Ожидайте."],
    ["is closed", "<title>Музей</title><h2>Сайт закрыт на реконструкцию</h2>"],
    [
      "says so in an English sentence",
      "<title>Brand</title><p>The site is currently undergoing scheduled maintenance.</p>",
    ],
    ["hides what counts visitors", `${TITLE}<noscript><img src="/hit"></noscript>`],
  ])("%s", ([, body]) => {
    expect(tells(body)).toBe(true);
  });

  test("is written in windows-1251, as its header or itself says", () => {
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

describe("a page is healthy that", () => {
  test.for<[why: string, body: string]>([
    ["is empty", ""],
    ["says nothing of works", "<title>Банк</title><h1>Добро пожаловать</h1>"],
    [
      "has a banner above all it has to say",
      `<title>Банк</title><div>Сегодня ночью проводятся технические работы</div><p>${LOREM}</p>`,
    ],
    ["has much to say below such a title", `${TITLE}<p>${LOREM}</p>`],
    [
      "hides an apology until it is needed",
      `<title>Кино</title><div style="display: none"><h1>Ведутся технические работы</h1></div>`,
    ],
    [
      "apologises where scripts are off",
      "<title>Почта</title><noscript>Технические работы</noscript>",
    ],
    [
      "is an application that has the words ready",
      `<title>Кино</title><div id="root"></div><h1>Ведутся технические работы</h1>${BUNDLE}`,
    ],
    [
      "has the words in a script",
      `<title>Кино</title><script>const text = "<h1>Ведутся технические работы</h1>";</script>`,
    ],
    ["has the words in a comment", `<title>Кино</title><!-- <h1>Технические работы</h1> -->`],
    [
      "can be signed in to",
      `<title>Вход</title><p>Ведутся технические работы.</p><form><input name="login"></form>`,
    ],
    [
      "has a menu",
      `<title>Город</title><h2>Технические работы</h2>${'<a href="/page">Раздел</a>'.repeat(7)}`,
    ],
    [
      "tells of works to come",
      "<title>Связь</title><h1>Ночью будут проводиться технические работы</h1>",
    ],
    ["tells of works that are planned", "<title>Плановые работы запланированы на субботу</title>"],
    ["tells that they are over", "<title>Игра</title><h1>Технические работы завершены</h1>"],
    [
      "works in spite of them",
      "<title>Связь</title><p>Ведутся технические работы, возможны перебои.</p>",
    ],
    [
      "tells of works of another kind",
      "<title>Метро</title><p>На станции ведутся ремонтные работы.</p>",
    ],
    [
      "describes such a mode",
      "<title>API</title><p>Returns 503 while the platform is in maintenance mode.</p>",
    ],
    ["is planned for", "<title>Scheduled maintenance will take place on Sunday</title>"],
    ["has a drawing with such a title", "<svg><title>Технические работы</title></svg><p>Банк</p>"],
  ])("%s", ([, body]) => {
    expect(tells(body)).toBe(false);
  });

  test("is no page of HTML, is not whole, is too long to be read whole, or has another status", () => {
    expect(tells(TITLE)).toBe(true);
    expect(tells(TITLE, { headers: { "content-type": "application/json" } })).toBe(false);
    expect(tells(TITLE, { bodyFailure: "body-closed" })).toBe(false);
    expect(tells(`${TITLE}<style>${"a{}".repeat(20_000)}</style>`)).toBe(false);
    for (const status of [304, 403, 404, 503]) expect(tells(TITLE, { status })).toBe(false);
  });
});

describe("whatever a page holds,", () => {
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

  test("it is healthy where it has more to say than one thing", () => {
    fc.assert(
      fc.property(phrase, (said) => {
        expect(tells(`<title>${said}</title><h1>${said}</h1><p>${LOREM}</p>`)).toBe(false);
      }),
    );
  });

  test("an application is judged by its title alone", () => {
    fc.assert(
      fc.property(content, (text) => {
        expect(tells(`<title>Кино</title>${BUNDLE}${text}`)).toBe(false);
      }),
    );
  });

  test("bytes of any kind are judged", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), content, (bytes, text) => {
        expect(tells(Buffer.concat([Buffer.from(text), bytes]))).toBeTypeOf("boolean");
      }),
    );
  });
});
