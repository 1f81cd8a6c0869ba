import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Language } from "../../src/contract/codes/language.ts";
import { VERDICT_LABELS } from "../../src/contract/codes/verdict-words.ts";
import type { Detail } from "../cli/workspace.ts";
import { readShippedCatalogue } from "../simulated-internet/shipped-catalogue.ts";
import { read } from "./site-visitors.ts";

/** The content about one service, as a visitor sees it. */
export interface Shown {
  readonly slug: string;
  readonly name: string;
  readonly code: string;
  readonly color: string;
  readonly live: string;
  readonly label: string;
  readonly isMarked: boolean;
  /** Of a time element, in whole Unix seconds; null if there is none. */
  readonly since: number | null;
  readonly sinceText: string | null;
  readonly light: Light;
  /** Only on the page of the service. */
  readonly hour?: string;
  readonly day?: string;
}

/** The visible properties of a light. */
export interface Light {
  readonly shape: string;
  readonly paint: string;
}

/** The content and links of an opened page. */
export interface Opened {
  readonly path: string;
  readonly title: string;
  readonly language: string;
  readonly services: readonly Shown[];
  /** Absolute addresses of everything that it refers to. */
  readonly links: readonly string[];
  /** Fragments that it links to and does not contain. */
  readonly lost: readonly string[];
  readonly picture: string | null;
}

const READ_PAGE = `{
  path: location.pathname,
  title: document.title,
  language: document.documentElement.lang,
  services: [...new Set([...document.querySelectorAll("[data-slug]")].filter((element) => element.checkVisibility()).map((element) => {
    const { slug, code, color, live } = element.dataset;
    const text = (selector) => element.querySelector(selector)?.textContent;
    const time = element.querySelector(element.matches("article") ? "time.since" : "time");
    const mark = element.querySelector(".live");
    const style = getComputedStyle(element.querySelector(".light"));
    return JSON.stringify({
      slug, code, color, live,
      name: text("h1, .name"),
      label: text(".label"),
      isMarked: mark.checkVisibility() && mark.textContent.trim() !== "",
      since: time === null ? null : Date.parse(time.dateTime) / 1000,
      sinceText: time?.textContent ?? null,
      light: { shape: style.clipPath, paint: style.backgroundColor },
      hour: text(".reports-hour"),
      day: text(".reports-day"),
    });
  }))].map((text) => JSON.parse(text)),
  links: [...new Set([...document.querySelectorAll("[href], [src]")].map((element) =>
    element.href ?? element.src).map((url) => url.split("#")[0]))],
  lost: [...document.querySelectorAll("a[href*='#']")].map(({ hash, pathname }) =>
    pathname === location.pathname ? hash.slice(1) : "").filter((id) => id !== "" && !document.getElementById(id)),
  picture: document.querySelector("meta[property='og:image']")?.content ?? null,
}`;

export const readPage = (page: Page): Promise<Opened> => read(page, READ_PAGE);

const LOCALES: Readonly<Record<Language, string>> = { ru: "ru-RU", en: "en-GB" };

/** A moment as written in Moscow, by Node's calendar instead of ours. */
export function writeMoment(seconds: number, language: Language): string {
  const at = new Date(seconds * 1_000);
  const zone = { timeZone: "Europe/Moscow" } as const;
  const day = at.toLocaleDateString(LOCALES[language], { ...zone, day: "numeric", month: "long" });
  const time = at.toLocaleTimeString("en-GB", { ...zone, hour: "2-digit", minute: "2-digit" });
  return `${day}, ${time} ${{ ru: "МСК", en: "MSK" }[language]}`;
}

const SHIPPED = await readShippedCatalogue();
const ENGLISH_NAMES = new Map(SHIPPED.services.map(({ slug, nameEn }) => [slug, nameEn]));

/** The name of a service, which the API gives in Russian only. */
export function nameIn({ slug, name }: Detail, language: Language): string {
  return language === "en" ? (ENGLISH_NAMES.get(slug) ?? name) : name;
}

/** Fails unless the shown service equals the API. */
export function expectEqual(shown: Shown, detail: Detail, language: Language): void {
  const { slug, color, code, live } = detail;
  const name = nameIn(detail, language);
  const labels: Readonly<Record<string, string>> = VERDICT_LABELS[language];
  expect(shown).toMatchObject({ slug, name, color, code, live: String(live), isMarked: live });
  expect(shown.label).toBe(labels[code]);
}
