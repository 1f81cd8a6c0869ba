import { raw } from "hono/utils/html";
import type { Html } from "../../html.ts";
import { type Language, LANGUAGES, otherLanguage } from "../../../contract/codes/language.ts";
import type { SiteAddress } from "../../view.ts";
import { FRAME_WORDS } from "../../words/pages/frame.ts";
import type { PageProps } from "./elements.tsx";
import { fileOf, fileUrlOf, urlOf } from "./links.ts";

/** Versions of the files that pages refer to: digests of their bytes. */
export interface Assets {
  readonly css: string;
  readonly script: string;
  readonly ownerScript: string;
  /** The script of «Следить за сервисом». */
  readonly followScript: string;
}

/** What a page has besides its content. */
export interface FrameProps extends PageProps {
  readonly assets: Assets;
}

export interface HeadProps extends FrameProps {
  /** Without the language: `/`, `/status/vtb`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Path of the picture for shared links, from the root of the site: `/card/vtb.ok.png`. */
  readonly image?: string;
  readonly feed?: string;
  /** Name of the service that the page is about. */
  readonly about?: string;
  /** What search engines learn beyond the fields that every page has; its `@type` replaces that of a page. */
  readonly structured?: Readonly<Record<string, unknown>> | undefined;
  /** The page for unknown paths: search engines must not index it, and it has no URL of its own. */
  readonly isNotFound?: boolean;
  readonly isUnindexed?: boolean;
  /** A page whose address may have a key in its fragment: no other page learns where its visitor came from. */
  readonly isForOwners?: boolean;
  readonly hasPush?: boolean;
}

/** Nothing from other sites, nothing inline. Source: https://www.w3.org/TR/CSP3/; the fronts send the same as a header. */
function policyOf({ reportUrl }: SiteAddress): string {
  // Reports may go to an intake elsewhere.
  const own = reportUrl ? `'self' ${new URL(reportUrl).origin}` : "'self'";
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ${own}; form-action ${own}; manifest-src 'self'; base-uri 'none'`;
}

const LOCALES: Readonly<Record<Language, string>> = { ru: "ru_RU", en: "en_GB" };

/** Metadata for browsers, search engines and messengers. */
export function Head(props: HeadProps): Html {
  const { address, language, assets, title, feed } = props;
  const file = (path: string): string => fileOf(address, path);
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta http-equiv="Content-Security-Policy" content={policyOf(address)} />
      <title>{title}</title>
      <meta name="description" content={props.description} />
      <link rel="stylesheet" href={file(`/site.css?v=${assets.css}`)} />
      <script src={file(`/site.js?v=${assets.script}`)} defer></script>
      {props.isForOwners === true && (
        <>
          <meta name="referrer" content="no-referrer" />
          <script src={file(`/owners.js?v=${assets.ownerScript}`)} defer></script>
        </>
      )}
      {props.hasPush === true && (
        <script src={file(`/follow.js?v=${assets.followScript}`)} defer></script>
      )}
      {(props.isNotFound === true || props.isUnindexed === true) && (
        <meta name="robots" content="noindex" />
      )}
      {props.isNotFound !== true && <Metadata {...props} />}
      <meta name="theme-color" content="#faf9f6" media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content="#15171a" media="(prefers-color-scheme: dark)" />
      <link rel="icon" href={file("/favicon.svg")} type="image/svg+xml" />
      <link rel="icon" href={file("/icon-192.png")} type="image/png" sizes="192x192" />
      <link rel="apple-touch-icon" href={file("/icon-192.png")} />
      <link rel="manifest" href={file("/manifest.webmanifest")} />
      {props.isNotFound !== true && <StructuredData {...props} />}
      {feed !== undefined && (
        <link
          rel="alternate"
          type="application/atom+xml"
          title={`${title}: ${FRAME_WORDS[language].feed}`}
          href={feed}
        />
      )}
    </head>
  );
}

/** The page for search engines, if there is more to say than its `Metadata`. Not executed, so the policy above allows it. Source: https://schema.org/WebPage, WebSite. */
function StructuredData(props: HeadProps): Html {
  const { address, language, path, title, description, about, structured } = props;
  if (path !== "/" && about === undefined && structured === undefined) return <></>;
  const data = {
    "@context": "https://schema.org",
    "@type": path === "/" ? "WebSite" : "WebPage",
    name: title,
    description,
    url: urlOf(address, language, path),
    inLanguage: language,
    ...(about !== undefined && { about: { "@type": "Service", name: about } }),
    ...(path === "/" && {
      potentialAction: {
        "@type": "SearchAction",
        target: `${urlOf(address, language, "/")}?q={search_term_string}`,
        "query-input": "required name=search_term_string",
      },
    }),
    ...structured,
  };
  // No text may end the element, or be an entity of it.
  const json = JSON.stringify(data).replace(
    /[<>&\u2028\u2029\p{Surrogate}\p{Cc}\uFFFE\uFFFF]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return <script type="application/ld+json">{raw(json)}</script>;
}

/** URLs of the page in both languages, and the preview of links to it. */
function Metadata({ address, language, path, title, description, image }: HeadProps): Html {
  const url = urlOf(address, language, path);
  return (
    <>
      <link rel="canonical" href={url} />
      {LANGUAGES.map((each) => (
        <link rel="alternate" hreflang={each} href={urlOf(address, each, path)} />
      ))}
      <link rel="alternate" hreflang="x-default" href={urlOf(address, "ru", path)} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={FRAME_WORDS[language].siteName} />
      <meta property="og:locale" content={LOCALES[language]} />
      <meta property="og:locale:alternate" content={LOCALES[otherLanguage(language)]} />
      <meta property="og:url" content={url} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {image !== undefined && (
        <>
          <meta property="og:image" content={fileUrlOf(address, image)} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta property="og:image:alt" content={title} />
        </>
      )}
      <meta name="twitter:card" content={image === undefined ? "summary" : "summary_large_image"} />
    </>
  );
}
