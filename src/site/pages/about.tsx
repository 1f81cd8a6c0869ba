import type { SiteAddress } from "../view.ts";
import type { Language } from "../words/language.ts";
import { verdictRows } from "../words/pages/verdict-rows.ts";
import type { Assets } from "./parts/head.tsx";
import { PeopleSection } from "./parts/people.tsx";
import { LightRows, renderProse } from "./parts/prose.tsx";

/**
 * The page on how services are measured, the limits of that, and what happens to reports. Sources of its text: docs/probe/measurement.md,
 * docs/services/verdicts.md, docs/reports/counting.md, docs/reports/intake.md, docs/monitors/uptime.md.
 */
export function renderAbout(address: SiteAddress, language: Language, assets: Assets): string {
  const rows = verdictRows(language).map(({ color, label, explanation }) => ({
    color,
    name: label,
    cells: [explanation],
  }));
  const values = { "rows:verdicts": <LightRows rows={rows} /> };
  const after = <PeopleSection address={address} language={language} />;
  return renderProse({ name: "about", address, language, assets, values, after });
}
