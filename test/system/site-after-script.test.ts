import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { drawLastChecked } from "../../src/site/site-files.ts";
import type { SiteView } from "../../src/site/view.ts";
import { type Language, LANGUAGES } from "../../src/contract/codes/language.ts";
import { yearOf } from "../../src/site/words/time.ts";
import { monitorOf } from "../site/monitor-fixture.ts";
import { NOW_MS, SITE_FIXTURE, frameOf } from "../site/site-fixture.ts";
import { renderAbout } from "../../src/site/pages/about.tsx";
import { renderAccuracy } from "../../src/site/pages/accuracy.tsx";
import { renderApi } from "../../src/site/pages/api.tsx";
import { renderData } from "../../src/site/pages/data.tsx";
import { receiveVisits } from "./site-visits.ts";
import { read } from "./site-visitors.ts";

/*
 * Pages as people read them: after the script. Each time, number and sentence is that of the published page, but for moments, which are
 * given in the zone of the visitor.
 */

const visits = receiveVisits();

const ZONES = ["Europe/Moscow", "Asia/Vladivostok", "America/New_York"] as const;

/** In Moscow. At each of them it is another day in New York or Vladivostok. */
const DATES = {
  "31 December": Date.UTC(2026, 11, 31, 20, 30),
  "1 January": Date.UTC(2026, 11, 31, 21, 30),
  "29 February": Date.UTC(2028, 1, 28, 22, 30),
};

const MONITOR = monitorOf();
const STATIC_PAGES = {
  about: ({ address }: SiteView, language: Language) => renderAbout(frameOf(language, address)),
  accuracy: (view: SiteView, language: Language) =>
    renderAccuracy(frameOf(language, view.address), view),
  data: (view: SiteView, language: Language) =>
    renderData(frameOf(language, view.address), view.archive),
  api: ({ address }: SiteView, language: Language) => renderApi(frameOf(language, address)),
};
const OTHER_PAGES = [...Object.keys(STATIC_PAGES).map((name) => `/${name}`), `/m/${MONITOR.id}`];

const fileOf = (language: Language, name: string): string =>
  language === "en" ? `en/${name}` : name;

/** In Moscow it is the new year, and in New York the last day of the old one. */
const isOther = (date: string, zone: string, language: Language): boolean =>
  date === "1 January" && zone === "America/New_York" && language === "ru";

/** The fixture as if it were published at another time. */
function viewAt(nowMs: number): SiteView {
  const shift = (value: unknown): unknown => {
    if (typeof value === "number" && value > NOW_MS / 2) return value + nowMs - NOW_MS;
    if (Array.isArray(value)) return value.map(shift);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shift(one)]));
  };
  const shifted = shift(SITE_FIXTURE) as SiteView;
  const [first] = shifted.services;
  // An outage of another year, and of today.
  const outage = { endedAtMs: null, code: "tcp-timeout", failing: 1, counted: 1 } as const;
  const outages = [5 * MINUTE_MS, 20 * HOUR_MS, 400 * DAY_MS].map((agoMs) => ({
    ...outage,
    sinceMs: nowMs - agoMs,
  }));
  const services = shifted.services.map((one) => (one === first ? { ...one, outages } : one));
  return { ...shifted, services, address: { ...shifted.address, year: yearOf(nowMs) } };
}

interface Reading {
  /** The text of the main part, with a mark in place of each time. */
  readonly text: string;
  readonly times: readonly { readonly machine: string; readonly text: string }[];
}

/** What is read in `main`, without what only the script shows. */
const readIn = (documentText: string): string => `(() => {
  const main = ${documentText}.querySelector("main").cloneNode(true);
  for (const one of main.querySelectorAll(".age, .checked, .copy, search, .reader, .try, .forms, script")) one.remove();
  const times = [...main.querySelectorAll("time")].map((time) => ({ machine: time.dateTime, text: time.textContent }));
  for (const time of main.querySelectorAll("time")) time.textContent = "<" + time.dateTime + ">";
  return { text: main.textContent.replace(/\\s+/g, " ").trim(), times };
})()`;

/** An oracle of its own: a moment as a visitor in a zone writes it. */
function write(machine: string, nowMs: number, zone: string, language: Language): string {
  const at = Date.parse(machine);
  const locale = language === "ru" ? "ru" : "en-GB";
  const partsOf = (ms: number) => {
    const format = new Intl.DateTimeFormat(locale, {
      timeZone: zone,
      day: "numeric",
      month: "long",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
    });
    return Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  };
  const [moment, today] = [partsOf(at), partsOf(nowMs)];
  const day = `${moment["day"]} ${moment["month"]}`;
  const isToday = `${today["day"]} ${today["month"]}` === day;
  const date =
    moment["year"] !== today["year"] ? `${day} ${moment["year"]}, ` : isToday ? "" : `${day}, `;
  const name = zone === "Europe/Moscow" ? (language === "ru" ? " МСК" : " MSK") : "";
  return `${date}${moment["hour"]}:${moment["minute"]}${name}`;
}

async function readPage(page: Page): Promise<{ published: Reading; shown: Reading }> {
  await expect
    .poll(() =>
      read(
        page,
        "document.body.classList.contains('fresh') || document.body.dataset.page === 'static'",
      ),
    )
    .toBe(true);
  const published = await page.evaluate<Reading>(
    `fetch(location.href).then((answer) => answer.text()).then((html) => {
      const published = new DOMParser().parseFromString(html, "text/html");
      return ${readIn("published")};
    })`,
  );
  return { published, shown: await page.evaluate<Reading>(readIn("document")) };
}

test.each(Object.entries(DATES))(
  "on %s, after the script, pages say what was published, in each zone and language",
  async (date, nowMs) => {
    await visits.reopen({ nowMs });
    const view = viewAt(nowMs);
    const updatedMs = nowMs - 2 * MINUTE_MS;
    await visits.harness.put("checked.svg", drawLastChecked(updatedMs));
    await visits.harness.publishDocuments(view, updatedMs);
    await visits.harness.publishPages(view, [MONITOR]);
    for (const language of LANGUAGES)
      for (const [name, render] of Object.entries(STATIC_PAGES))
        await visits.harness.put(fileOf(language, name), render(view, language));
    const slugs = view.services.map(({ slug }) => slug);
    for (const name of ["badge.svg", "badge/sberbank.svg"])
      await visits.harness.put(name, drawLastChecked(updatedMs));
    const paths = ["/", ...slugs.map((slug) => `/status/${slug}`), ...OTHER_PAGES];
    // All pages once, where year and day are others; those with the kinds of times on every date, in every zone and language.
    const few = ["/", `/status/${slugs[0]}`, "/status/restricted", "/status/fail"];
    let days = 0;
    for (const language of LANGUAGES)
      for (const zone of ZONES)
        for (const path of isOther(date, zone, language) ? paths : few) {
          const where = `${language === "en" ? "/en" : ""}${path}`;
          const page = await visits.visit(where, { timezoneId: zone }, nowMs);
          const { published, shown } = await readPage(page);
          expect({ where, zone, text: shown.text }).toEqual({ where, zone, text: published.text });
          for (const [index, { machine, text }] of shown.times.entries()) {
            const isDay = !machine.includes("T");
            days += isDay ? 1 : 0;
            const expected = isDay
              ? published.times[index]?.text
              : write(machine, nowMs, zone, language);
            expect({ where, zone, machine, text }).toEqual({
              where,
              zone,
              machine,
              text: expected,
            });
          }
          await page.close();
        }
    expect(days).toBeGreaterThan(0);
    expect(visits.complaints).toEqual([]);
  },
);
