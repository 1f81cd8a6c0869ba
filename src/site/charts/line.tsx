import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { Html } from "../html.ts";
import type { Language } from "../words/language.ts";
import { AXIS_WORDS, describeResponse, formatDuration } from "../words/chart.ts";
import { HEIGHT, Plot, PLOT_STEP } from "./plot.tsx";

/** Minimum of the axis maximum, so that a few milliseconds do not look like a change. */
const MIN_TOP_MS = 200;

interface LineProps {
  /** Milliseconds per hour; null: none, a gap in the line. */
  readonly hours: readonly (number | null)[];
  readonly language: Language;
}

function isKnown(ms: number | null): boolean {
  return ms !== null;
}

function placeOf(_ms: number | null, hour: number): number {
  return hour * PLOT_STEP;
}

/** Response time over a day. */
export function Line({ hours, language }: LineProps): Html {
  if (hours.every((ms) => ms === null)) {
    return <p class="empty">{describeResponse(hours, language)}</p>;
  }
  const y = scaleLinear()
    .domain([0, Math.max(MIN_TOP_MS, ...hours.map((ms) => ms ?? 0))])
    .nice(4)
    .range([HEIGHT - 1, 1]);
  const topMs = y.domain()[1] ?? MIN_TOP_MS;
  const height = (ms: number | null): number => y(ms ?? 0);
  const draw = line<number | null>(placeOf, height).defined(isKnown).digits(1);
  const fill = area<number | null>(placeOf, HEIGHT, height).defined(isKnown).digits(1);
  // A reading between gaps is as wide as its hour: a line of one point is not seen.
  const lone = hours.map((ms, hour) => {
    const isLone =
      isKnown(ms) && !isKnown(hours[hour - 1] ?? null) && !isKnown(hours[hour + 1] ?? null);
    return isLone
      ? `M${placeOf(ms, hour) - PLOT_STEP / 2} ${height(ms).toFixed(1)}h${PLOT_STEP}`
      : "";
  });
  return (
    <Plot
      kind="line"
      title={describeResponse(hours, language)}
      width={(hours.length - 1) * PLOT_STEP}
      values={[formatDuration(topMs, language), formatDuration(topMs / 2, language), "0"]}
      times={AXIS_WORDS[language].day}
    >
      <path class="below" d={fill(hours) ?? ""} />
      <path class="curve" d={(draw(hours) ?? "") + lone.join("")} />
    </Plot>
  );
}
