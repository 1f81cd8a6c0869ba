import type { Html } from "../html.ts";
import { scaleLinear } from "d3-scale";
import type { Language } from "../../contract/codes/language.ts";
import { AXIS_WORDS, describeReports, describeResponse, formatDuration } from "../words/chart.ts";
import { area, line } from "d3-shape";

/** Height and hour step of a plot, in units of its view box. */
const HEIGHT = 96;
const PLOT_STEP = 20;

interface PlotProps {
  readonly kind: "bars" | "line";
  readonly title: string;
  readonly width: number;
  /** Values of the scale, highest first. */
  readonly values: readonly string[];
  readonly language: Language;
  readonly children: readonly Html[];
}

/** A chart of values over a day, with grid lines at the top, middle and bottom. */
function Plot({ kind, title, width, values, language, children }: PlotProps): Html {
  return (
    <div class="chart">
      <div class="plot">
        <svg class={kind} role="img" viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none">
          <title>{title}</title>
          <path class="grid" d={`M0 .5H999M0 ${HEIGHT / 2}H999M0 ${HEIGHT - 0.5}H999`} />
          {children}
        </svg>
        <Marks class="scale" marks={values} />
        <Marks class="axis" marks={AXIS_WORDS[language].day} />
      </div>
    </div>
  );
}

interface MarksProps {
  /** `axis`: below a chart, from its start to the present. `scale`: at its side, from the highest value to the lowest. */
  readonly class: "axis" | "scale";
  readonly marks: readonly string[];
}

/** Labels of a chart, which arrive whole, as attributes. Hidden from screen readers: its title has the same facts. */
export function Marks({ class: className, marks }: MarksProps): Html {
  return (
    <div class={className} aria-hidden="true">
      {marks.map((mark) => (
        <span data-label={mark} />
      ))}
    </div>
  );
}

/** The scale from 0 to a round number that is not below `most`, which is its `top`. */
function scaleTo(most: number, range: readonly [from: number, to: number]) {
  const y = scaleLinear().domain([0, most]).nice(4).range(range);
  return { y, top: y.domain()[1] ?? most };
}

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
  const { y, top } = scaleTo(Math.max(MIN_TOP, ...hours, ...usual), [0, HEIGHT]);
  // To a tenth of a unit, which is not visible.
  const high = (count: number): number => Math.round(y(count) * 10) / 10;
  const bars = hours.map((count, hour) =>
    count === 0 ? "" : `M${hour * PLOT_STEP} ${HEIGHT}v${-high(count)}h${WIDTH}v${high(count)}z`,
  );
  const level = usual.map(
    (count, hour) =>
      `${hour === 0 ? "M" : "L"}${hour * PLOT_STEP} ${HEIGHT - high(count)}h${WIDTH}`,
  );
  return (
    <Plot
      kind="bars"
      title={describeReports(hours, language)}
      width={hours.length * PLOT_STEP - PLOT_STEP + WIDTH}
      values={[String(top), Number.isInteger(top / 2) ? String(top / 2) : "", "0"]}
      language={language}
    >
      <path class="full" d={bars.slice(0, -1).join("")} />
      <path class="growing" d={bars.at(-1) ?? ""} />
      <path class="usual" d={level.join("")} />
    </Plot>
  );
}

/** Minimum of the axis maximum, so that a few milliseconds do not look like a change. */
const MIN_TOP_MS = 200;

interface LineProps {
  /** Milliseconds per hour; null: none, a gap in the line. */
  readonly hours: readonly (number | null)[];
  readonly language: Language;
}

function isKnown(ms: number | null | undefined): boolean {
  return ms !== null && ms !== undefined;
}

function placeOf(_: unknown, hour: number): number {
  return hour * PLOT_STEP;
}

/** Response time over a day. */
export function LineChart({ hours, language }: LineProps): Html {
  if (hours.every((ms) => ms === null)) {
    return <p class="empty">{describeResponse(hours, language)}</p>;
  }
  const mostMs = Math.max(MIN_TOP_MS, ...hours.map((ms) => ms ?? 0));
  const { y, top: topMs } = scaleTo(mostMs, [HEIGHT - 1, 1]);
  const height = (ms: number | null): number => y(ms ?? 0);
  const draw = line<number | null>(placeOf, height).defined(isKnown).digits(1);
  const fill = area<number | null>(placeOf, HEIGHT, height).defined(isKnown).digits(1);
  // A reading between gaps is as wide as its hour: a line of one point is not seen.
  const lone = hours.map((ms, hour) => {
    const isLone = isKnown(ms) && !isKnown(hours[hour - 1]) && !isKnown(hours[hour + 1]);
    return isLone ? `M${(hour - 0.5) * PLOT_STEP} ${height(ms).toFixed(1)}h${PLOT_STEP}` : "";
  });
  return (
    <Plot
      kind="line"
      title={describeResponse(hours, language)}
      width={(hours.length - 1) * PLOT_STEP}
      values={[formatDuration(topMs, language), formatDuration(topMs / 2, language), "0"]}
      language={language}
    >
      <path class="below" d={fill(hours) ?? ""} />
      <path class="curve" d={(draw(hours) ?? "") + lone.join("")} />
    </Plot>
  );
}
