import { COLOR_OF, VERDICT_CODES } from "../../contract/codes/verdict.ts";
import { VERDICT_EXPLANATIONS, VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";
import type { Html } from "../html.ts";
import { LightRow, renderProse } from "./parts/prose.tsx";
import type { FrameProps } from "./parts/head.tsx";
import type { PageProps } from "./parts/elements.tsx";
import { PEOPLE_WORDS, PeopleItems } from "./parts/layout.tsx";

/**
 * The page on how services are measured, the limits of that, and what happens to reports. Sources of its text: docs/probe/measurement.md,
 * docs/services/verdicts.md, docs/reports/counting.md, docs/reports/intake.md, docs/monitors/uptime.md.
 */
export function renderAbout(frame: FrameProps): string {
  const { language } = frame;
  const labels = VERDICT_LABELS[language];
  const explanations = VERDICT_EXPLANATIONS[language];
  const rows = VERDICT_CODES.map((code) => (
    <LightRow color={COLOR_OF[code]} name={labels[code]} cells={[explanations[code]]} />
  ));
  const values = { "rows:verdicts": <>{rows}</> };
  const after = <PeopleSection {...frame} />;
  return renderProse({ name: "about", ...frame, values, after });
}

/** The operator and the links to reach them, if the option `about` names them. */
function PeopleSection(props: PageProps): Html {
  const { follow: _, ...people } = props.address.people;
  if (Object.keys(people).length === 0) return <></>;
  return (
    <section id="people" aria-labelledby="people-title">
      <h2 id="people-title">{PEOPLE_WORDS[props.language].title}</h2>
      <ul>
        <PeopleItems {...props} />
      </ul>
    </section>
  );
}
