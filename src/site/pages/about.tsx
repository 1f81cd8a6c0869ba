import type { Html } from "../html.ts";
import type { Language } from "../language.ts";
import type { SiteAddress } from "../view.ts";
import { ABOUT_WORDS, type AboutSection, type AboutWords } from "../words/about.ts";
import { verdictRows } from "../words/verdict-rows.ts";
import type { Assets } from "./head.tsx";
import { List, Paragraphs, type Place, Section, Table } from "./prose.tsx";
import { renderProse } from "./prose-page.tsx";

/** The page on how services are measured, what that can say and what it cannot, and what becomes of reports. */
export function renderAbout(address: SiteAddress, language: Language, assets: Assets): string {
  const words = ABOUT_WORDS[language];
  const place = { address, language };
  return renderProse(
    { ...place, path: "/about", words, assets },
    <>
      {words.sections.map((section) => (
        <Part section={section} words={words} {...place} />
      ))}
    </>,
  );
}

interface PartProps extends Place {
  readonly section: AboutSection;
  readonly words: AboutWords;
}

function Part({ section, words, ...place }: PartProps): Html {
  const { id, title, before, items, after, hasVerdicts } = section;
  const verdicts = verdictRows(place.language);
  const rows = verdicts.map(({ label, explanation }) => [label, explanation]);
  return (
    <Section id={id} title={title}>
      <Paragraphs texts={before} {...place} />
      {items === undefined ? <></> : <List texts={items} {...place} />}
      {after === undefined ? <></> : <Paragraphs texts={after} {...place} />}
      {hasVerdicts === true ? (
        <Table
          {...words.verdicts}
          rows={rows}
          lights={verdicts.map(({ color }) => color)}
          {...place}
        />
      ) : (
        <></>
      )}
    </Section>
  );
}
