/**
 * The script of the website. Every page reads without it: it keeps what is shown up to date, searches, copies, and sends reports.
 * Source: docs/website.md, In the browser.
 */
import { FRESH_MS, MINUTE_MS } from "../model/time.ts";
import type { ScriptWords } from "../site/words/script.ts";
import { formatMachine, formatMoment } from "./moment.ts";
import { ask, PATIENCE_MS, pace, poll, POLL_MS, serverTimeOf } from "./polling.ts";
import { say } from "./say.ts";
import { findRows } from "./search.ts";

/** An object of the API, before anything is known of its fields. */
type Fields = Readonly<Record<string, unknown>>;

/** What the API says of a service. `since` and the counts are those of its detail. */
interface Entry extends Fields {
  readonly slug: string;
  readonly code: string;
  readonly color: string;
  readonly live: boolean;
}

/** Charts end with the present, so a page that stays open is drawn anew now and then, whether or not a verdict changes. */
const REDRAW_MS = 30 * MINUTE_MS;
/** For so long after a report, caches may answer with the counts from before it. */
const OWN_REPORT_MS = 2 * POLL_MS;
const COPIED_MS = 2_000;
/** What each period of reports is called in the API. */
const PERIODS = Object.entries({ hour: "reportsHour", day: "reportsDay" });

const { body } = document;
const language = document.documentElement.lang === "en" ? "en" : "ru";
const { page, root = "", words: wordsText } = body.dataset;
const words: Partial<ScriptWords> = JSON.parse(wordsText ?? "{}");
const search = document.querySelector<HTMLInputElement>("#search");

let entries = new Map<string | undefined, Entry>();
let updated = 0;
/** What the server's clock said when this page began, ms. The visitor's own may say anything. */
let serverStartMs = NaN;
let failures = 0;
/** Whether more than single words is not as it should be. */
let isOutdated = false;
let drawnAtMs = 0;
let reported: Fields = {};
let reportedAtMs = -Infinity;

const all = (selector: string, scope: ParentNode = document): HTMLElement[] => [
  ...scope.querySelectorAll<HTMLElement>(selector),
];

/** The word for a code or colour, if that is one. */
const wordOf = (
  known: Readonly<Record<string, unknown>> = {},
  key: unknown,
): string | undefined => {
  // What every object inherits, such as `constructor`, is no word.
  const word = typeof key === "string" ? known[key] : undefined;
  return typeof word === "string" ? word : undefined;
};

const isEntry = (value: Partial<Entry> | null): value is Entry =>
  typeof value?.slug === "string" &&
  typeof value.live === "boolean" &&
  wordOf(words.codes, value.code) !== undefined &&
  wordOf(words.colors, value.color) !== undefined;

/** Unix seconds, or how many. */
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 1e11;

/** A text of ours with a moment in it. */
const dated = (text: string | undefined, seconds: number): string =>
  text?.replace("{time}", formatMoment(seconds, language)) ?? "";

const showTime = (time: HTMLTimeElement, seconds: number, text = "{time}"): void => {
  time.dateTime = formatMachine(seconds);
  say(time, dated(text, seconds));
};

const showReports = (element: HTMLElement, counts: Fields): void => {
  const own = performance.now() - reportedAtMs < OWN_REPORT_MS ? reported : counts;
  for (const [period, name] of PERIODS) {
    if (!isCount(counts[name])) continue;
    const shown = String(Math.max(...[counts[name], own[name]].filter(isCount)));
    element.dataset[period] = shown;
    say(element.querySelector(`.reports-${period}`), shown);
  }
};

const showEntry = (element: HTMLElement): void => {
  const { dataset } = element;
  const entry = entries.get(dataset["slug"]);
  if (!entry) return;
  const { code, color, live, since } = entry;
  const before = [dataset["code"], dataset["live"], dataset["since"]].join();
  Object.assign(dataset, { code, color, live }, isCount(since) && { since });
  // Other words may belong around these now, and another place.
  isOutdated ||= before !== [code, live, dataset["since"]].join();
  say(element.querySelector(".label"), wordOf(words.codes, code));
  for (const mark of all(".live", element)) mark.hidden = !live;
  const time = element.querySelector<HTMLTimeElement>("time.since");
  if (time && isCount(since)) showTime(time, since);
  showReports(element, entry);
};

/** Brings the page, or one that is going to take its place, up to what is known. */
const show = (scope: ParentNode): void => {
  for (const element of all("[data-slug]", scope)) showEntry(element);
  for (const old of updated > 0 ? all(".checked", scope) : []) {
    const time = document.createElement("time");
    time.className = "checked";
    showTime(time, updated, words.updated);
    old.replaceWith(time);
  }
  for (const tool of all(".copy, search", scope)) tool.hidden = false;
};

const notify = (): void => {
  const isStale = updated > 0 && serverStartMs + performance.now() - updated * 1e3 > FRESH_MS;
  const notice = all("#notice")[0];
  body.classList.toggle("stale", isStale);
  // One of them at a time: what the visitor can mend goes first.
  const text = failures > 1 ? words.offline : isStale ? dated(words.stale, updated) : "";
  if (notice) notice.hidden = text === "";
  say(notice, text);
};

