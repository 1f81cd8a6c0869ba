import type { Annotation } from "../../model/catalogue.ts";
import type { Html } from "../html.ts";
import type { Language } from "../language.ts";
import { ANNOTATION_WORDS } from "../words/annotation.ts";
import { SERVICE_WORDS } from "../words/service-page.ts";
import { formatDay } from "../words/time.ts";
import { Card } from "./card.tsx";
import type { ServiceProps } from "./service.tsx";

/** What the catalogue says of a service, with date and source; nothing at all when it says nothing. */
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

/** Reason and source stand in English in the catalogue, the reason mostly in Russian as well. */
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
        {words.source}:{" "}
        {isWebAddress(source) ? (
          <a href={source} rel="noopener noreferrer nofollow">
            {source}
          </a>
        ) : (
          <span lang="en">{source}</span>
        )}
      </p>
    </li>
  );
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

/** A source may be the address of a page, or what one would look for. */
function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/iu.test(text);
}
