import type { Html } from "../../html.ts";
import type { ArchiveFileView, ArchivePartView, SiteView } from "../../view.ts";
import { DATA_WORDS } from "../../words/pages/data-page.ts";
import type { Language } from "../../words/language.ts";
import { formatSize } from "../../words/size.ts";
import { formatDay, formatMonth } from "../../words/time.ts";
import { fileOf } from "./links.ts";

/** A week, and a year: the index has all. */
const SHOWN_DAYS = 7;
const SHOWN_MONTHS = 12;

interface ArchiveProps {
  readonly view: SiteView;
  readonly language: Language;
}

/** The newest files of the archive, with their sizes; a sentence if there are none. */
export function ArchiveFiles({ view, language }: ArchiveProps): Html {
  const { days, months } = view.archive;
  const words = DATA_WORDS[language];
  if (days.length === 0) return <p class="empty">{words.noArchive}</p>;
  const show = (parts: readonly ArchivePartView[], caption: string, name: string): Html => (
    <Files view={view} language={language} parts={parts} caption={caption} name={name} />
  );
  return (
    <>
      {show(days.slice(0, SHOWN_DAYS), words.days, words.day)}
      {months.length > 0 && show(months.slice(0, SHOWN_MONTHS), words.months, words.month)}
      <ul>
        {(["index", "datapackage"] as const).map((name) => (
          <li>
            <a href={fileOf(view.address, `/archive/v1/${name}.json`)}>{name}.json</a>:{" "}
            {words[name]}
          </li>
        ))}
      </ul>
    </>
  );
}

interface FilesProps extends ArchiveProps {
  readonly parts: readonly ArchivePartView[];
  readonly caption: string;
  /** Of the first column. */
  readonly name: string;
}

/** One row for each day or month, one column for each kind of file that any of them has. */
function Files({ view: { address }, language, parts, caption, name }: FilesProps): Html {
  const kinds = [...new Set(parts.flatMap(({ files }) => files.map(nameOf)))];
  return (
    <div class="scroll" role="group" aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            {kinds.map((kind) => (
              <th scope="col">{kind}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map(({ date, files }) => (
            <tr>
              <th scope="row">
                {date.length === 7 ? formatMonth(date, language) : formatDay(date, language)}
              </th>
              {kinds.map((kind) => {
                const file = files.find((each) => nameOf(each) === kind);
                return (
                  <td>
                    {file !== undefined && (
                      <a href={fileOf(address, `/${file.key}`)}>
                        {`${LABELS[kind] ?? kind}, ${formatSize(file.bytes, language)}`}
                      </a>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The last part of a key. */
function nameOf({ key }: ArchiveFileView): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

/** What links to files are called, if not by their names. */
const LABELS: Readonly<Record<string, string>> = {
  "checks.parquet": "Parquet",
  "checks.ndjson.gz": "NDJSON",
};