const load = async (url: string): Promise<Response> => {
  const response = await ask(url);
  const nowMs = serverTimeOf(response);
  if (nowMs) serverStartMs = nowMs - performance.now();
  return response;
};

/** What stands for an element, at the same kind of place, in another version of the page. */
const twinOf = (element: Element, scope: ParentNode): HTMLElement | undefined =>
  all(element.localName, scope).find(
    (other) =>
      other.parentElement?.className === element.parentElement?.className &&
      ["id", "href", "data-copy"].every(
        (name) => other.getAttribute(name) === element.getAttribute(name),
      ),
  );

/** Whether a version of the page says what the API says. */
const isTrue = ({ dataset: { slug, code, color, live } }: HTMLElement): boolean => {
  const entry = entries.get(slug);
  return entry?.code === code && entry?.color === color && String(entry?.live) === live;
};

/** Puts the main part of a new version of the page in place of the old one, unless somebody is busy with that. */
const redraw = async (): Promise<void> => {
  const text = await (await load(location.pathname)).text();
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const [main, next] = [document, fresh].map((each) => each.querySelector("main"));
  // What is on the way to the site may answer with a page of its own.
  if (!main || !next || fresh.body.dataset["page"] !== page) return;
  if (!all("[data-slug]", next).every(isTrue)) return;
  const { activeElement } = document;
  const focus = main.contains(activeElement) ? activeElement : null;
  const focusTwin = focus && twinOf(focus, next);
  if (focus && (focus.closest("form, textarea") || !focusTwin)) return;
  const selection = getSelection();
  if (selection?.isCollapsed === false && main.contains(selection.anchorNode)) return;
  isOutdated = false;
  show(next);
  const form = all(".report", main)[0];
  if (form) all(".report", next)[0]?.replaceWith(form);
  main.replaceChildren(...next.childNodes);
  focusTwin?.focus({ preventScroll: true });
  document.title = fresh.title;
  drawnAtMs = performance.now();
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
  // Nothing in the API tells what a monitor's page shows.
  isOutdated ||= page === "monitor" && updated > 0 && at !== updated;
  updated = at;
  entries = new Map([...services, detail].filter(isEntry).map((entry) => [entry.slug, entry]));
  show(document);
  filter();
};

const refresh = pace(async () => {
  await update().then(
    () => (failures = 0),
    () => (failures += 1),
  );
  notify();
  const isOld = performance.now() - drawnAtMs > REDRAW_MS;
  if (failures === 0 && (isOutdated || isOld)) await redraw().catch(() => undefined);
});

const isShown = (element: HTMLElement): boolean => element.getClientRects().length > 0;

const filter = (): void => {
  if (!search) return;
  const rows = all(".row");
  const found = findRows(rows, search.value);
  const groups = all("main section").filter((section) => section.querySelector(".row"));
  for (const group of groups) group.hidden = false;
  for (const row of rows) row.hidden = !found.includes(row);
  // The filters of the style sheet hide rows, too.
  for (const group of groups) group.hidden = !all(".row", group).some(isShown);
  const count = rows.filter(isShown).length;
  const text = count > 0 ? words.found?.replace("{count}", String(count)) : words.nothing;
  say(all("#found")[0], count < rows.length ? text : "");
};

const report = async (form: HTMLFormElement): Promise<string | undefined> => {
  const symptom = new FormData(form).get("symptom") ?? undefined;
  const response = await fetch(form.action, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ symptom }),
    signal: AbortSignal.timeout?.(PATIENCE_MS),
  });
  if (response.status === 429) return words.tooMany;
  if (response.status !== 202) return words.failed;
  // Accepted is accepted, whatever else is said.
  reported = (await response.json().catch(() => null)) ?? {};
  reportedAtMs = performance.now();
  for (const element of all("article[data-slug]")) showReports(element, reported);
  return words.thanks;
};

const copy = async (button: HTMLElement): Promise<void> => {
  const field = document.querySelector<HTMLTextAreaElement>(`#${button.dataset["copy"]}`);
  const before = button.textContent ?? "";
  try {
    await navigator.clipboard.writeText(field?.value ?? "");
    say(button, words.copied);
    if (before !== words.copied) setTimeout(() => say(button, before), COPIED_MS);
  } catch {
    // Where a page may not copy, a key does.
    field?.focus();
    field?.select();
  }
};

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches(".report")) return;
  event.preventDefault();
  const answer = (text?: string): void => say(all("#reported")[0], text);
  answer();
  void report(form).then(answer, () => answer(words.failed));
});
document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element && target.closest<HTMLElement>(".copy");
  if (button) void copy(button);
});
document.addEventListener("change", filter);
search?.addEventListener("input", filter);
search?.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  search.value = "";
  filter();
});

show(document);
filter();
if (wordsText !== undefined) {
  poll(refresh);
  refresh();
}
