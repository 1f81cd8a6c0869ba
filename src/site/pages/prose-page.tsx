import { type Html, renderPage } from "../html.ts";
import type { Assets } from "./head.tsx";
import { Layout } from "./layout.tsx";
import { Paragraphs, type Place } from "./prose.tsx";

interface ProseWords {
  readonly title: string;
  readonly description: string;
  readonly intro: readonly string[];
}

interface ProsePage extends Place {
  /** Without the language: `/about`. */
  readonly path: string;
  readonly words: ProseWords;
  readonly assets: Assets;
}

/** A page to be read from its beginning to its end, of which the script has nothing to do. */
export function renderProse({ path, words, assets, ...place }: ProsePage, body: Html): string {
  return renderPage(
    <Layout
      {...place}
      path={path}
      page="static"
      title={words.title}
      description={words.description}
      assets={assets}
    >
      <article class="prose">
        <h1>{words.title}</h1>
        <Paragraphs texts={words.intro} {...place} />
        {body}
      </article>
    </Layout>,
  );
}
