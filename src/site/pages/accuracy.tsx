import { PEOPLE_WORDS } from "./parts/layout.tsx";
import { METHOD_CHANGES } from "../../model/service/method.ts";
import type { Html } from "../html.ts";
import type { SiteView } from "../view.ts";
import { ACCURACY_WORDS, describeMonth, METHOD_WORDS } from "../words/pages/accuracy.ts";
import { capitalise } from "../words/numbers.ts";
import { formatDay, formatMonth } from "../words/time.ts";
import type { FrameProps } from "./parts/head.tsx";
import { renderProse } from "./parts/prose.tsx";
import { HeadRow, type LanguageProps, type PageProps } from "./parts/elements.tsx";

/** The document has more. */
const MAX_MONTHS = 12;

/** The page on how often we were wrong. It changes once a day. Sources of its text: docs/open-data.md. */
export function renderAccuracy(
  frame: FrameProps,
  { accuracy, services }: Pick<SiteView, "accuracy" | "services">,
): string {
  const { language } = frame;
  const values = {
    "block:months": <Months accuracy={accuracy} services={services} language={language} />,
    "block:correct": <Correct {...frame} accuracy={accuracy} />,
    "rows:changes": (
      <>
        {METHOD_CHANGES.toReversed().map(({ date }) => (
          <NamedRow name={formatDay(date, language)}>{METHOD_WORDS[language][date]}</NamedRow>
        ))}
      </>
    ),
  };
  return renderProse({ name: "accuracy", ...frame, values });
}

type MonthsProps = LanguageProps & Pick<SiteView, "accuracy" | "services">;

function Months({ accuracy: { months }, services, language }: MonthsProps): Html {
  const words = ACCURACY_WORDS[language];
  if (months.length === 0) return <p class="empty">{words.nothingYet}</p>;
  return (
    <>
      {months.slice(0, MAX_MONTHS).map((month) => (
        <div class="scroll">
          <table class="measures">
            <caption>{capitalise(formatMonth(month.month, language))}</caption>
            <HeadRow titles={[words.measure, words.value]} />
            <tbody>
              {describeMonth(month, services.length, language).map(([name, value]) => (
                <NamedRow name={name}>{value}</NamedRow>
              ))}
            </tbody>
          </table>
        </div>
      ))}
    </>
  );
}

/** A row of a table with two columns. */
function NamedRow({ name, children }: { readonly name: string; readonly children: string }): Html {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{children}</td>
    </tr>
  );
}

type CorrectProps = PageProps & Pick<SiteView, "accuracy">;

/** How to tell us what really happened: by a change of the file, if the source is public, else by the contact. */
function Correct({ address: { people }, accuracy, language }: CorrectProps): Html {
  const words = ACCURACY_WORDS[language];
  const contact = people.contact ?? people.wrongVerdict;
  return (
    <>
      <p>{words.entries(accuracy.truthEntries)}</p>
      {people.source !== undefined ? (
        <p>
          {words.bySource} <a href={people.source}>{PEOPLE_WORDS[language].source}</a>.
        </p>
      ) : contact === undefined ? (
        <p>{words.byNobody}</p>
      ) : (
        <p>
          {words.byContact} <a href={contact}>{PEOPLE_WORDS[language].contact}</a>.
        </p>
      )}
    </>
  );
}
