/**
 * `<status-snapshot slugs="sberbank,vtb" lang="ru">`: the state of services on any page. It finds the status site by the address of
 * this script. Source: docs/website.md, In the browser.
 */
import { FRESH_MS, toIsoSeconds } from "../../model/time.ts";
import type { StatusSummary } from "../../contract/status.ts";
import { inLanguages, type Language } from "../../contract/codes/language.ts";
import { formatMoment } from "./format-time.ts";
import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";
import { fetchFresh, poll, serverTimeOf, throttle } from "./polling.ts";
import { create, setText } from "./elements.ts";

const WORDS = inLanguages({
  title: ["Статус сервисов", "Service status"],
  live: ["сейчас", "now"],
  waiting: ["Загружается…", "Loading…"],
  unknown: ["Такого сервиса в списке нет", "No such service in the list"],
  unavailable: ["Состояние неизвестно", "State unknown"],
  checked: ["проверено", "checked"],
  empty: [
    'Какие сервисы показать, скажет атрибут: slugs="sberbank,vtb".',
    'The attribute slugs="sberbank,vtb" says which services to show.',
  ],
  stale: ["Данные устарели.", "This data is out of date."],
  offline: ["Нет связи с сайтом.", "The site cannot be reached."],
});

const LIGHT =
  "--text:#1c1b19;--soft:#5c5a55;--line:#d9d6cf;--ground:#fff;--ok:#1a7f4b;--warn:#a05a00;--bad:#c42b2b;--none:#77746d";
const DARK =
  "--text:#ecebe7;--soft:#aaa79f;--line:#3a3d42;--ground:#1c1f23;--ok:#4cc38a;--warn:#f0b04d;--bad:#ff7b72;--none:#97948c";
const STYLES = `
:host{all:initial;display:block;${LIGHT}}
@media (prefers-color-scheme:dark){:host{${DARK}}}
:host([theme=light]){${LIGHT}}
:host([theme=dark]){${DARK}}
:host([hidden]){display:none}
section{box-sizing:border-box;padding:.75em 1em;border:1px solid var(--line);border-radius:.6em;background:var(--ground);color:var(--text);font:15px/1.4 system-ui,sans-serif;overflow-wrap:anywhere}
ul{margin:0;padding:0;list-style:none}
li{display:grid;grid-template-columns:1.25em 1fr;padding:.25em 0}
a{color:inherit;text-underline-offset:.15em;unicode-bidi:isolate}
a:focus-visible{outline:2px solid;outline-offset:2px}
b{font-weight:600}
i{width:.75em;height:.75em;margin-top:.33em;box-sizing:border-box;font-size:1em;border:2px solid var(--none);border-radius:50%;forced-color-adjust:none}
[data-color=ok] i{border:0;background:var(--ok)}
[data-color=warn] i{border:0;border-radius:0;background:var(--warn);clip-path:polygon(50% 0,100% 100%,0 100%)}
[data-color=bad] i{border:0;border-radius:1px;background:var(--bad)}
span{grid-column:2;color:var(--soft)}
em{font-style:normal;font-weight:600;color:var(--text)}
em:not(:empty)::before,time:not(:empty)::before,strong:not(:empty)::before{content:" · ";font-weight:400}
.stale i{filter:grayscale(1)}
p{margin:.5em 0 0;padding-top:.5em;border-top:1px solid var(--line);color:var(--soft);font-size:.87em}
[hidden]{display:none}
`;

const script =
  document.currentScript ?? document.querySelector<HTMLScriptElement>('script[src*="/embed.js"]');
const site = new URL(".", script instanceof HTMLScriptElement ? script.src : location.href);
// Not a style element: the CSP of the host page may forbid it, but does not apply to a constructed sheet.
const sheet = "adoptedStyleSheets" in document ? new CSSStyleSheet() : undefined;
sheet?.replaceSync(STYLES);

const widgets = new Set<StatusSnapshot>();
let entries: ReadonlyMap<string, StatusSummary> | undefined;
/** English names by slug, from the first load for a widget in English; the list has the Russian ones. */
let names: ReadonlyMap<string, unknown> | undefined;
let updated = 0;
let failures = 0;
/** Wall-clock time at which `performance.now()` was 0, ms. */
let startMs = 0;
/** When `updated` last changed, by `performance.now()`; and whether that was seen without a server time. */
let changedAtMs = 0;
let hasChanged = false;

const isSummary = (value: Partial<StatusSummary> | null): value is StatusSummary =>
  [value?.slug, value?.name, value?.code, value?.color].every((text) => typeof text === "string") &&
  typeof value?.live === "boolean" &&
  ["ok", "warn", "bad", "none"].includes(value.color ?? "") &&
  Object.hasOwn(VERDICT_LABELS.ru, value.code ?? "");

/** A visitor's clock may be wrong, so an observed change of `updated` overrides it. */
const isStale = (): boolean => {
  const nowMs = performance.now();
  const isOld = !hasChanged && startMs + nowMs - updated * 1e3 > FRESH_MS;
  return updated > 0 && (isOld || nowMs - changedAtMs > FRESH_MS);
};

