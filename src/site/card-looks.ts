import type { CardLook } from "../model/card.ts";
import { judgeUptime } from "../model/judge-uptime.ts";
import type { BadgeTone } from "../model/monitor.ts";
import type { ServiceSnapshot } from "../model/snapshot.ts";
import type { Color } from "../model/verdict.ts";
import type { MonitorView, SiteAddress } from "./view.ts";
import { CARD_WORDS } from "./words/card.ts";
import { VERDICT_LABELS } from "./words/verdict.ts";

const COLOR_OF_TONE: Readonly<Record<BadgeTone, Color>> = {
  best: "ok",
  good: "ok",
  fair: "warn",
  poor: "warn",
  bad: "bad",
  none: "none",
};

/** The picture for links to the page of a service. */
export function cardOfService(
  address: SiteAddress,
  { name, verdict: { code, color } }: Pick<ServiceSnapshot, "name" | "verdict">,
): CardLook {
  return {
    title: name,
    label: VERDICT_LABELS.ru[code],
    sublabel: VERDICT_LABELS.en[code],
    color,
    site: hostOf(address),
  };
}

/** The picture for links to the page of a monitor: its uptime of 30 days, in whole per cent, so that it is seldom drawn anew. */
export function cardOfMonitor(
  address: SiteAddress,
  { name, uptimes }: Pick<MonitorView, "name" | "uptimes">,
): CardLook {
  const { value, tone } = judgeUptime(uptimes["30d"]);
  const percent = value?.replace(/\..*$/u, "%") ?? null;
  return {
    title: name,
    label: CARD_WORDS.ru(percent),
    sublabel: CARD_WORDS.en(percent),
    color: COLOR_OF_TONE[tone],
    site: hostOf(address),
  };
}

function hostOf({ origin, root }: SiteAddress): string {
  return origin.replace(/^https?:\/\//u, "") + root;
}
