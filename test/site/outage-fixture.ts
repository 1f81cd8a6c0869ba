import type { OutageListView, OutagePageView } from "../../src/site/view.ts";
import { NOW_MS } from "./site-fixture.ts";

const HOUR_MS = 3_600_000;

/** Lasts, with all that can be known of an outage. */
const LASTING: OutagePageView = {
  slug: "vtb",
  name: "ВТБ",
  nameEn: "VTB",
  path: "/status/vtb/outages/202611210700",
  toldAtMs: NOW_MS - 2 * HOUR_MS,
  endedAtMs: null,
  isEndUnseen: false,
  isReported: true,
  about: {
    code: "fail",
    scope: "russia",
    sinceMs: NOW_MS - 2 * HOUR_MS - 60_000,
    cause: "tcp-timeout",
    failing: 2,
    counted: 3,
    network: "TEST-NET-1",
    operators: { shares: [{ operator: "mts", percent: 62, usual: 30 }], isAlone: false },
  },
  corrections: [],
  together: [{ slug: "shop", name: "Лавка & Ко", path: "/status/shop/outages/202611210655" }],
  category: "banks",
  dataKey: "outages/v1/vtb/202611210700.json",
};

/** Is over, and others say that it was none. */
const CORRECTED: OutagePageView = {
  ...LASTING,
  slug: "shop",
  name: "Лавка & Ко",
  path: "/status/shop/outages/202611200300",
  toldAtMs: NOW_MS - 30 * HOUR_MS,
  endedAtMs: NOW_MS - 29 * HOUR_MS,
  isReported: false,
  about: {
    code: "err",
    scope: "unknown",
    sinceMs: NOW_MS - 30 * HOUR_MS,
    cause: "http-server-error",
    failing: 1,
    counted: 1,
    network: null,
  },
  corrections: [
    {
      slug: "shop",
      fromMs: NOW_MS - 31 * HOUR_MS,
      toMs: NOW_MS - 28 * HOUR_MS,
      what: "worked",
      source: "https://shop.example/status",
    },
  ],
  together: [],
  category: "shops",
  dataKey: "outages/v1/shop/202611200300.json",
};

/** Its end fell into a gap without checks. */
const UNSEEN: OutagePageView = {
  ...CORRECTED,
  path: "/status/shop/outages/202610010300",
  toldAtMs: NOW_MS - 1_220 * HOUR_MS,
  endedAtMs: NOW_MS - 1_200 * HOUR_MS,
  isEndUnseen: true,
  corrections: [],
  dataKey: "outages/v1/shop/202610010300.json",
};

/** One outage that lasts, one that was corrected, one of an earlier month. */
export const OUTAGE_LIST: OutageListView = {
  outages: [LASTING, CORRECTED, UNSEEN],
  categories: [
    { id: "banks", name: "Банки" },
    { id: "shops", name: "Магазины" },
  ],
  days: new Set(["2026-11-20"]),
  months: [
    { month: "2026-10", uptime: "99.5%", outages: 1 },
    { month: "2026-09", uptime: null, outages: 0 },
  ],
};
