import { scaleLinear } from "d3-scale";
import type { Html } from "../html.ts";
import type { Language } from "../words/language.ts";
import { AXIS_WORDS, describeReports } from "../words/chart.ts";
import { HEIGHT, Plot, PLOT_STEP } from "./plot.tsx";

/** Width of a bar; the rest of its hour is a gap. */
const WIDTH = 15;
/** Minimum of the axis maximum, so that a single report does not look like a spike. */
const MIN_TOP = 4;

interface BarsProps {
  /** Reports per hour; the last one is the current hour. */
  readonly hours: readonly number[];
  /** What is usual in each of these hours; empty: not known. */
  readonly usual: readonly number[];
  readonly language: Language;
}

/** Chart of reports per hour. */
export function Bars({ hours, usual, language }: BarsProps): Html {
  if (hours.every((count) => count === 0)) {
    return <p class="empty">{describeReports(hours, language)}</p>;
  }
  const y = scaleLinear()
    .domain([0, Math.max(MIN_TOP, ...hours, ...usual)])
    .nice(4)
    .range([0, HEIGHT]);
  const top = y.domain()[1] ?? MIN_TOP;
  const bar = (count: number, hour: number): string =>
    count === 0
      ? ""
      : `M${hour * PLOT_STEP} ${HEIGHT}v${-round(y(count))}h${WIDTH}v${round(y(count))}z`;
  const bars = hours.map(bar);
  const level = usual.map(
    (count, hour) =>
      `${hour === 0 ? "M" : "L"}${hour * PLOT_STEP} ${HEIGHT - round(y(count))}h${WIDTH}`,
  );
  return (
    <Plot
      kind="bars"
      title={describeReports(hours, language)}
      width={hours.length * PLOT_STEP - PLOT_STEP + WIDTH}
      values={[String(top), Number.isInteger(top / 2) ? String(top / 2) : "", "0"]}
      times={AXIS_WORDS[language].day}
    >
      <path class="full" d={bars.slice(0, -1).join("")} />
      <path class="growing" d={bars.at(-1) ?? ""} />
      <path class="usual" d={level.join("")} />
    </Plot>
  );
}

/** To a tenth of a unit, which is not visible. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
