import { SYMPTOMS } from "../../../model/service/reports.ts";
import type { Html } from "../../html.ts";
import { scriptWords } from "../../words/pages/script.ts";
import { SERVICE_WORDS } from "../../words/pages/service-page.ts";
import { SYMPTOM_WORDS } from "../../words/symptom.ts";
import { fileOf } from "./links.ts";
import { Chip } from "./filters.tsx";
import type { ServiceProps } from "./page-props.ts";

/**
 * The report button with its symptoms; nothing without an intake. Without the script it is a plain form: its response
 * redirects to `#reported`, where the style sheet shows the thanks. Source: docs/reports/intake.md, Requests.
 */
export function ReportForm({ view, service, language }: ServiceProps): Html {
  const words = SERVICE_WORDS[language];
  const { reportUrl } = view.address;
  if (reportUrl === null) return <></>;
  const path = `/report/${service.slug}`;
  return (
    <form
      class="card report"
      method="post"
      action={reportUrl === "" ? fileOf(view.address, path) : reportUrl + path}
    >
      <h2 id="report">{words.report}</h2>
      <div class="send">
        <button type="submit">{words.press}</button>
        <p id="reported" role="status"></p>
        <p class="thanks">{scriptWords(language).thanks}</p>
      </div>
      <fieldset class="chips">
        <legend>{words.symptom}</legend>
        {SYMPTOMS.map((symptom) => (
          <Chip name="symptom" id={`symptom-${symptom}`} value={symptom} isChecked={false}>
            {SYMPTOM_WORDS[language][symptom]}
          </Chip>
        ))}
      </fieldset>
      <input type="hidden" name="language" value={language} />
      <p class="hint">{words.reportHint}</p>
    </form>
  );
}
