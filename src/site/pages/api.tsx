import type { Color } from "../../model/verdict.ts";
import type { Html } from "../html.ts";
import type { Language } from "../language.ts";
import type { SiteAddress } from "../view.ts";
import { API_WORDS, type ApiWords } from "../words/api.ts";
import { FRAME_WORDS } from "../words/ui.ts";
import { COLOR_WORDS } from "../words/verdict.ts";
import { verdictRows } from "../words/verdict-rows.ts";
import { urlOf } from "./address.ts";
import {
  badgeHtml,
  badgeMarkdown,
  DETAIL_EXAMPLE,
  embedExample,
  linkExample,
  LIST_EXAMPLE,
  pythonExample,
  scriptExample,
  shellExample,
  shieldsAddress,
} from "./examples.ts";
import type { Assets } from "./head.tsx";
import { Code, List, Paragraphs, type Place, Section, Table } from "./prose.tsx";
import { renderProse } from "./prose-page.tsx";

const COLORS: readonly Color[] = ["ok", "warn", "bad", "none"];

interface PartProps extends Place {
  readonly words: ApiWords;
  /** Address under which everything is, without a slash at its end. */
  readonly base: string;
}

/** The page of the API for people: what there is to ask, what the answers mean, how to ask. */
export function renderApi(address: SiteAddress, language: Language, assets: Assets): string {
  const words = API_WORDS[language];
  const part = { address, language, words, base: address.origin + address.root };
  return renderProse(
    { address, language, path: "/api", words, assets },
    <>
      <p>
        {words.base}: <code>{part.base}</code>
      </p>
      <Documents {...part} />
      <States {...part} />
      <Limits {...part} />
      <Examples {...part} />
      <Badges {...part} />
      <Embed {...part} />
      <Terms {...part} />
    </>,
  );
}

function Documents({ words, ...place }: PartProps): Html {
  const { operations, list, detail } = words;
  return (
    <>
      <Section id="requests" title={operations.title}>
        <Table {...operations.table} {...place} />
      </Section>
      <Section id="list" title={list.title}>
        <Table {...list.table} {...place} />
        <Table {...list.entries} {...place} />
        <Code label={list.example} code={LIST_EXAMPLE} />
      </Section>
      <Section id="service" title={detail.title}>
        <p>{detail.before}</p>
        <Table {...detail.table} {...place} />
        <Code label={detail.example} code={DETAIL_EXAMPLE} />
      </Section>
    </>
  );
}

function States({ words, language, address }: PartProps): Html {
  const { title, before, codes, colors } = words.states;
  const place = { address, language };
  const verdicts = verdictRows(language);
  return (
    <Section id="states" title={title}>
      <p>{before}</p>
      <Table
        {...codes}
        rows={verdicts.map((row) => [
          `\`${row.code}\``,
          `\`${row.color}\``,
          row.label,
          row.explanation,
        ])}
        lights={verdicts.map(({ color }) => color)}
        {...place}
      />
      <Table
        {...colors}
        rows={COLORS.map((color) => [`\`${color}\``, COLOR_WORDS[language][color]])}
        lights={COLORS}
        {...place}
      />
    </Section>
  );
}

function Limits({ words, ...place }: PartProps): Html {
  const { title, items, errors } = words.limits;
  return (
    <Section id="limits" title={title}>
      <List texts={items} {...place} />
      <Table {...errors} {...place} />
    </Section>
  );
}

function Examples({ words, base }: PartProps): Html {
  const { title, shell, script, python } = words.examples;
  return (
    <Section id="examples" title={title}>
      <Example title={shell} code={shellExample(base)} />
      <Example title={script} code={scriptExample(base)} />
      <Example title={python} code={pythonExample(base)} />
    </Section>
  );
}

interface ExampleProps {
  readonly title: string;
  readonly code: string;
}

function Example({ title, code }: ExampleProps): Html {
  return (
    <>
      <h3>{title}</h3>
      <Code label={title} code={code} />
    </>
  );
}

function Badges({ words, base, ...place }: PartProps): Html {
  const { title, before, table, html, markdown, shields, alternative } = words.badges;
  const page = urlOf(place.address, place.language, "/m/ID");
  const link = { badge: `${base}/api/m/ID/badge.svg`, page, alternative };
  return (
    <Section id="badges" title={title}>
      <Paragraphs texts={before} {...place} />
      <Table {...table} {...place} />
      <Example title={html} code={badgeHtml(link)} />
      <Example title={markdown} code={badgeMarkdown(link)} />
      <Example title={shields} code={shieldsAddress(base)} />
    </Section>
  );
}

function Embed({ words, base, ...place }: PartProps): Html {
  const { title, before, example, items } = words.embed;
  return (
    <Section id="embed" title={title}>
      <p>{before}</p>
      <Code label={example} code={embedExample(base, place.language)} />
      <List texts={items} {...place} />
    </Section>
  );
}

function Terms({ words, address, language }: PartProps): Html {
  const { feeds, terms } = words;
  const place = { address, language };
  return (
    <>
      <Section id="feeds" title={feeds.title}>
        <List texts={feeds.items} {...place} />
      </Section>
      <Section id="terms" title={terms.title}>
        <Paragraphs texts={[FRAME_WORDS[language].estimate, terms.request]} {...place} />
        <Code label={terms.example} code={linkExample(urlOf(address, language, "/"), terms.link)} />
      </Section>
    </>
  );
}
