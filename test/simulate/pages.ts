/**
 * Maintenance pages with a 200, and healthy pages that mention maintenance, modelled on public ones: some name it in the title,
 * some only in the text, some in an image or by a script, which the answer itself does not show. The program classifies them like
 * any answer.
 */

export interface Page {
  readonly contentType: string;
  readonly body: Buffer;
}

const HTML = "text/html; charset=utf-8";
const STYLE = `<meta name="viewport" content="width=device-width, initial-scale=1"><style>body{display:flex;align-items:center;justify-content:center;min-height:100vh;font-family:sans-serif}.box{max-width:560px;text-align:center}</style>`;

function pageOf(title: string, content: string, head = STYLE): Page {
  const text = `<!doctype html>\n<html lang="ru"><head><meta charset="utf-8"><title>${title}</title>${head}</head>\n<body>${content}</body></html>\n`;
  return { contentType: HTML, body: Buffer.from(text) };
}

const SHELL = `<script type="module" src="/assets/index-4f2c1d.js"></script><link rel="stylesheet" href="/assets/index-9b1e.css">`;

/** All equally likely. */
export const WORKS_PAGES: readonly Page[] = [
  pageOf(
    "Технические работы",
    `<h1>Извините!</h1><p>Запрос не&nbsp;может быть выполнен, потому что на&nbsp;сервере идут технические работы.</p>`,
  ),
  pageOf(
    "Технические работы на сайте",
    `<table align="center" cellpadding="20"><tr><td>Сайт закрыт на время обновления.<br>Зайдите через час.</td></tr></table>`,
  ),
  pageOf(
    "Технические работы",
    `<div class="box"><h1>Технические работы</h1><p>Мы обновляем систему. Пожалуйста, зайдите через 15 минут.</p></div>`,
    `<script src="https://cdn.tailwindcss.com"></script>`,
  ),
  pageOf(
    "Личный кабинет",
    `<div class="box"><h1>На сайте проводятся технические работы</h1><p>Попробуйте зайти позже. Телефон: <a href="tel:88005550000">8 800 555-00-00</a></p></div>`,
  ),
  pageOf(
    "Сервис временно недоступен",
    `<h1>Сервис временно недоступен</h1><p>Приносим извинения за доставленные неудобства.</p>`,
  ),
  pageOf(
    "Официальный портал",
    `<div class="title">Уважаемые клиенты!</div><p>В целях повышения качества онлайн-сервисов проводятся <b>технические работы</b>. Приносим извинения.</p>`,
  ),
  pageOf(
    "Банк для бизнеса",
    `<div class="box"><h2>Мы становимся лучше</h2><p>Обновляем сервис и скоро вернёмся с новыми возможностями.</p></div>`,
  ),
  pageOf(
    "Site Under Maintenance | Cloud",
    `<div class="box"><h1>We are improving</h1><p>Please check back in an hour.</p></div>`,
  ),
  pageOf(
    "Site Maintenance",
    `<article><h1>We&rsquo;ll be back soon!</h1><p>Sorry for the inconvenience but we&rsquo;re performing some maintenance at the moment.</p><p>&mdash; The Team</p></article>`,
  ),
  pageOf(
    "Maintenance",
    `<h1>Down for maintenance</h1><p>Our engineers are at work. Follow <a href="https://status.example/">our status page</a>.</p>`,
  ),
  pageOf("Маркетплейс", `<div id="root"></div>`, SHELL),
  pageOf("Магазин", `<img src="/stub/works.png" alt="" width="1200" height="800">`),
  {
    contentType: "text/html; charset=windows-1251",
    body: windows1251(
      `<html><head><title>Профилактика</title></head><body><center><h2>Уважаемые пользователи!</h2>На сервере проводятся профилактические работы. Ожидайте.</center></body></html>`,
    ),
  },
  {
    contentType: HTML,
    body: Buffer.from("На сайте проводятся профилактические работы. Ожидайте."),
  },
  pageOf(
    "Госуслуги",
    `<main><h1>Ведутся плановые работы</h1><p>Портал будет доступен 23 ноября в 06:00 по московскому времени.</p></main>`,
  ),
  pageOf(
    "Технические работы",
    `<h3>На сервере ведутся технические работы.<br>Планируемое время завершения работ: 18:00</h3>До обновления страницы осталось <span id="timer">60</span> секунд.<script src="/engine/timer.js"></script>`,
  ),
  pageOf(
    "Brand",
    `<img id="logo" src="/logo.svg" alt="Brand" style="display: none;"><h1>System Upgrade in Progress</h1><p>We're currently performing scheduled maintenance</p>`,
  ),
  pageOf(
    "БЛИЦ — технические работы",
    `<p>Совсем скоро всё заработает. Новости — в <a href="https://t.me/example">нашем канале</a>.</p>`,
  ),
];

const NEWS = Array.from(
  { length: 40 },
  (_, day) =>
    `<li><a href="/news/${day}">Новость ${day}: открыты новые отделения и пункты выдачи по всей стране</a></li>`,
).join("");

/** All healthy, and equally likely. */
export const NOTICE_PAGES: readonly Page[] = [
  pageOf(
    "Банк: карты, кредиты, вклады",
    `<div class="banner">25 ноября с 02:00 до 06:00 проводятся технические работы</div><ul>${NEWS}</ul>`,
  ),
  pageOf(
    "Онлайн-кинотеатр",
    `<div id="root"></div><div id="fallback" style="display:none"><h1>Сервис временно недоступен</h1><p>Ведутся технические работы</p></div>`,
    SHELL,
  ),
  pageOf(
    "Почта",
    `<noscript>Сервис временно недоступен без JavaScript</noscript><div id="app"></div>`,
    SHELL,
  ),
  pageOf(
    "Вход в личный кабинет",
    `<p class="notice">Ведутся технические работы, возможны перебои.</p><form method="post"><input name="login"><input name="password" type="password"><button>Войти</button></form>`,
  ),
  pageOf(
    "Оператор связи",
    `<h1>Добро пожаловать</h1><p>В ночь на 25 ноября будут проводиться технические работы.</p><a href="/lk">Личный кабинет</a>`,
  ),
  pageOf("Новости", `<h1>Новости</h1><h2>Технические работы в отделениях</h2><ul>${NEWS}</ul>`),
  pageOf(
    "Игровой сервер",
    `<h1>Технические работы завершены</h1><p>Спасибо за терпение! <a href="/play">Играть</a></p>`,
  ),
  pageOf(
    "API",
    `<h1>API</h1><p>GET /v1/status returns 503 while the platform is in maintenance mode.</p>`,
  ),
  pageOf(
    "Метро",
    `<h1>Схема линий</h1><p>На двух станциях ведутся ремонтные работы, поезда ходят по расписанию.</p><a href="/map">Открыть схему</a>`,
  ),
];

/** Russian letters and ASCII. */
function windows1251(text: string): Buffer {
  const byteOf = (letter: string): number => {
    const code = letter.codePointAt(0) ?? 0;
    return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code;
  };
  return Buffer.from(Array.from(text, byteOf));
}
