import type { Annotation } from "../../../model/service/catalogue.ts";
import type { Html } from "../../html.ts";
import type { Language } from "../../words/language.ts";
import { ANNOTATION_WORDS } from "../../words/annotation.ts";
import { SERVICE_WORDS } from "../../words/pages/service-page.ts";
import { formatDay } from "../../words/time.ts";
import { Card } from "./card.tsx";
import type { ServiceProps } from "./page-props.ts";

/** The annotations of a service, each with its date and source; nothing if there are none. */
export function Annotations({ service, language }: ServiceProps): Html {
  const words = SERVICE_WORDS[language];
  if (service.annotations.length === 0) return <></>;
  return (
    <Card id="annotations" title={words.annotations} hint={words.annotationsHint}>
      <ul class="annotations">
        {service.annotations.map((annotation) => (
          <Statement annotation={annotation} language={language} />
        ))}
      </ul>
    </Card>
  );
}

interface StatementProps {
  readonly annotation: Annotation;
  readonly language: Language;
}

/** The catalogue has each reason in English, and mostly in Russian as well. */
function Statement({ annotation, language }: StatementProps): Html {
  const { kind, since, source } = annotation;
  const reason = reasonIn(annotation, language);
  const words = SERVICE_WORDS[language];
  return (
    <li>
      <p>
        <strong>{ANNOTATION_WORDS[language][kind]}</strong>
      </p>
      <p>
        {words.annotatedSince} <time datetime={since}>{formatDay(since, language)}</time>
      </p>
      <p lang={reason.language}>{reason.text}</p>
      <p class="hint">
        {source === undefined ? (
          words.unconfirmed
        ) : (
          <>
            {words.source}:{" "}
            <a href={source.url} rel="noopener noreferrer nofollow" lang={languageOf(source.title)}>
              {source.title}
            </a>{" "}
            (
            <a href={archiveOf(source.url)} rel="noopener noreferrer nofollow">
              {words.archive}
            </a>
            )
          </>
        )}
      </p>
    </li>
  );
}

/** Pages vanish: the archive leads to the newest copy that it has of one, or says that it has none. */
function archiveOf(url: string): string {
  return `https://web.archive.org/web/${url}`;
}

/** Titles are in the language of their page. */
function languageOf(title: string): Language {
  return /\p{Script=Cyrillic}/u.test(title) ? "ru" : "en";
}

interface Reason {
  readonly text: string;
  /** That of the text, which is not always that of the page. */
  readonly language: Language;
}

function reasonIn({ reason, reasonRu }: Annotation, language: Language): Reason {
  return language === "ru" && reasonRu !== undefined
    ? { text: reasonRu, language: "ru" }
    : { text: reason, language: "en" };
}
