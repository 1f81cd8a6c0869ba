import { inLanguages, type Language } from "../../contract/codes/language.ts";
import { raw } from "hono/utils/html";
import { type Color, COLOR_OF, VERDICT_CODES } from "../../contract/codes/verdict.ts";
import type { Html } from "../html.ts";
import { FRAME_WORDS } from "../words/pages/frame.ts";
import { badgeHtml, badgeMarkdown } from "../words/badge-snippet.ts";
import { MONITOR_WORDS } from "../words/pages/monitor-page.ts";
import { OWNER_PAGE_WORDS } from "../words/pages/owner-pages.ts";
import { OWNER_PROBLEM_WORDS } from "../words/owner-problem.ts";
import {
  COLOR_WORDS,
  VERDICT_EXPLANATIONS,
  VERDICT_LABELS,
} from "../../contract/codes/verdict-words.ts";
import { LightRow, renderProse } from "./parts/prose.tsx";
import { OVERALL_BADGE_ID, serviceBadgeId } from "../pictures.ts";
import { fileOf, pathOf, urlOf } from "./parts/links.ts";
import type { LanguageProps, PageProps } from "./parts/elements.tsx";
import { apiExamples } from "./examples.ts";
import type { FrameProps } from "./parts/head.tsx";

const API_WORDS = inLanguages({
  slug: ["Короткое имя сервиса", "Short name of a service"],
  send: ["Показать ответ", "Show the response"],
  hint: [
    "Запрос уйдёт прямо из вашего браузера; без имени придёт весь список.",
    "Your browser sends the request; without a name you get the whole list.",
  ],
  answer: ["Ответ", "Response"],
  badge: ["Значок всего сайта", "Badge of the whole site"],
  serviceBadge: ["Статус сервиса", "Status of the service"],
});

/** A service of the shipped catalogue, in the previews. */
const EXAMPLE_SLUG = "sberbank";

const COLORS: readonly Color[] = ["ok", "warn", "bad", "none"];

/** The API for people: requests, fields, codes, limits, examples. Sources of its text: docs/api.md, docs/monitors/badges.md, docs/website.md. */
export function renderApi(frame: FrameProps): string {
  const { address, language } = frame;
  const words = API_WORDS[language];
  const preview = (id: string, alt: string): Html => (
    <img src={fileOf(address, `/${id}.svg`)} alt={alt} height="20" />
  );
  const baseUrl = address.origin + address.root;
  const { estimate, siteName } = FRAME_WORDS[language];
  const colorWords = COLOR_WORDS[language];
  const linkOf = (badge: string, path: string, alternative: string) => {
    return { badge: `${baseUrl}/${badge}.svg`, page: urlOf(address, language, path), alternative };
  };
  const badge = linkOf("api/m/ID/badge", "/m/ID", MONITOR_WORDS[language].badgeAlt);
  const values = {
    baseUrl,
    estimate,
    "rows:codes": <CodeRows language={language} />,
    "rows:colors": (
      <>
        {COLORS.map((color) => (
          <LightRow color={color} name={<code>{color}</code>} cells={[colorWords[color]]} />
        ))}
      </>
    ),
    ...apiExamples(baseUrl),
    "block:try": <TryIt {...frame} />,
    "preview:badge": preview(OVERALL_BADGE_ID, words.badge),
    "preview:service-badge": preview(serviceBadgeId(EXAMPLE_SLUG), words.serviceBadge),
    "block:owners": <OwnerProblems {...frame} />,
    "block:widget": <WidgetPreview {...frame} />,
    "example:overall-badge": badgeHtml(linkOf(OVERALL_BADGE_ID, "/", siteName)),
    "example:service-badge": badgeHtml(
      linkOf(serviceBadgeId("SLUG"), "/status/SLUG", words.serviceBadge),
    ),
    "example:badge-html": badgeHtml(badge),
    "example:badge-markdown": badgeMarkdown(badge),
    "example:widget": `<script src="${baseUrl}/embed.js" async></script>\n${widget(language)}`,
    "example:link": `<a href="${urlOf(address, language, "/")}">${siteName}</a>`,
  };
  return renderProse({ name: "api", ...frame, values, hasWords: true });
}

function widget(language: Language): string {
  return `<status-snapshot slugs="${EXAMPLE_SLUG},vtb" lang="${language}"></status-snapshot>`;
}

/** A request from the page itself. The script shows it. */
function TryIt({ address, language }: PageProps): Html {
  const words = API_WORDS[language];
  return (
    <form class="try" action={fileOf(address, "/api/v1/status")} hidden>
      <label for="try-slug">{words.slug}</label>
      <input id="try-slug" name="slug" value={EXAMPLE_SLUG} autocomplete="off" spellcheck={false} />
      <button type="submit">{words.send}</button>
      <p class="hint">{words.hint}</p>
      <pre role="group" aria-label={words.answer} tabindex={0}>
        <code id="try-answer"></code>
      </pre>
    </form>
  );
}

/** What the operations of owners refuse; their problem documents link here. */
function OwnerProblems({ address, language }: PageProps): Html {
  if (!address.isSelfService) return <></>;
  const { newTitle } = OWNER_PAGE_WORDS[language];
  return (
    <section>
      <h2 id="owners">{newTitle}</h2>
      <p>
        <a href={pathOf(address, language, "/monitor/new")}>{newTitle}</a>
      </p>
      <dl>
        {Object.entries(OWNER_PROBLEM_WORDS[language]).map(([code, meaning]) => (
          <>
            <dt id={`problem-${code}`}>
              <code>{code}</code>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

/** The widget as the example has it. */
function WidgetPreview({ address, language }: PageProps): Html {
  return (
    <div class="preview">
      <script src={fileOf(address, "/embed.js")} async></script>
      {raw(widget(language))}
    </div>
  );
}

function CodeRows({ language }: LanguageProps): Html {
  const labels = VERDICT_LABELS[language];
  const explanations = VERDICT_EXPLANATIONS[language];
  return (
    <>
      {VERDICT_CODES.map((code) => (
        <LightRow
          color={COLOR_OF[code]}
          name={<code>{code}</code>}
          cells={[<code>{COLOR_OF[code]}</code>, labels[code], explanations[code]]}
        />
      ))}
    </>
  );
}
