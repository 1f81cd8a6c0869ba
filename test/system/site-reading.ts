import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Language } from "../../src/site/language.ts";
import { VERDICT_LABELS } from "../../src/site/words/verdict.ts";
import type { Detail } from "../cli/stage.ts";
import { read } from "./site-visitors.ts";

/** What a page shows of one service, as a visitor sees it. */
export interface Shown {
  readonly slug: string;
  readonly name: string;
  readonly code: string;
  readonly color: string;
  readonly live: string;
  readonly label: string;
  readonly isMarked: boolean;
  /** Of a time element, whole Unix seconds; null: there is none. */
  readonly since: number | null;
  readonly sinceText: string | null;
  readonly light: Light;
  /** On the page of the service alone. */
  readonly hour?: string;
  readonly day?: string;
}

/** What the eye tells lights apart by. */
export interface Light {
  readonly shape: string;
  readonly paint: string;
}

/** A page that was opened: what is on it, and where it leads. */
export interface Opened {
  readonly path: string;
  readonly title: string;
  readonly language: string;
  readonly services: readonly Shown[];
  /** Addresses of everything that it refers to, absolute. */
  readonly links: readonly string[];
  /** Fragments that it leads to and does not have. */
  readonly lost: readonly string[];
  readonly picture: string | null;
}

const READ_PAGE = `{
  path: location.pathname,
  title: document.title,
  language: document.documentElement.lang,
  services: [...document.querySelectorAll("[data-slug]")].map((element) => {
    const { slug, code, color, live } = element.dataset;
    const text = (selector) => element.querySelector(selector)?.textContent;
    const time = element.querySelector(element.matches("article") ? "time.since" : "time");
    const mark = element.querySelector(".live");
    const style = getComputedStyle(element.querySelector(".light"));
    return {
      slug, code, color, live,
      name: text("h1, .name"),
      label: text(".label"),
      isMarked: mark.checkVisibility() && mark.textContent.trim() !== "",
      since: time === null ? null : Date.parse(time.dateTime) / 1000,
      sinceText: time?.textContent ?? null,
      light: { shape: style.clipPath, paint: style.backgroundColor },
      hour: text(".reports-hour"),
      day: text(".reports-day"),
    };
  }),
  links: [...new Set([...document.querySelectorAll("[href], [src]")].map((element) =>
    element.href ?? element.src).map((url) => url.split("#")[0]))],
  lost: [...document.querySelectorAll("a[href*='#']")].map(({ hash, pathname }) =>
    pathname === location.pathname ? hash.slice(1) : "").filter((id) => id !== "" && !document.getElementById(id)),
  picture: document.querySelector("meta[property='og:image']")?.content ?? null,
}`;

export const readPage = (page: Page): Promise<Opened> => read(page, READ_PAGE);

const LOCALES: Readonly<Record<Language, string>> = { ru: "ru-RU", en: "en-GB" };

/** The moment as people in Moscow write it, by the calendar of Node and not by ours. */
export function writeMoment(seconds: number, language: Language): string {
  const at = new Date(seconds * 1_000);
  const zone = { timeZone: "Europe/Moscow" } as const;
  const day = at.toLocaleDateString(LOCALES[language], { ...zone, day: "numeric", month: "long" });
  const time = at.toLocaleTimeString("en-GB", { ...zone, hour: "2-digit", minute: "2-digit" });
  return `${day}, ${time}`;
}

/** Fails unless what is shown of a service is what the API says of it. */
export function expectEqual(shown: Shown, detail: Detail, language: Language): void {
  const { slug, name, color, code, live } = detail;
  const labels: Readonly<Record<string, string>> = VERDICT_LABELS[language];
  expect(shown).toMatchObject({ slug, name, color, code, live: String(live), isMarked: live });
  expect(shown.label).toBe(labels[code]);
}
