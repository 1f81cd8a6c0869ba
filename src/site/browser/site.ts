/** Refreshes the shown data, searches, copies and sends reports. Pages work without it. Source: docs/website.md, In the browser. */
import { FRESH_MS, MINUTE_MS, toIsoSeconds } from "../../model/time.ts";
import type { ScriptWords } from "../words/pages/script.ts";
import { describeLength } from "../words/numbers.ts";
import { formatMoment, isInMoscow } from "./format-time.ts";
import { listenToStrips } from "./strip-reader.ts";
import { fetchFresh, type Fields, poll, POLL_MS, serverTimeOf, throttle } from "./polling.ts";
import {
  listenToBadgeForms,
  listenToCopying,
  listenToReports,
  listenToTrying,
} from "./controls.ts";
import { all, create, setText } from "./elements.ts";
import { listenToSearch } from "./search-box.ts";

/** A service in the API. `since` and the counts are only in its detail document. */
interface Entry extends Fields {
  readonly slug: string;
  readonly code: string;
  readonly color: string;
  readonly live: boolean;
}

/** Charts end with the present, so an open page is redrawn at this interval even if no verdict changes. */
const REDRAW_MS = 30 * MINUTE_MS;
/** For this long after a report, caches may return counts from before it. */
const OWN_REPORT_MS = 2 * POLL_MS;
/** Periods of reports, with their fields in the API. */
const PERIODS = Object.entries({ hour: "reportsHour", day: "reportsDay" });

const { body } = document;
const language = document.documentElement.lang === "en" ? "en" : "ru";
const { page, root = "", words: wordsText } = body.dataset;
const words: Partial<ScriptWords> = JSON.parse(wordsText ?? "{}");

const filter = listenToSearch(words);

let entries = new Map<string | undefined, Entry>();
let updated = 0;
/** The run whose time the page has as a picture in the visitor's zone: a text in its place would be painted late for nothing. */
let pictured = 0;
/** Server time at which `performance.now()` was 0, ms. The visitor's own clock may be wrong. */
let serverStartMs = NaN;
let failures = 0;
/** Whether the page needs more than new texts in the existing elements. */
let isOutdated = false;
let redrawnAtMs = 0;
/** Title and heading of the page as published. */
let title = document.title;
let heading = all("h1")[0]?.textContent ?? "";
let reported: Fields = {};
let reportedAtMs = -Infinity;

/** The word for a code or colour; undefined for an unknown one. */
const wordOf = (
  known: Readonly<Record<string, unknown>> = {},
  key: unknown,
): string | undefined => {
  // An inherited property, such as `constructor`, is not a word.
  const word = typeof key === "string" ? known[key] : undefined;
  return typeof word === "string" ? word : undefined;
};

const isEntry = (value: Partial<Entry> | null): value is Entry =>
  typeof value?.slug === "string" &&
  typeof value.live === "boolean" &&
  wordOf(words.codes, value.code) !== undefined &&
  wordOf(words.colors, value.color) !== undefined;

/** Unix seconds, or a count. */
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 1e11;

/** Time of the server, ms; NaN until it is known. */
const now = (): number => serverStartMs + performance.now();

const isStale = (): boolean => updated > 0 && now() - updated * 1e3 > FRESH_MS;

/** Whether nothing was checked yet: `updated` is then the time of an attempt. Of fresh data some service has a verdict. */
const isUnchecked = (): boolean =>
  "unchecked" in body.dataset ||
  (!isStale() && entries.size > 0 && [...entries.values()].every(({ code }) => code === "none"));

/** What is shown of a service: nothing is known of one whose data is old. */
const entryOf = (slug: string | undefined): Entry | undefined => {
  const entry = entries.get(slug);
  return entry && isStale() ? { ...entry, code: "none", color: "none", live: false } : entry;
};

/**
 * Gives a time in the zone of the visitor, and how long ago it was where the page has a place for that. A day without an hour is the
 * same day everywhere, so it stays as it was published.
 */
