import { mediaTypeOf } from "../../model/public-paths.ts";
import { METHOD_VERSION } from "../../model/service/method.ts";
import { archiveKey, type ArchivePart } from "../../model/service/archive.ts";
import type { ArchiveView } from "../view.ts";
import { FRAME_WORDS } from "../words/pages/frame.ts";
import { formatDay, formatMonth } from "../words/time.ts";
import { dataExamples, LICENCE_URL } from "./examples.ts";
import type { FrameProps } from "./parts/head.tsx";
import { HeadRow, type PageProps } from "./parts/elements.tsx";
import { fileOf, urlOf } from "./parts/links.ts";
import { renderProse } from "./parts/prose.tsx";
import type { Html } from "../html.ts";
import { DATA_WORDS } from "../words/pages/data-page.ts";
import { formatSize } from "../words/numbers.ts";

/**
 * The page on what can be downloaded. It changes only when a day or month of the archive is complete. Source of its text:
 * docs/open-data.md.
 */
export function renderData(frame: FrameProps, archive: ArchiveView): string {
  const { address, language } = frame;
  const baseUrl = address.origin + address.root;
  const { estimate, siteName } = FRAME_WORDS[language];
  // Before the first day, a placeholder that is obviously no date.
  const day = archive.days[0]?.date ?? "YYYY-MM-DD";
  const values = {
    baseUrl,
    estimate,
    method: formatDay(METHOD_VERSION, language),
    "block:archive": <ArchiveFiles {...frame} archive={archive} />,
    ...dataExamples(baseUrl, day),
    "example:attribution": `<a href="${urlOf(address, language, "/")}">${siteName}</a>, <a href="${LICENCE_URL}">CC BY 4.0</a>`,
  };
  const structured = describeDataset(frame, archive);
  return renderProse({ name: "data", ...frame, structured, values, hasWords: true });
}

/** A week, and a year: the index has all. */
const SHOWN_DAYS = 7;
const SHOWN_MONTHS = 12;

/** The newest files of the archive, with their sizes; a sentence if there are none. */
function ArchiveFiles(props: PageProps & { readonly archive: ArchiveView }): Html {
  const { address, archive, language } = props;
  const words = DATA_WORDS[language];
  const days = archive.days.slice(0, SHOWN_DAYS);
  const months = archive.months.slice(0, SHOWN_MONTHS);
  if (days.length === 0) return <p class="empty">{words.noArchive}</p>;
  return (
    <>
      <Files {...props} parts={days} caption={words.days} name={words.day} />
      {months.length > 0 && (
        <Files {...props} parts={months} caption={words.months} name={words.month} />
      )}
      <ul>
        {(["index", "datapackage"] as const).map((name) => (
          <li>
            <a href={fileOf(address, `/${archiveKey(`${name}.json`)}`)}>{name}.json</a>:{" "}
            {words[name]}
          </li>
        ))}
      </ul>
    </>
  );
}

interface FilesProps extends PageProps {
  readonly parts: readonly ArchivePart[];
  readonly caption: string;
  /** Of the first column. */
  readonly name: string;
}

/** One row for each day or month, one column for each kind of file that any of them has. */
function Files({ address, language, parts, caption, name }: FilesProps): Html {
  const kinds = [...new Set(parts.flatMap(({ files }) => files.map(({ name }) => name)))];
  return (
    <div class="scroll" role="group" aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <HeadRow titles={[name, ...kinds]} />
        <tbody>
          {parts.map(({ date, files }) => (
            <tr>
              <th scope="row">
                {date.length === 7 ? formatMonth(date, language) : formatDay(date, language)}
              </th>
              {kinds.map((kind) => {
                const file = files.find((each) => each.name === kind);
                return (
                  <td>
                    {file !== undefined && (
                      <a href={fileOf(address, `/${archiveKey(date, kind)}`)}>
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

/** What links to files are called, if not by their names. */
const LABELS: Readonly<Record<string, string>> = {
  "checks.parquet": "Parquet",
  "checks.ndjson.gz": "NDJSON",
};

/**
 * The open data for search engines, beside what every page says of itself.
 * Sources: https://schema.org/Dataset, https://developers.google.com/search/docs/appearance/structured-data/dataset
 */
function describeDataset(
  { address, language }: PageProps,
  { days }: ArchiveView,
): Readonly<Record<string, unknown>> {
  const words = DATA_WORDS[language];
  const [newest] = days;
  const oldest = days.at(-1);
  const ofArchive =
    newest === undefined
      ? []
      : [
          ...newest.files.map(({ name }) => archiveKey(newest.date, name)),
          archiveKey("index.json"),
        ];
  // Every website has the last two.
  const keys = [...ofArchive, "history/v1/index.json", "changes/v1.json"];
  return {
    "@type": "Dataset",
    license: LICENCE_URL,
    isAccessibleForFree: true,
    version: METHOD_VERSION,
    creator: {
      "@type": "Organization",
      name: address.people.operator ?? FRAME_WORDS[language].siteName,
      url: urlOf(address, language, "/"),
    },
    spatialCoverage: words.place,
    keywords: words.keywords,
    ...(newest !== undefined &&
      oldest !== undefined && { temporalCoverage: `${oldest.date}/${newest.date}` }),
    distribution: keys.map((key) => ({
      "@type": "DataDownload",
      encodingFormat: mediaTypeOf(key),
      contentUrl: `${address.origin}${address.root}/${key}`,
    })),
  };
}
