import type { Accuracy } from "../../contract/accuracy.ts";
import { METHOD_CHANGES } from "../../model/service/method.ts";
import type { Html } from "../html.ts";
import type { SiteView } from "../view.ts";
import { ACCURACY_WORDS, describeMonth, METHOD_WORDS, nameMonth } from "../words/pages/accuracy.ts";
import type { Language } from "../../contract/codes/language.ts";
import { formatDay } from "../words/time.ts";
import type { Assets } from "./parts/head.tsx";
import { renderProse } from "./parts/prose.tsx";
import { HeadRow, type LanguageProps } from "./parts/elements.tsx";

/** The document has more. */
const MAX_MONTHS = 12;

/** The page on how often we were wrong. It changes once a day. Sources of its text: docs/open-data.md. */
export function renderAccuracy(
  { address, accuracy, services }: Pick<SiteView, "address" | "accuracy" | "services">,
  language: Language,
  assets: Assets,
): string {
  const values = {
    "block:months": <Months accuracy={accuracy} services={services} language={language} />,
    "block:correct": <Correct address={address} accuracy={accuracy} language={language} />,
    "rows:changes": <Changes language={language} />,
  };
  return renderProse({ name: "accuracy", address, language, assets, values });
}

type AccuracyProps = LanguageProps & Pick<SiteView, "accuracy" | "services">;

function Months({ accuracy: { months }, services, language }: AccuracyProps): Html {
  if (months.length === 0) return <p class="empty">{ACCURACY_WORDS[language].nothingYet}</p>;
  return (
    <>
      {months.slice(0, MAX_MONTHS).map((month) => (
        <Month month={month} services={services.length} language={language} />
      ))}
    </>
  );
}

interface MonthProps extends LanguageProps {
  readonly month: Accuracy["months"][number];
  /** Their number. */
  readonly services: number;
}

function Month({ month, services, language }: MonthProps): Html {
  const words = ACCURACY_WORDS[language];
  return (
    <div class="scroll">
      <table class="measures">
        <caption>{nameMonth(month.month, language)}</caption>
        <HeadRow titles={[words.measure, words.value]} />
        <tbody>
          {describeMonth(month, services, language).map(([name, value]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How to tell us what really happened: by a change of the file, if the source is public, else by the contact. */
type CorrectProps = LanguageProps & Pick<SiteView, "accuracy" | "address">;

function Correct({ address: { people }, accuracy, language }: CorrectProps): Html {
  const words = ACCURACY_WORDS[language];
  const contact = people.contact ?? people.wrongVerdict;
  return (
    <>
      <p>{words.entries(accuracy.truthEntries)}</p>
      {people.source !== undefined ? (
        <p>
          {words.bySource} <a href={people.source}>{words.sourceLink}</a>.
        </p>
      ) : contact === undefined ? (
        <p>{words.byNobody}</p>
      ) : (
        <p>
          {words.byContact} <a href={contact}>{words.contactLink}</a>.
        </p>
      )}
    </>
  );
}

function Changes({ language }: LanguageProps): Html {
  return (
    <>
      {METHOD_CHANGES.toReversed().map(({ date }) => (
        <tr>
          <th scope="row">{formatDay(date, language)}</th>
          <td>{METHOD_WORDS[language][date]}</td>
        </tr>
      ))}
    </>
  );
}