const doNothing = (): void => {};

const loadNames = async (): Promise<void> => {
  if (names || ![...widgets].some(({ lang }) => lang === "en")) return;
  const response = await fetchFresh(new URL("names.json", site), { credentials: "omit" });
  names = new Map(Object.entries((await response.json())?.en ?? {}));
};

const load = async (): Promise<void> => {
  // Without them, names are Russian.
  const named = loadNames().catch(doNothing);
  const response = await fetchFresh(new URL("api/v1/status", site), { credentials: "omit" });
  const { updated: at, services } = (await response.json()) ?? {};
  const isTime = Number.isInteger(at) && at >= 0 && at < 1e11;
  if (!isTime || !Array.isArray(services)) throw new TypeError();
  // Our fronts expose these headers to other sites; a bare bucket may not.
  const servedMs = serverTimeOf(response);
  startMs = (servedMs || Date.now()) - performance.now();
  if (at !== updated) {
    hasChanged = updated > 0 && !servedMs;
    changedAtMs = performance.now();
    updated = at;
  }
  await named;
  entries = new Map(services.filter(isSummary).map((entry) => [entry.slug, entry]));
};

/** An element that is added soon after another shows the data already loaded. */
const refresh = throttle(async () => {
  try {
    await load();
    failures = 0;
  } catch {
    failures += 1;
  }
  for (const widget of widgets) widget.show();
});

class Row {
  readonly slug: string;
  readonly link = create("a");
  readonly label = create("span");
  readonly live = create("em");
  readonly item = create(
    "li",
    {},
    create("i"),
    this.link,
    create("span", {}, this.label, this.live),
  );

  constructor(slug: string) {
    this.slug = slug;
  }

  show(language: Language, pages: URL): void {
    const words = WORDS[language];
    const entry = entries?.get(this.slug);
    const missing = failures > 0 ? words.unavailable : words.waiting;
    this.item.dataset["color"] = entry?.color ?? "none";
    const english = language === "en" && names?.get(this.slug);
    const isEnglish = typeof english === "string";
    setText(this.link, isEnglish ? english : (entry?.name ?? this.slug));
    setText(
      this.label,
      entry ? VERDICT_LABELS[language][entry.code] : entries ? words.unknown : missing,
    );
    setText(this.live, entry?.live && !isStale() ? words.live : "");
    if (!entry) return this.link.removeAttribute("href");
    this.link.href = new URL(`status/${this.slug}`, pages).href;
    this.link.lang = isEnglish ? "en" : "ru";
  }
}

class StatusSnapshot extends HTMLElement {
  static readonly observedAttributes = ["slugs", "lang"];
  readonly #list = create("ul");
  readonly #home = create("a");
  readonly #time = create("time");
  readonly #note = create("strong");
  readonly #box = create(
    "section",
    {},
    this.#list,
    create("p", {}, this.#home, this.#time, this.#note),
  );
  #rows: readonly Row[] = [];

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: "open" });
    if (sheet) shadow.adoptedStyleSheets = [sheet];
    shadow.append(this.#box);
  }

  connectedCallback(): void {
    widgets.add(this);
    this.attributeChangedCallback();
    refresh();
  }

  disconnectedCallback(): void {
    widgets.delete(this);
  }

  attributeChangedCallback(name?: string): void {
    const slugs = new Set(this.getAttribute("slugs")?.match(/[^\s,]+/g));
    this.#rows = [...slugs].map((slug) => new Row(slug));
    this.#list.replaceChildren(...this.#rows.map(({ item }) => item));
    this.show();
    if (name === "lang") void loadNames().then(() => this.show(), doNothing);
  }

  /** Updates the existing nodes, so that a focused link keeps the focus. */
  show(): void {
    const language = this.lang === "en" ? "en" : "ru";
    const words = WORDS[language];
    const pages = new URL(language === "en" ? "en/" : ".", site);
    for (const row of this.#rows) row.show(language, pages);
    this.#box.lang = language;
    this.#box.ariaLabel = words.title;
    this.#box.classList.toggle("stale", isStale());
    this.#home.href = pages.href;
    setText(this.#home, site.host);
    const all = [...(entries?.values() ?? [])];
    // Of fresh data some service has a verdict: the time is that of an attempt.
    const isUnchecked = !isStale() && all.every(({ code }) => code === "none");
    if (updated > 0 && !isUnchecked) {
      this.#time.dateTime = toIsoSeconds(updated * 1e3);
      const checked = formatMoment(updated * 1e3, startMs + performance.now(), language);
      setText(this.#time, `${words.checked} ${checked}`);
    }
    if (this.#rows.length === 0) return setText(this.#note, words.empty);
    setText(this.#note, isStale() ? words.stale : failures > 1 ? words.offline : "");
  }
}

if (script && !customElements.get("status-snapshot")) {
  customElements.define("status-snapshot", StatusSnapshot);
  poll(() => {
    if (widgets.size > 0) refresh();
  });
}
