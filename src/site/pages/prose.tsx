import type { Color } from "../../model/verdict.ts";
import type { Html } from "../html.ts";
import type { Language } from "../language.ts";
import type { SiteAddress } from "../view.ts";
import { fileOf, pathOf } from "./address.ts";
import { Light } from "./light.tsx";

/** Where a page is, and in which language. */
export interface Place {
  readonly address: SiteAddress;
  readonly language: Language;
}

interface TextProps extends Place {
  /** One of our own sentences: `code` between backticks, a link as `[words](…)` to `/page`, `file:/name`, `#place` or `https://…`. */
  readonly text: string;
}

const PARTS = /(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/u;

/** A sentence with its code and its links. */
export function Text({ text, ...place }: TextProps): Html {
  return (
    <>
      {text.split(PARTS).map((part, at) =>
        // Every second part is one that the pattern has found.
        at % 2 === 0 ? part : <Part text={part} {...place} />,
      )}
    </>
  );
}

function Part({ text, ...place }: TextProps): Html {
  if (text.startsWith("`")) return <code>{text.slice(1, -1)}</code>;
  const [, words = "", target = ""] = /^\[(.+)\]\((.+)\)$/u.exec(text) ?? [];
  if (/^https?:/u.test(target)) {
    return (
      <a href={target} rel="noopener noreferrer">
        {words}
      </a>
    );
  }
  return <a href={hrefOf(target, place)}>{words}</a>;
}

/** Pages have a language, files have none, and what stands on the same page has no path. */
function hrefOf(target: string, { address, language }: Place): string {
  if (target.startsWith("#")) return target;
  return target.startsWith("file:")
    ? fileOf(address, target.slice("file:".length))
    : pathOf(address, language, target);
}

interface ParagraphsProps extends Place {
  readonly texts: readonly string[];
}

export function Paragraphs({ texts, ...place }: ParagraphsProps): Html {
  return (
    <>
      {texts.map((text) => (
        <p>
          <Text text={text} {...place} />
        </p>
      ))}
    </>
  );
}

export function List({ texts, ...place }: ParagraphsProps): Html {
  return (
    <ul>
      {texts.map((text) => (
        <li>
          <Text text={text} {...place} />
        </li>
      ))}
    </ul>
  );
}

interface SectionProps {
  /** What a link to the section ends with. */
  readonly id: string;
  readonly title: string;
  readonly children: Html | readonly Html[];
}

export function Section({ id, title, children }: SectionProps): Html {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

interface TableProps extends Place {
  readonly caption: string;
  readonly head: readonly string[];
  /** Sentences, as `Text` has them. The first of a row names it. */
  readonly rows: readonly (readonly string[])[];
  /** Lights before the names of the rows, one for each. */
  readonly lights?: readonly Color[];
}

/** A table that a narrow screen scrolls for itself, by keyboard too. */
export function Table({ caption, head, rows, lights, ...place }: TableProps): Html {
  return (
    <div class="scroll" role="group" aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = "", ...cells], at) => (
            <tr>
              <th scope="row" data-light={lights?.[at]}>
                {lights === undefined ? <></> : <Light />}
                <Text text={name} {...place} />
              </th>
              {cells.map((cell) => (
                <td>
                  <Text text={cell} {...place} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CodeProps {
  /** What it is, for those who do not see it. */
  readonly label: string;
  readonly code: string;
}

/** Something to copy, as it is. */
export function Code({ label, code }: CodeProps): Html {
  return (
    <pre role="group" aria-label={label} tabindex={0}>
      <code>{code}</code>
    </pre>
  );
}
