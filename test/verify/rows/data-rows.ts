import {
  become,
  CHANGES,
  firstOf,
  hasOrigin,
  listOf,
  replaceJson,
  setHeader,
  when,
} from "./corrupt.ts";
import { ARCHIVE_ROWS } from "./data-archive-rows.ts";
import {
  METRICS,
  ACCURACY,
  UPTIMES,
  HISTORY,
  INDEX,
  nowS,
  isAt,
  edit,
  editFirst,
  replace,
} from "./data-edits.ts";
import { HISTORY_ROWS } from "./data-history-rows.ts";
import { METRICS_ROWS } from "./data-metrics-rows.ts";
import { STATUSPAGE_ROWS } from "./data-statuspage-rows.ts";
import { at } from "./front-rows.ts";
import type { Corrupt } from "../good-deployment.ts";
import type { Row } from "../rows.ts";

const change = (field: string, toOther: (value: unknown) => unknown): Corrupt =>
  editFirst(CHANGES, "changes", (one) => (one[field] = toOther(one[field])));

const REACHABLE_ROWS: readonly Row[] = [
  ...[CHANGES, "/api/v2/scheduled-maintenances/active.json", ACCURACY].map((target): Row => [
    `no ${target}`,
    at(target, become(404)),
    "data.reachable",
  ]),
  ["no metrics", at(METRICS, become(404)), "data.reachable"],
  ["an archive that is 403", when(({ target }) => target === INDEX, become(403)), "data.reachable"],
  ["a history that is 500", at(HISTORY, become(500)), "data.reachable"],
  [
    "changes that are 403 only with Origin",
    when((a) => isAt(CHANGES)(a) && hasOrigin(a), become(403)),
    "data.reachable",
  ],
  ["changes that are not JSON", at(CHANGES, become(200, "<html>")), "data.json"],
  ["uptimes that are an array", replaceJson(isAt(UPTIMES), (one) => [one]), "data.json"],
  [
    "a badge of a service that is null",
    at("/badge/sberbank.json", become(200, "null")),
    "data.json",
  ],
  [
    "accuracy that is nested too deeply",
    at(ACCURACY, become(200, `{"months":${"[".repeat(20_000)}${"]".repeat(20_000)}}`)),
    "data.json",
  ],
  [
    "an index of the archive with a byte-order mark",
    when(isAt(INDEX), (a) => (a.body = `\uFEFF${a.body}`)),
    "data.json",
  ],
  [
    "metrics with the type of a text",
    when(isAt(METRICS), setHeader("Content-Type", "text/plain; charset=utf-8")),
    "data.type",
  ],
];

const CHANGES_ROWS: readonly Row[] = [
  [
    "a change that is missing",
    edit(CHANGES, (one) => (one["changes"] = listOf(one, "changes").toSpliced(1, 1))),
    "data.changes",
  ],
  [
    "the last change missing",
    edit(CHANGES, (one) => (one["changes"] = listOf(one, "changes").slice(0, -1))),
    "data.changes",
  ],
  [
    "changes from the newest",
    edit(CHANGES, (one) => (one["changes"] = listOf(one, "changes").toReversed())),
    "data.changes",
  ],
  ["changes without next", edit(CHANGES, (one) => delete one["next"]), "data.changes"],
  [
    "no changes, and next with a fraction",
    edit(CHANGES, (one) => Object.assign(one, { changes: [], next: 0.5 })),
    "data.changes",
  ],
  [
    "no changes, and next 0",
    edit(CHANGES, (one) => Object.assign(one, { changes: [], next: 0 })),
    "data.changes",
  ],
  ["changes that are an object", edit(CHANGES, (one) => (one["changes"] = {})), "data.changes"],
  ["a change that is null", edit(CHANGES, (one) => (one["changes"] = [null])), "data.changes"],
  ["a number beyond all numbers", replace(CHANGES, '"seq":41', '"seq":1e999'), "data.changes"],
  [
    "a number that JSON rounds",
    replace(CHANGES, '"next":44', '"next":9007199254740993'),
    "data.changes",
  ],
  ["a change with another id", change("id", () => "sberbank.1.fail"), "data.changes"],
  [
    "an id twice",
    edit(CHANGES, (one) => {
      const [first = {}, second = {}] = listOf(one, "changes");
      Object.assign(second, { ...first, seq: second["seq"] });
    }),
    "data.changes",
  ],
  [
    "a change to none",
    replace(
      CHANGES,
      /\.ok","at":(\d+),"slug":"gone","before":"slow","code":"ok","color":"ok"/u,
      '.none","at":$1,"slug":"gone","before":"slow","code":"none","color":"none"',
    ),
    "data.changes",
  ],
  ["a change with another colour", change("color", () => "warn"), "data.changes"],
  ["a change to the same verdict", change("before", () => "fail"), "data.changes"],
  [
    "a change in the future",
    edit(CHANGES, (one) => {
      const first = firstOf(one, "changes");
      const later = nowS() + 300;
      Object.assign(first, { at: later, id: `sberbank.${later}.fail` });
    }),
    "data.changes",
  ],
  ["a change in milliseconds", change("at", (value) => Number(value) * 1_000), "data.changes"],
  [
    "a change of __proto__",
    edit(CHANGES, (one) => {
      const first = firstOf(one, "changes");
      Object.assign(first, { slug: "__proto__", id: `__proto__.${String(first["at"])}.fail` });
    }),
    "data.changes",
  ],
  [
    "a change with a field __proto__",
    replace(CHANGES, '"seq":41', '"seq":41,"__proto__":{"x":1}'),
    "data.changes",
  ],
  ["a change with an unknown scope", change("scope", () => "moon"), "data.changes"],
  ["a change whose surge is a number", change("surge", () => 1), "data.changes"],
];

/** Each row has one fault of open data. */
export const DATA_ROWS: readonly Row[] = [
  ...REACHABLE_ROWS,
  ...CHANGES_ROWS,
  ...STATUSPAGE_ROWS,
  ...METRICS_ROWS,
  ...HISTORY_ROWS,
  ...ARCHIVE_ROWS,
];
