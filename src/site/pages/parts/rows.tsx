import type { Html } from "../../html.ts";
import type { ServiceView } from "../../view.ts";
import { kindsOf, reportsPhrase } from "../../words/chart.ts";
import { INDEX_WORDS } from "../../words/pages/index-page.ts";
import { SCOPE_MARKS } from "../../words/scope.ts";
import { situationOf } from "../../situation.ts";
import { composeAnswer } from "../../answer.ts";
import { VERDICTS } from "../../../contract/codes/verdict.ts";
import { VERDICT_LABELS } from "../../../contract/codes/verdict-words.ts";
import { StripLine } from "../../charts/strip.tsx";
import { pathOf } from "./links.ts";
import { type ServiceProps, type ViewProps, Age, Light, Live, Moment } from "./elements.tsx";
import { nameService } from "../../words/catalogue.ts";

interface GroupProps extends ViewProps {
  /** CSS class: a situation, or `k3` for the fourth category, by which the style sheet filters. */
  readonly kind: string;
  readonly title: string;
  readonly hint?: string;
  /** What a row adds: since when and how many reports, or also what the last day was like. */
  readonly details?: "facts" | "facts and strip";
  readonly services: readonly ServiceView[];
}

/** Services under a heading; nothing if there are none. */
export function Group(props: GroupProps): Html {
  const { kind, title, hint, details, services, language } = props;
  if (services.length === 0) return <></>;
  const above = details === undefined ? services.filter(isAbove).length : 0;
  return (
    <section class={`group ${kind}`} aria-labelledby={`group-${kind}`}>
      <h2 id={`group-${kind}`}>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <ul class="rows">
        {services.map((service) => (
          <Row {...props} service={service} isAbove={details === undefined && isAbove(service)}>
            {details === undefined ? <></> : <Facts {...props} service={service} />}
            {details === "facts and strip" ? (
              <StripLine cells={kindsOf(service.halfHours)} />
            ) : (
              <></>
            )}
          </Row>
        ))}
      </ul>
      {above > 0 ? <p class="hint rest">{INDEX_WORDS[language].above(above)}</p> : <></>}
    </section>
  );
}

/** Whether a service has a row among the problems. */
function isAbove({ verdict }: ServiceView): boolean {
  const situation = situationOf(verdict);
  return situation !== "ok" && situation !== "none";
}

function Row({
  view,
  language,
  service,
  isAbove: isRepeated,
  children,
}: ServiceProps & { readonly isAbove: boolean; readonly children: readonly Html[] }): Html {
  const { slug, verdict, category } = service;
  const { code, color, live } = verdict;
  const place = view.categories.findIndex(({ id }) => id === category.id);
  return (
    <li
      class={`row k${place}${isRepeated ? " above" : ""}`}
      data-slug={slug}
      data-code={code}
      data-color={color}
      data-live={String(live)}
      data-category={category.id}
      data-search={searchOf(service)}
    >
      <a href={pathOf(view.address, language, `/status/${slug}`)}>
        <Light />
        <span class="name">{nameService(service, language)}</span>{" "}
        <span class="state">
          <span class="label">{VERDICT_LABELS[language][code]}</span>{" "}
          <Live isLive={live}>{INDEX_WORDS[language].live}</Live>
        </span>
        {children}
      </a>
    </li>
  );
}

/** Since when, and how many reports. */
function Facts({ view, language, service }: ServiceProps): Html {
  const { verdict, reports } = service;
  const { code, sinceMs } = verdict;
  const { scope } = service.scope;
  // A verdict with a cause of its own has no sentence about other places, and so no mark.
  const isMarked = composeAnswer(service).elsewhere !== undefined;
  const mark =
    isMarked && (scope === "russia" || scope === "everywhere" || scope === "network")
      ? SCOPE_MARKS[language][scope]
      : undefined;
  return (
    <>
      {" "}
      <span class="facts-line">
        {sinceMs !== null && VERDICTS[code].hasStart && (
          <span class="dated">
            {INDEX_WORDS[language].since}{" "}
            <Moment atMs={sinceMs} language={language} address={view.address} />
            <Age />
          </span>
        )}{" "}
        {mark !== undefined && <span class="tag">{mark}</span>}{" "}
        {reports.hour > 0 && (
          <span>
            {reportsPhrase(reports.hour, language)} {INDEX_WORDS[language].inHour}
          </span>
        )}
      </span>
    </>
  );
}

/** The names that the search knows, for `browser/search.ts`. */
function searchOf({ name, nameEn, slug, aliases }: ServiceView): string {
  const names = [name, nameEn, slug, ...aliases].filter((one) => one !== undefined);
  return [...new Set(names.map((one) => one.toLowerCase().replaceAll("|", " ")))].join("|");
}
