import type { Html } from "../html.ts";
import { Axis, Scale } from "./axis.tsx";

/** Units of a plot's view box: its height, and from one hour to the next. */
export const HEIGHT = 96;
export const STEP = 20;

interface PlotProps {
  /** Says what is drawn. */
  readonly kind: "bars" | "line";
  /** What the plot shows, for those who do not see it. */
  readonly title: string;
  readonly width: number;
  /** Values beside it, from the highest to the lowest. */
  readonly values: readonly string[];
  /** Words below it, from its beginning to the present. */
  readonly times: readonly string[];
  readonly children: readonly Html[];
}

/** A chart of values over a day, with a line at its top, its middle and its foot. */
export function Plot({ kind, title, width, values, times, children }: PlotProps): Html {
  return (
    <div class="chart">
      <div class="plot">
        <svg class={kind} role="img" viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none">
          <title>{title}</title>
          <path class="grid" d={`M0 .5H999M0 ${HEIGHT / 2}H999M0 ${HEIGHT - 0.5}H999`} />
          {children}
        </svg>
        <Scale marks={values} />
        <Axis marks={times} />
      </div>
    </div>
  );
}
