import {
  editBoth,
  editEntry,
  editJson,
  type Fields,
  isDetail,
  isList,
  replaceJson,
  replaceServices,
  when,
} from "./corrupt.ts";
import type { Corrupt } from "../good-deployment.ts";
import type { Row } from "../rows.ts";

const nowS = (): number => Math.floor(Date.now() / 1_000);

const detail = (edit: (document: Fields) => unknown): Corrupt => editJson(isDetail, edit);

const list = (edit: (document: Fields) => unknown): Corrupt => editJson(isList, edit);

/** Replaces `updated` of the list. */
const updated = (toOther: (seconds: number) => unknown): Corrupt =>
  list((l) => (l["updated"] = toOther(Number(l["updated"]))));

/** Each row has one fault of the documents. */
export const DOCUMENT_ROWS: readonly Row[] = [
  ["a list that is not JSON", when(isList, (a) => (a.body = "<html>")), "list.json"],
  ["a list with a byte-order mark", when(isList, (a) => (a.body = `\uFEFF${a.body}`)), "list.json"],
  ["a list that is an array", replaceJson(isList, (l) => [l]), "list.json"],
  [
    "a list that is nested too deeply",
    when(
      isList,
      (a) => (a.body = a.body.replace('{"', `{"x":${"[".repeat(20_000)}${"]".repeat(20_000)},"`)),
    ),
    "list.json",
  ],
  ["a third field of the list", list((l) => (l["version"] = 1)), "list.fields"],
  ["a list without updated", list((l) => delete l["updated"]), "list.fields", ["list.updated"]],
  ["updated in milliseconds", updated((seconds) => seconds * 1_000), "list.updated"],
  ["updated with a fraction", updated((seconds) => seconds + 0.5), "list.updated"],
  ["updated as a text", updated(() => "1"), "list.updated"],
  ["updated 16 minutes ago", updated((seconds) => seconds - 780), "list.fresh", ["data.agrees"]],
  ["updated in the future", updated((seconds) => seconds + 600), "list.fresh", ["data.agrees"]],
  [
    "a missing service",
    replaceServices((...all) => all.slice(0, -1)),
    "list.count",
    ["data.agrees"],
  ],
  ["services that are not an array", replaceServices((...all) => ({ ...all })), "list.count"],
  ["an entry with a sixth field", editEntry((e) => (e["category"] = "banks")), "list.entries"],
  ["an entry without live", editEntry((e) => delete e["live"]), "list.entries"],
  [
    "an entry whose live is a text",
    editEntry((e) => (e["live"] = "false")),
    "list.entries",
    ["detail.agrees"],
  ],
  [
    "an entry with a blank name",
    editBoth((e) => (e["name"] = " ")),
    "list.entries",
    ["detail.types", "data.agrees"],
  ],
  [
    "an entry that is a text",
    replaceServices((one, two) => [one, two, "x"]),
    "list.entries",
    ["data.agrees"],
  ],
  [
    "a slug in upper case",
    replaceServices((one, two, three) => [one, two, { ...three, slug: "Telegram" }]),
    "list.slugs",
    ["data.agrees"],
  ],
  [
    "a repeated slug",
    replaceServices((one, two) => [one, two, two]),
    "list.slugs",
    ["data.agrees"],
  ],
  [
    "a colour of another code in list and detail",
    editBoth((e) => (e["color"] = "bad")),
    "list.pairs",
    ["detail.pairs"],
  ],
  ["an unknown code", editEntry((e) => (e["code"] = "down")), "list.pairs", ["detail.agrees"]],
  [
    "a live ok in list and detail",
    editBoth((e) => (e["live"] = true)),
    "list.live",
    ["detail.live", "data.agrees"],
  ],
  ["a detail that is not JSON", when(isDetail, (a) => (a.body = "ok")), "detail.json"],
  [
    "a detail in another encoding",
    when(isDetail, (a) => Object.assign(a, { body: '{"name":"\u00e9"}', encoding: "latin1" })),
    "detail.json",
  ],
  ["a ninth field of a detail", detail((d) => (d["updated"] = 1)), "detail.fields"],
  ["a detail without since", detail((d) => delete d["since"]), "detail.fields"],
  [
    "a detail whose name is null",
    detail((d) => (d["name"] = null)),
    "detail.types",
    ["detail.agrees"],
  ],
  [
    "a detail with another colour",
    detail((d) => (d["color"] = "warn")),
    "detail.pairs",
    ["detail.agrees"],
  ],
  [
    "a detail with another live",
    detail((d) => (d["live"] = true)),
    "detail.live",
    ["detail.agrees"],
  ],
  ["since in milliseconds", detail((d) => (d["since"] = Date.now())), "detail.since"],
  ["since in the future", detail((d) => (d["since"] = nowS() + 300)), "detail.since"],
  ["since as a text", detail((d) => (d["since"] = "yesterday")), "detail.since"],
  [
    "more reports in the hour than in the day",
    detail((d) => (d["reportsHour"] = 1)),
    "detail.reports",
  ],
  ["a fraction of reports", detail((d) => (d["reportsDay"] = 0.5)), "detail.reports"],
  ["a negative number of reports", detail((d) => (d["reportsHour"] = -1)), "detail.reports"],
  ["another name in the detail", detail((d) => (d["name"] = "Сбер")), "detail.agrees"],
  ["another slug in the detail", detail((d) => (d["slug"] = "sber")), "detail.agrees"],
  [
    "another valid verdict in the detail",
    detail((d) => Object.assign(d, { code: "slow", color: "warn" })),
    "detail.agrees",
  ],
];
