import { SYMPTOMS } from "../../model/reports.ts";
import type { Html } from "../html.ts";
import { scriptWords } from "../words/script.ts";
import { SERVICE_WORDS } from "../words/service-page.ts";
import { SYMPTOM_WORDS } from "../words/symptom.ts";
import { fileOf } from "./links.ts";
import { Chip } from "./filters.tsx";
import type { ServiceProps } from "./page-props.ts";

/**
 * The report button with its symptoms. Without the script it is a plain form: its response redirects to `#reported`, where the
 * style sheet shows the thanks. Source: docs/reports/intake.md, Requests.
 */
export function ReportForm({ view, service, language }: ServiceProps): Html {
  const words = SERVICE_WORDS[language];
  return (
    <form
      class="card report"
      method="post"
      action={fileOf(view.address, `/report/${service.slug}`)}
    >
      <h2>{words.report}</h2>
      <fieldset class="chips">
        <legend>{words.symptom}</legend>
        {SYMPTOMS.map((symptom) => (
          <Chip name="symptom" id={`symptom-${symptom}`} value={symptom} isChecked={false}>
            {SYMPTOM_WORDS[language][symptom]}
          </Chip>
        ))}
      </fieldset>
      <input type="hidden" name="language" value={language} />
      <div class="send">
        <button type="submit">{words.press}</button>
        <p id="reported" role="status"></p>
        <p class="thanks">{scriptWords(language).thanks}</p>
      </div>
      <p class="hint">{words.reportHint}</p>
    </form>
  );
}
