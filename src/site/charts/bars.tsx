import { scaleLinear } from "d3-scale";
import type { Html } from "../html.ts";
import type { Language } from "../view.ts";
import { AXIS_WORDS, describeReports } from "../words/chart.ts";
import { Axis, Scale } from "./axis.tsx";

const HEIGHT = 96;
const STEP = 20;
const WIDTH = 15;
/** Of the axis, so that a single report does not look like a flood. */
const LEAST_TOP = 4;

interface BarsProps {
  /** Reports in each hour; the last one is under way. */
  readonly hours: readonly number[];
  readonly language: Language;
}

/** Reports in each hour. */
export function Bars({ hours, language }: BarsProps): Html {
  if (hours.every((count) => count === 0)) {
    return <p class="empty">{describeReports(hours, language)}</p>;
  }
  const y = scaleLinear()
    .domain([0, Math.max(LEAST_TOP, ...hours)])
    .nice(4)
    .range([0, HEIGHT]);
  const top = y.domain()[1] ?? LEAST_TOP;
  const bar = (count: number, hour: number): string =>
    count === 0 ? "" : `M${hour * STEP} ${HEIGHT}v${-round(y(count))}h${WIDTH}v${round(y(count))}z`;
  const bars = hours.map(bar);
  return (
    <div class="chart">
      <div class="plot">
        <svg
          class="bars"
          role="img"
          viewBox={`0 0 ${hours.length * STEP - STEP + WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <title>{describeReports(hours, language)}</title>
          <path class="grid" d={`M0 .5H999M0 ${HEIGHT / 2}H999M0 ${HEIGHT - 0.5}H999`} />
          <path class="full" d={bars.slice(0, -1).join("")} />
          <path class="growing" d={bars.at(-1) ?? ""} />
        </svg>
        <Scale marks={[String(top), Number.isInteger(top / 2) ? String(top / 2) : "", "0"]} />
        <Axis marks={AXIS_WORDS[language].day} />
      </div>
    </div>
  );
}

/** A tenth of a unit is less than anybody sees. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