const showTime = (time: HTMLTimeElement): void => {
  if (!time.dateTime.includes("T")) return;
  const atMs = Date.parse(time.dateTime);
  setText(time, formatMoment(atMs, now() || Date.now(), language));
  const age = time.nextElementSibling;
  const ms = now() - atMs;
  if (age?.matches(".age")) setText(age, ms > 0 ? `(${describeLength(ms, language, 1)})` : "");
};

const setTime = (time: HTMLTimeElement, seconds: number): void => {
  time.dateTime = toIsoSeconds(seconds * 1e3);
  showTime(time);
};

const showReports = (element: HTMLElement, counts: Fields): void => {
  const own = performance.now() - reportedAtMs < OWN_REPORT_MS ? reported : counts;
  for (const [period, name] of PERIODS) {
    if (!isCount(counts[name])) continue;
    const shown = String(Math.max(...[counts[name], own[name]].filter(isCount)));
    element.dataset[period] = shown;
    setText(element.querySelector(`.reports-${period}`), shown);
  }
};

const showEntry = (element: HTMLElement): void => {
  const { dataset } = element;
  const entry = entryOf(dataset["slug"]);
  if (!entry) return;
  const { code, color, live, since } = entry;
  const before = [dataset["code"], dataset["live"], dataset["since"]].join();
  Object.assign(dataset, { code, color, live }, isCount(since) && { since });
  // The texts around it, and its position, may have to change as well.
  isOutdated ||= before !== [code, live, dataset["since"]].join();
  setText(element.querySelector(".label"), wordOf(words.codes, code));
  for (const mark of all(".live", element)) mark.hidden = !live;
  const time = element.querySelector<HTMLTimeElement>("time.since");
  if (time && isCount(since)) setTime(time, since);
  showReports(element, entry);
};

/** The visitor's operator; "unknown" if the front cannot tell it. One request a page. */
let operator: Promise<string> | undefined;

/** Puts the line of the visitor's own operator first. Source: docs/publish/fronts.md, "The operator of a reader". */
const showOwnOperator = async (table: HTMLElement): Promise<void> => {
  operator ??= fetchFresh(`${root}/operator.txt`).then(
    (response) => response.text(),
    () => "unknown",
  );
  const own = await operator;
  const row = all("[data-operator]", table).find(({ dataset }) => dataset["operator"] === own);
  if (!row || row.matches(".own")) return;
  row.querySelector("th")?.append(" ", create("small", {}, table.dataset["own"] ?? ""));
  row.classList.add("own");
  row.hidden = false;
  row.parentElement?.prepend(row);
};

/** Updates the page, or its replacement, with the loaded data. */
const show = (scope: ParentNode): void => {
  for (const element of all("[data-slug]", scope)) showEntry(element);
  for (const old of updated > 0 && !isUnchecked() ? all(".checked", scope) : []) {
    const time = create("time", { className: "checked" });
    setTime(time, updated);
    if (scope === document && updated === pictured) old.setAttribute("alt", time.textContent);
    else old.replaceWith(time);
  }
  for (const time of all("time", scope)) if (time instanceof HTMLTimeElement) showTime(time);
  for (const tool of all(".copy, search, .reader, .try, .forms", scope)) tool.hidden = false;
  for (const table of all("table.operators", scope)) void showOwnOperator(table);
};

const notify = (): void => {
  const isOld = isStale();
  const { classList } = body;
  classList.toggle("stale", isOld);
  classList.toggle("fresh", updated > 0 && !isOld);
  // Answers and advice are those of the page, and may belong to another verdict.
  classList.toggle("half", isOutdated || isOld);
  const none = wordOf(words.codes, "none");
  const [label] = all("article .label");
  if (isOld) setText(label, none);
  // What was found at the last check says nothing about now; a fresh page replaces it.
  for (const row of isOld ? all(".evidence li, .places tr") : []) row.dataset["light"] = "none";
  if (page === "index") setText(all("h1")[0], isOld ? none : heading);
  const current = page === "index" ? isOld && none : `${heading}: ${label?.textContent ?? ""}`;
  document.title = (isOld || isOutdated) && current ? current : title;
  const notice = all("#notice")[0];
  // One notice at a time: the one that the visitor can fix takes precedence.
  const checked = formatMoment(updated * 1e3, now() || Date.now(), language);
  const stale = isOld && !isUnchecked() ? words.stale?.replace("{time}", checked) : "";
  const text = failures > 1 ? words.offline : stale;
  if (notice) notice.hidden = !text;
  setText(notice, text);
};

