import type {
  MonitorView,
  ServicePageView,
  ServiceView,
  SiteAddress,
  SiteView,
} from "../../view.ts";
import type { Language } from "../../../contract/codes/language.ts";
import type { Html } from "../../html.ts";
import { OPERATOR_NAMES } from "../../../contract/codes/operator.ts";
import { OPERATOR_WORDS } from "../../words/operators.ts";
import { FRAME_WORDS } from "../../words/pages/frame.ts";
import { fileOf } from "./links.ts";
import { toIsoSeconds } from "../../../model/time.ts";
import { formatMoment, MOSCOW } from "../../words/time.ts";
import { CONNECTIVITY_WORDS, SLOW_NETWORK_WORDS, WHITE_LIST_WORDS } from "../../words/scope.ts";
import { nameService } from "../../words/catalogue.ts";

export interface LanguageProps {
  readonly language: Language;
}

/** Props of parts with links. */
export interface PageProps extends LanguageProps {
  readonly address: SiteAddress;
}

export interface ViewProps extends PageProps {
  readonly view: SiteView;
}

export interface ServiceProps extends PageProps {
  readonly view: ServicePageView;
  readonly service: ServiceView;
}

export interface MonitorProps extends PageProps {
  readonly monitor: MonitorView;
}

/** A part that is not shown is false. */
export type Children = Html | false | readonly Children[];

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly hint?: string | undefined;
  readonly children: Children;
}

/** A section of a page with a heading and, below it, a hint. */
export function Card({ id, title, hint, children }: CardProps): Html {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {children}
    </section>
  );
}

/**
 * A status light, next to its label. It takes colour and shape (a disc with a check mark, a triangle, a square with a cross, a
 * ring) from the nearest ancestor with `data-color` or `data-light`, so a script changes it with one attribute.
 */
export function Light(): Html {
  return <i class="light" aria-hidden="true"></i>;
}

/** The mark of a current outage or spike. Always in the page, so that the script can show it. */
export function Live(props: LanguageProps & { readonly isLive: boolean }): Html {
  return (
    <span class="live" hidden={!props.isLive}>
      {FRAME_WORDS[props.language].live}
    </span>
  );
}

interface ChipProps {
  readonly name: string;
  readonly id: string;
  readonly value: string;
  readonly isChecked: boolean;
  readonly children: string;
}

/** A radio button. */
export function Chip({ name, id, value, isChecked, children }: ChipProps): Html {
  return (
    <label class="chip">
      <input
        type="radio"
        name={name}
        id={id}
        value={value}
        checked={isChecked}
        autocomplete="off"
      />
      <span>{children}</span>
    </label>
  );
}

interface LinkItemProps {
  readonly href: string;
  readonly children: Children | string | readonly (string | false)[];
}

/** An item of a list that is a link. */
export function LinkItem({ href, children }: LinkItemProps): Html {
  return (
    <li>
      <a href={href}>{children}</a>
    </li>
  );
}

/** The head of a table with a title for each column. */
export function HeadRow({ titles }: { readonly titles: readonly string[] }): Html {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th scope="col">{title}</th>
        ))}
      </tr>
    </thead>
  );
}

/** How long ago the moment before it was, which the script writes. */
export function Age(): Html {
  return <span class="age"></span>;
}

interface MomentProps extends PageProps {
  readonly atMs: number;
  readonly class?: string;
}

/** A time in Moscow time, which the script gives in the visitor's. */
export function Moment({ atMs, language, address, class: className }: MomentProps): Html {
  return (
    <time class={className} datetime={toIsoSeconds(atMs)}>
      {formatMoment(atMs, language, address.year)} {MOSCOW[language]}
    </time>
  );
}

/** Time of the last run, as a picture, because it changes with every run and pages do not. */
export function LastChecked({ address, language }: PageProps): Html {
  return (
    <img
      class="checked"
      src={fileOf(address, `/checked.svg#${language}`)}
      alt={FRAME_WORDS[language].checked}
      width="300"
      height="20"
    />
  );
}

const OPERATOR_SOURCES = [
  ["DB-IP", "https://db-ip.com"],
  ["RouteViews", "https://www.routeviews.org"],
] as const;

/** Whose data tell to which operator a network belongs. */
export function OperatorSource({
  language,
  hint = "",
}: LanguageProps & { readonly hint?: string }): Html {
  return (
    <>
      <p class="key-line">
        {hint} {OPERATOR_WORDS[language].source}:
      </p>
      <ul class="links">
        {OPERATOR_SOURCES.map(([name, url]) => (
          <li>
            <a href={url} rel="noopener noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * What affects the checks, of one service or all: an issue of the runner's own network, mobile networks with a white list, operators
 * that seem to fail, and networks of which services are slow together; nothing without them.
 */
export function ConnectivityNotes({
  view: { connectivityIssue, whiteLists, slowNetworks, failingOperators },
  service,
  language,
}: Pick<ServiceProps, "view" | "language"> & Partial<ServiceProps>): Html {
  const slow = slowNetworks.filter(
    ({ services }) => service === undefined || services.some(({ slug }) => slug === service.slug),
  );
  const notes = [
    ...(connectivityIssue === null ? [] : [CONNECTIVITY_WORDS[language][connectivityIssue]]),
    ...(whiteLists.length === 0 ? [] : [WHITE_LIST_WORDS[language](whiteLists.join("; "))]),
    ...failingOperators.map(({ operator, services }) =>
      OPERATOR_WORDS[language].fails(OPERATOR_NAMES[language][operator], services),
    ),
    ...slow.map(({ network, services }) =>
      SLOW_NETWORK_WORDS[language](
        network,
        services.map((one) => nameService(one, language)),
      ),
    ),
  ];
  return (
    <>
      {notes.map((note) => (
        <p class="way-note">{note}</p>
      ))}
      {failingOperators.length > 0 && <OperatorSource language={language} />}
    </>
  );
}
