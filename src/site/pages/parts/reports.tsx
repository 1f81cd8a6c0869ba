import type { Symptom } from "../../../model/service/reports.ts";
import { Bars } from "../../charts/bars.tsx";
import type { Html } from "../../html.ts";
import { SERVICE_WORDS } from "../../words/pages/service-page.ts";
import { SYMPTOM_WORDS } from "../../words/symptom.ts";
import { Card } from "./card.tsx";
import type { ServiceProps } from "./page-props.ts";

/** Reports of the last day beside what is usual, and what they complain of; nothing where there are none and cannot be. */
export function Reports({ view, service, language }: ServiceProps): Html {
  const words = SERVICE_WORDS[language];
  const { reportHours, usualReports, symptoms } = service;
  const hasReports = reportHours.some((count) => count > 0);
  if (view.address.reportUrl === null && !hasReports) return <></>;
  return (
    <Card id="reports" title={words.reportsChart}>
      <Bars hours={reportHours} usual={usualReports} language={language} />
      {hasReports && usualReports.length > 0 ? <p class="key-line">{words.usual}</p> : <></>}
      {symptoms.length === 0 ? (
        <></>
      ) : (
        <dl class="symptoms" aria-label={words.symptoms}>
          {sharesOf(symptoms).map(([symptom, percent]) => (
            <div>
              <dt>{SYMPTOM_WORDS[language][symptom]}</dt>
              <dd>
                <progress max="100" value={String(percent)} aria-hidden="true"></progress>
                {percent}%
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

/** Whole per cent of the reports that named a symptom. */
function sharesOf(symptoms: ServiceProps["service"]["symptoms"]): readonly [Symptom, number][] {
  const total = symptoms.reduce((sum, [, count]) => sum + count, 0);
  return symptoms.map(([symptom, count]) => [symptom, Math.round((count / total) * 100)]);
}
