import { become, firstOf, listOf, type Fields } from "./corrupt.ts";
import {
  ACCURACY,
  OPERATORS,
  UPTIMES,
  HISTORY,
  nowS,
  OUTAGES,
  tomorrow,
  edit,
  editFirst,
  replace,
} from "./data-edits.ts";
import { at } from "./front-rows.ts";
import type { Row } from "../rows.ts";

/** Each row has one fault of the histories or of the accuracy. */
export const HISTORY_ROWS: readonly Row[] = [
  [
    "uptimes without a service",
    edit(UPTIMES, (one) => (one["services"] = listOf(one, "services").slice(1))),
    "data.history",
  ],
  [
    "uptimes of a service twice",
    edit(
      UPTIMES,
      (one) => (one["services"] = [...listOf(one, "services"), firstOf(one, "services")]),
    ),
    "data.history",
  ],
  ["an uptime above 1", replace(UPTIMES, '"7d":1,', '"7d":1.00001,'), "data.history"],
  ["an uptime without checks", replace(UPTIMES, '"24h":null', '"24h":1'), "data.history"],
  [
    "a fraction of the checks of a window",
    replace(UPTIMES, '"7d":2016', '"7d":0.5'),
    "data.history",
  ],
  ["an uptime without a window", replace(UPTIMES, '"7d":1,', ""), "data.history"],
  [
    "uptimes up to a half hour",
    edit(UPTIMES, (one) => (one["until"] = Number(one["until"]) - 1_800)),
    "data.history",
  ],
  [
    "uptimes up to the future",
    edit(UPTIMES, (one) => (one["until"] = Number(one["until"]) + 7_200)),
    "data.history",
  ],
  [
    "a day of monitors without checks",
    edit(UPTIMES, (one) => delete firstOf(one, "monitorDays")["checks"]),
    "data.history",
  ],
  ["uptimes that are missing alone", at(UPTIMES, become(404)), "data.history"],
  ["a history that is missing alone", at(HISTORY, become(404)), "data.history"],
  ["a history of another service", replace(HISTORY, '"sberbank"', '"telegram"'), "data.history"],
  ["a history without outages", edit(HISTORY, (one) => delete one["outages"]), "data.history"],
  [
    "a gap of days",
    edit(HISTORY, (one) => (firstOf(one, "days")["date"] = "2026-01-01")),
    "data.history",
  ],
  [
    "a day that has not ended",
    edit(HISTORY, (one) => (one["days"] = [{ ...firstOf(one, "days"), date: tomorrow() }])),
    "data.history",
  ],
  [
    "too many days",
    edit(HISTORY, (one) => (one["days"] = daysOf(91, firstOf(one, "days")))),
    "data.history",
  ],
  [
    "a day that is not a date",
    edit(HISTORY, (one) => (one["days"] = [{ ...firstOf(one, "days"), date: "x" }])),
    "data.history",
  ],
  ["a fraction of a run", replace(HISTORY, '"ok":280', '"ok":280.5'), "data.history"],
  [
    "a change of the history in the future",
    edit(HISTORY, (one) => (firstOf(one, "changes")["at"] = nowS() + 300)),
    "data.history",
  ],
  [
    "an outage of another length",
    edit(HISTORY, (one) => (firstOf(one, "outages")["seconds"] = 1)),
    "data.history",
  ],
  [
    "an outage that ends in the future",
    edit(HISTORY, (one) => {
      const first = firstOf(one, "outages");
      Object.assign(first, { end: nowS() + 300, seconds: nowS() + 300 - Number(first["start"]) });
    }),
    "data.history",
  ],
  [
    "more failing endpoints than there are",
    replace(HISTORY, '"failing":1', '"failing":3'),
    "data.history",
  ],
  [
    "too many outages",
    edit(
      HISTORY,
      (one) => (one["outages"] = Array.from({ length: 11 }, () => firstOf(one, "outages"))),
    ),
    "data.history",
  ],
  [
    "an outage without a scope",
    editFirst(OUTAGES, "outages", (one) => delete one["scope"]),
    "data.outages",
  ],
  [
    "an outage under the address of another minute",
    editFirst(OUTAGES, "outages", (one) => (one["told"] = Number(one["told"]) - 60)),
    "data.outages",
  ],
  [
    "an outage that ends before it was told",
    editFirst(OUTAGES, "outages", (one) => (one["end"] = Number(one["told"]) - 1)),
    "data.outages",
  ],
  [
    "an outage that ends in the future",
    editFirst(OUTAGES, "outages", (one) => (one["end"] = nowS() + 7_200)),
    "data.outages",
  ],
  [
    "an outage with more failures than endpoints",
    editFirst(OUTAGES, "outages", (one) => (one["failing"] = 3)),
    "data.outages",
  ],
  [
    "the oldest outage first",
    edit(OUTAGES, (one) => (one["outages"] = listOf(one, "outages").toReversed())),
    "data.outages",
  ],
  [
    "an outage twice",
    edit(OUTAGES, (one) => (one["outages"] = [firstOf(one, "outages"), ...listOf(one, "outages")])),
    "data.outages",
  ],
  [
    "months of outages, the oldest first",
    edit(OUTAGES, (one) => (one["months"] = listOf(one, "months").toReversed())),
    "data.outages",
  ],
  [
    "an operator with too few reports",
    replace(OPERATORS, '"reportsHour":12', '"reportsHour":4'),
    "data.operators",
  ],
  ["an unknown operator", replace(OPERATORS, '"mts"', '"mtc"'), "data.operators"],
  ["accuracy without months", edit(ACCURACY, (one) => delete one["months"]), "data.accuracy"],
  ["accuracy with another licence", replace(ACCURACY, "CC-BY-4.0", "MIT"), "data.accuracy"],
  [
    "accuracy until the future",
    edit(ACCURACY, (one) => (one["until"] = nowS() + 90_000)),
    "data.accuracy",
  ],
  ["a month without a count", replace(ACCURACY, '"told":3,', ""), "data.accuracy"],
  ["a negative count of a month", replace(ACCURACY, '"told":3', '"told":-3'), "data.accuracy"],
  ["a delay with a fraction", replace(ACCURACY, "-60", "-60.5"), "data.accuracy"],
  [
    "months from the oldest",
    edit(ACCURACY, (one) => (one["months"] = listOf(one, "months").toReversed())),
    "data.accuracy",
  ],
  [
    "a change of the method without a text",
    edit(ACCURACY, (one) => delete firstOf(one, "methodChanges")["text"]),
    "data.accuracy",
  ],
];

/** Ended days up to yesterday. */
function daysOf(count: number, day: Fields): readonly Fields[] {
  return Array.from({ length: count }, (_, index) => ({
    ...day,
    date: new Date(Date.now() - (count - index) * 86_400_000).toISOString().slice(0, 10),
  }));
}
