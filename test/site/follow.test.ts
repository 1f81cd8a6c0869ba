import { describe, expect, test } from "vitest";
import type { SitePeople, SiteSettings } from "../../src/model/site-settings.ts";
import { buildManifest } from "../../src/site/site-files.ts";
import { renderAbout } from "../../src/site/pages/about.tsx";
import { renderService } from "../../src/site/pages/service.tsx";
import { FOLLOW_WORDS } from "../../src/site/words/pages/follow.ts";
import { LANGUAGES } from "../../src/contract/codes/language.ts";
import { byName, only, parsePage, textOf } from "./page.ts";
import { ADDRESS, ASSETS, serviceOf, SITE_FIXTURE, frameOf } from "./site-fixture.ts";

const KEY = `B${"a".repeat(86)}`;

/** «Следить за сервисом» of a bank, and the scripts of its page. */
function follow(settings: Partial<SiteSettings>, language: "ru" | "en" = "ru") {
  const address = { ...ADDRESS, root: "/s", ...settings };
  const view = { ...SITE_FIXTURE, address };
  const page = parsePage(
    renderService(frameOf(language, view.address), view, serviceOf("ok", { slug: "vtb" })),
  );
  const card = only(
    byName(page, "section").filter(
      ({ attributes }) => attributes.get("aria-labelledby") === "follow",
    ),
  );
  const links = byName(card, "a").map((link) => [textOf(link), link.attributes.get("href")]);
  const push = byName(card, "div").find(({ attributes }) => attributes.get("id") === "push");
  const scripts = byName(page, "script").map(({ attributes }) => attributes.get("src") ?? "");
  return { page, links: Object.fromEntries(links), push, scripts };
}

const withFollow = (people: SitePeople["follow"]): Partial<SiteSettings> =>
  people === undefined ? {} : { people: { follow: people } };

describe("without anything set up", () => {
  test("there are the feed, the data and the evidence, and nothing that leads nowhere", () => {
    const { links, push, scripts } = follow({});
    expect(links).toEqual({
      "Лента изменений (Atom)": "/s/feed/vtb.atom",
      "Данные в JSON": "/s/api/v1/status/vtb",
      "Доказательства в JSON": "/s/evidence/v1/vtb.json",
    });
    expect(push).toBeUndefined();
    expect(scripts.join()).not.toContain("follow.js");
  });
});

describe("channels", () => {
  const telegram = "https://t.me/all";
  test("of all services are on every page", () => {
    const { links } = follow(withFollow({ telegram, max: "https://max.ru/all" }));
    expect(links).toMatchObject({
      "Канал в Telegram": telegram,
      "Канал в MAX": "https://max.ru/all",
    });
  });

  test("of a category take the place of those of all services on its pages", () => {
    const own = { telegram, categories: { banks: { telegram: "https://t.me/banks" } } };
    expect(follow(withFollow(own)).links).toMatchObject({
      "Канал в Telegram: Банки и платежи": "https://t.me/banks",
    });
    const other = { telegram, categories: { games: { telegram: "https://t.me/games" } } };
    expect(follow(withFollow(other)).links).toMatchObject({ "Канал в Telegram": telegram });
    expect(follow(withFollow(other), "en").links).toMatchObject({ "Telegram channel": telegram });
  });

  test("alone give the page about us no section about people", () => {
    const address = { ...ADDRESS, ...withFollow({ telegram }) };
    const ids = byName(parsePage(renderAbout(frameOf("ru", address))), "section").map(
      ({ attributes }) => attributes.get("id"),
    );
    expect(ids).not.toContain("people");
  });
});

describe("the switch for notices", () => {
  test("is there with a notifier and an intake, hidden until the script shows it", () => {
    const { push, scripts } = follow({ pushKey: KEY });
    const attributes = Object.fromEntries(push?.attributes ?? []);
    expect(attributes).toMatchObject({
      "data-key": KEY,
      "data-api": "/s",
      "data-worker": "/s/push.js",
      "data-scope": "/s/status/",
      "data-service": "vtb",
    });
    expect(attributes).toHaveProperty("hidden");
    expect(JSON.parse(attributes["data-words"] ?? "")).toEqual({
      ...FOLLOW_WORDS.ru.script,
      unreachable: FOLLOW_WORDS.ru.unreachable([]),
    });
    expect(scripts).toContain(`/s/follow.js?v=${ASSETS.followScript}`);
    const elsewhere = follow({ pushKey: KEY, reportUrl: "https://reports.example.ru" });
    expect(elsewhere.push?.attributes.get("data-api")).toBe("https://reports.example.ru");
  });

  test("is no place where the script shows the verdict, which would differ from its own", () => {
    const { page } = follow({ pushKey: KEY });
    const shown = ["article", "div", "section", "tr", "li", "p"]
      .flatMap((name) => byName(page, name))
      .filter(({ attributes }) => attributes.has("data-slug"));
    expect(shown.map(({ name }) => name)).toEqual(["article"]);
  });

  test("is not there without an intake", () => {
    const { push, scripts } = follow({ pushKey: KEY, reportUrl: null });
    expect(push).toBeUndefined();
    expect(scripts.join()).not.toContain("follow.js");
  });

  test("needs a site that opens without the browser's bars on a phone of Apple", () => {
    const displayOf = (pushKey: string | null): unknown =>
      JSON.parse(buildManifest({ ...ADDRESS, pushKey })).display;
    expect([displayOf(null), displayOf(KEY)]).toEqual(["minimal-ui", "standalone"]);
  });
});

test("both languages have the same texts with the same places to fill", () => {
  const placesIn = (text: string) => text.match(/\{\w+\}/gu) ?? [];
  const [ru = [], en = []] = LANGUAGES.map((language) =>
    Object.entries(FOLLOW_WORDS[language].script).map(([name, text]) => [name, placesIn(text)]),
  );
  expect(en).toEqual(ru);
});