const load = async (url: string): Promise<Response> => {
  const response = await fetchFresh(url);
  const nowMs = serverTimeOf(response);
  if (nowMs) serverStartMs = nowMs - performance.now();
  return response;
};

/** The element of another version of the page that corresponds to this one. */
const counterpartOf = (element: Element, scope: ParentNode): HTMLElement | undefined =>
  all(element.localName, scope).find(
    (other) =>
      other.parentElement?.className === element.parentElement?.className &&
      ["id", "href", "data-copy"].every(
        (name) => other.getAttribute(name) === element.getAttribute(name),
      ),
  );

/** Whether an element of a page agrees with the API. */
const isCurrent = ({ dataset: { slug, code, color, live } }: HTMLElement): boolean => {
  const entry = entries.get(slug);
  return entry?.code === code && entry?.color === color && String(entry?.live) === live;
};

/** Replaces the main part with that of a new version of the page, unless the visitor is using it. */
const redraw = async (): Promise<void> => {
  const text = await (await load(location.pathname)).text();
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const [main, next] = [document, fresh].map((each) => each.querySelector("main"));
  // A proxy may respond with a page of its own.
  if (!main || !next || fresh.body.dataset["page"] !== page) return;
  if (!all("[data-slug]", next).every(isCurrent)) return;
  const { activeElement } = document;
  const focus = main.contains(activeElement) ? activeElement : null;
  const focusTarget = focus && counterpartOf(focus, next);
  if (focus && (focus.closest("form, textarea, .reader, .forms") || !focusTarget)) return;
  const selection = getSelection();
  if (selection?.isCollapsed === false && main.contains(selection.anchorNode)) return;
  isOutdated = false;
  show(next);
  const form = all(".report", main)[0];
  if (form) all(".report", next)[0]?.replaceWith(form);
  main.replaceChildren(...next.childNodes);
  if (!("unchecked" in fresh.body.dataset)) delete body.dataset["unchecked"];
  focusTarget?.focus({ preventScroll: true });
  title = fresh.title;
  heading = all("h1")[0]?.textContent ?? "";
  redrawnAtMs = performance.now();
  filter();
};

const update = async (): Promise<void> => {
  const urls = [
    "/api/v1/status",
    ...all("article[data-slug]").map(({ dataset }) => `/api/v1/status/${dataset["slug"]}`),
  ];
  const [list, detail]: readonly (Fields | null)[] = await Promise.all(
    urls.map(async (url) => await (await load(root + url)).json()),
  );
  const { updated: at, services } = list ?? {};
  if (!isCount(at) || !Array.isArray(services)) throw new TypeError(urls[0]);
  // The API does not have the data of a monitor's page.
  isOutdated ||= page === "monitor" && updated > 0 && at !== updated;
  updated = at;
  pictured ||= isInMoscow(at * 1e3) ? at : -1;
  entries = new Map([...services, detail].filter(isEntry).map((entry) => [entry.slug, entry]));
  show(document);
  filter();
};

const refresh = throttle(async () => {
  await update().then(
    () => (failures = 0),
    () => (failures += 1),
  );
  notify();
  const isDue = isOutdated || performance.now() - redrawnAtMs > REDRAW_MS;
  if (failures > 0 || isStale() || !isDue) return;
  await redraw().catch(() => undefined);
  notify();
});

listenToCopying(words);
listenToTrying();
listenToBadgeForms();
listenToStrips(language, () => updated * 1e3);
listenToReports(words, (counts) => {
  reported = counts;
  reportedAtMs = performance.now();
  for (const element of all("article[data-slug]")) showReports(element, reported);
});
show(document);
filter();
if (wordsText !== undefined && page !== "static") {
  poll(refresh);
  refresh();
}
