import { raw } from "hono/utils/html";
import type { Color } from "../../../contract/codes/verdict.ts";
import { type Html, renderPage } from "../../html.ts";
import PROSE from "../../words/pages/prose.generated.json" with { type: "json" };
import type { FrameProps } from "./head.tsx";
import { Layout, type LayoutProps } from "./layout.tsx";
import { Light } from "./elements.tsx";

interface ProsePage extends FrameProps, Pick<LayoutProps, "hasWords" | "structured"> {
  /** Its text is `../words/<name>.<language>.md`, its path `/<name>`. */
  readonly name: keyof typeof PROSE;
  /** What the placeholders of the text stand for, but `{{root}}`. Strings are escaped. */
  readonly values: Readonly<Record<string, Html | string>>;
  readonly after?: Html;
}

/** A page of text, which needs no script. Throws for a placeholder without a value. */
export function renderProse(page: ProsePage): string {
  const { name, values, after, ...frame } = page;
  const { title, description, html } = PROSE[name][frame.language];
  return renderPage(
    <Layout {...frame} path={`/${name}`} title={title} description={description} image="/card.png">
      <article class="prose">
        <h1>{title}</h1>
        {fillPlaceholders(html, { root: page.address.root, ...values })}
        {after}
      </article>
    </Layout>,
  );
}

/** `html` with the value of each `{{name}}`; a string is escaped. Throws for a name without a value. */
export function fillPlaceholders(html: string, values: ProsePage["values"]): Html {
  const parts = html.split(/\{\{([^{}]*)\}\}/u);
  return (
    <>
      {parts.map((name, at) => {
        // Every second part is the name of a placeholder.
        if (at % 2 === 0) return raw(name);
        const value = values[name];
        if (value === undefined) throw new Error(`Unknown placeholder {{${name}}} in a page.`);
        return name.startsWith("example:") && typeof value === "string" ? breakPaths(value) : value;
      })}
    </>
  );
}

/** On a narrow screen a long address is broken after a slash, and not within a word. */
function breakPaths(example: string): Html {
  const [first = "", ...others] = example.split("/");
  return (
    <>
      {first}
      {others.map((part) => (
        <>
          /<wbr />
          {part}
        </>
      ))}
    </>
  );
}

interface LightRowProps {
  readonly color: Color;
  readonly name: Html | string;
  readonly cells: readonly (Html | string)[];
}

/** A row of a table, with a light before its name. */
export function LightRow({ color, name, cells }: LightRowProps): Html {
  return (
    <tr>
      <th scope="row" data-light={color}>
        <Light />
        {name}
      </th>
      {cells.map((cell) => (
        <td>{cell}</td>
      ))}
    </tr>
  );
}
