import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import type { Language } from "../../src/site/view.ts";
import { VERDICT_LABELS } from "../../src/site/words/verdict.ts";
import type { Detail } from "../cli/stage.ts";
import { read } from "./site-visits.ts";

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

/** Visitors of a browser, and everything that their pages complained about. */
export interface Visitors {
  readonly complaints: readonly string[];
  /** Opens pages, some at once. */
  openAll<T>(
    paths: readonly string[],
    options: BrowserContextOptions,
    look: (page: Page, path: string) => Promise<T>,
  ): Promise<readonly T[]>;
}

/** Pages that are loaded at the same time. */
const AT_ONCE = 3;

export function receive(browser: Browser, url: string): Visitors {
  const complaints: string[] = [];
  return {
    complaints,
    async openAll(paths, options, look) {
      const context = await browser.newContext({ locale: "ru-RU", ...options });
      const left = paths.map((path, at) => ({ path, at }));
      const results: { readonly at: number; readonly value: Awaited<ReturnType<typeof look>> }[] =
        [];
      const walk = async (): Promise<void> => {
        const page = await context.newPage();
        const complain = (text: string): void => void complaints.push(`${page.url()}: ${text}`);
        page.on("console", (message) => complain(message.text()));
        page.on("pageerror", (error) => complain(error.message));
        page.on("dialog", (dialog) => complain(dialog.message()));
        page.on("requestfailed", (request) => {
          // What was still on its way when the visitor went on is nobody's fault.
          const { errorText = "" } = request.failure() ?? {};
          if (errorText !== "net::ERR_ABORTED") complain(`${request.url()} ${errorText}`);
        });
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          await page.goto(url + next.path);
          results.push({ at: next.at, value: await look(page, next.path) });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, walk));
      await context.close();
      return results.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
    },
  };
}

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
