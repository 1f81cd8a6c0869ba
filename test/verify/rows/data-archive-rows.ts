import { become, firstOf, listOf, setHeader, when, type Fields } from "./corrupt.ts";
import { INDEX, PACKAGE, tomorrow, edit, editFirst } from "./data-edits.ts";
import { at } from "./front-rows.ts";
import type { Corrupt, PassingAnswer } from "../good-deployment.ts";
import type { Row } from "../rows.ts";

const isFile =
  (name: string) =>
  ({ target, status }: PassingAnswer): boolean =>
    target.startsWith("/archive/v1/2") && target.endsWith(name) && status === 200;

/** Edits the newest day of the index of the archive. */
const editDay = (change: (day: Fields) => unknown): Corrupt => editFirst(INDEX, "days", change);
const editFile = (change: (file: Fields) => unknown): Corrupt =>
  editDay((day) => change(firstOf(day, "files")));

/** Each row has one fault of the archive or of the badges as JSON. */
export const ARCHIVE_ROWS: readonly Row[] = [
  ["an index of the archive that is missing alone", at(INDEX, become(404)), "data.archive"],
  ["a data package that is missing alone", at(PACKAGE, become(404)), "data.archive"],
  [
    "a file of the archive that is missing",
    when(isFile("checks.parquet"), become(404)),
    "data.archive",
  ],
  ["a file of a month that is missing", when(isFile("changes.csv"), become(404)), "data.archive"],
  [
    "a file of the archive with another byte",
    when(isFile("checks.ndjson.gz"), (a) => (a.body = a.body.replace(/.$/su, "x"))),
    "data.archive",
  ],
  [
    "a file of the archive that is cut off",
    when(isFile("reports.csv"), (a) => (a.body = a.body.slice(1))),
    "data.archive",
  ],
  [
    "a file of the archive cached for a minute",
    when(isFile("checks.parquet"), setHeader("Cache-Control", "max-age=60")),
    "data.archive",
  ],
  [
    "a file of the archive without immutable",
    when(isFile("changes.csv"), setHeader("Cache-Control", "max-age=31536000")),
    "data.archive",
  ],
  [
    "a file of the archive that browsers cannot read",
    when(isFile("checks.parquet"), setHeader("Access-Control-Allow-Origin")),
    "data.archive",
  ],
  [
    "a file of the archive of another type",
    when(isFile("checks.parquet"), setHeader("Content-Type", "text/plain")),
    "data.archive",
  ],
  [
    "a file that clients would decompress",
    when(isFile("checks.ndjson.gz"), setHeader("Content-Encoding", "gzip")),
    "data.archive",
  ],
  [
    "another digest in the index",
    editFile((file) => (file["sha256"] = "a".repeat(64))),
    "data.archive",
  ],
  [
    "another size in both lists",
    (answer) => {
      editFile((file) => (file["bytes"] = 1))(answer);
      editFirst(PACKAGE, "resources", (one) => (one["bytes"] = 1))(answer);
    },
    "data.archive",
  ],
  ["another size in the index", editFile((file) => (file["bytes"] = 1)), "data.archive"],
  ["a file without its rows", editFile((file) => delete file["rows"]), "data.archive"],
  [
    "a path that leads elsewhere",
    editFile((file) => (file["path"] = "../../api/v1/status")),
    "data.archive",
  ],
  ["a day without files", editDay((day) => (day["files"] = [])), "data.archive"],
  [
    "a day of the archive that is not over",
    editDay((day) =>
      Object.assign(day, {
        date: tomorrow(),
        files: listOf(day, "files").map((file) => ({
          ...file,
          path: String(file["path"]).replace(/^[\d-]+/u, tomorrow()),
        })),
      }),
    ),
    "data.archive",
  ],
  [
    "days of the archive from the oldest",
    edit(INDEX, (one) => (one["days"] = listOf(one, "days").toReversed())),
    "data.archive",
  ],
  ["an index without months", edit(INDEX, (one) => delete one["months"]), "data.archive"],
  [
    "another hash in the data package",
    editFirst(PACKAGE, "resources", (one) => (one["hash"] = `sha256:${"a".repeat(64)}`)),
    "data.archive",
  ],
  [
    "a data package without a file",
    edit(PACKAGE, (one) => (one["resources"] = listOf(one, "resources").slice(1))),
    "data.archive",
  ],
  [
    "a data package with one file more",
    edit(
      PACKAGE,
      (one) =>
        (one["resources"] = [
          ...listOf(one, "resources"),
          { ...firstOf(one, "resources"), name: "x", path: "x" },
        ]),
    ),
    "data.archive",
  ],
  [
    "a data package with a name twice",
    edit(
      PACKAGE,
      (one) => (one["resources"] = [...listOf(one, "resources"), firstOf(one, "resources")]),
    ),
    "data.archive",
  ],
  [
    "a data package whose files are an object",
    edit(PACKAGE, (one) => (one["resources"] = {})),
    "data.archive",
  ],
  [
    "a badge that shields refuses",
    edit("/badge.json", (one) => (one["up"] = true)),
    "data.shields",
  ],
  [
    "a badge of a service without a message",
    edit("/badge/sberbank.json", (one) => delete one["message"]),
    "data.shields",
  ],
];
