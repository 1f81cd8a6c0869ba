import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { Html } from "../html.ts";
import type { Language } from "../view.ts";
import { AXIS_WORDS, describeResponse, formatDuration } from "../words/chart.ts";
import { Axis, Scale } from "./axis.tsx";

const HEIGHT = 96;
const STEP = 20;
/** Of the axis, so that a few milliseconds more or less look like what they are. */
const LEAST_TOP_MS = 200;

interface LineProps {
  /** Milliseconds in each hour; null: none, and the line is broken. */
  readonly hours: readonly (number | null)[];
  readonly language: Language;
}

function isKnown(ms: number | null): boolean {
  return ms !== null;
}

/** Response time over a day. */
export function Line({ hours, language }: LineProps): Html {
  if (hours.every((ms) => ms === null)) {
    return <p class="empty">{describeResponse(hours, language)}</p>;
  }
  const y = scaleLinear()
    .domain([0, Math.max(LEAST_TOP_MS, ...hours.map((ms) => ms ?? 0))])
    .nice(4)
    .range([HEIGHT - 1, 1]);
  const topMs = y.domain()[1] ?? LEAST_TOP_MS;
  const place = (_ms: number | null, hour: number): number => hour * STEP;
  const height = (ms: number | null): number => y(ms ?? 0);
  const draw = line<number | null>(place, height).defined(isKnown).digits(1);
  const fill = area<number | null>(place, HEIGHT, height).defined(isKnown).digits(1);
  return (
    <div class="chart">
      <div class="plot">
        <svg
          class="line"
          role="img"
          viewBox={`0 0 ${(hours.length - 1) * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          <title>{describeResponse(hours, language)}</title>
          <path class="grid" d={`M0 .5H999M0 ${HEIGHT / 2}H999M0 ${HEIGHT - 0.5}H999`} />
          <path class="below" d={fill(hours) ?? ""} />
          <path class="curve" d={draw(hours) ?? ""} />
        </svg>
        <Scale
          marks={[formatDuration(topMs, language), formatDuration(topMs / 2, language), "0"]}
        />
        <Axis marks={AXIS_WORDS[language].day} />
      </div>
    </div>
  );
}
