import type { Html } from "../html.ts";
import { Axis, Scale } from "./axis.tsx";

/** Height and hour step of a plot, in units of its view box. */
export const HEIGHT = 96;
export const PLOT_STEP = 20;

interface PlotProps {
  readonly kind: "bars" | "line";
  /** Text alternative. */
  readonly title: string;
  readonly width: number;
  /** Values of the scale, highest first. */
  readonly values: readonly string[];
  /** Labels below it, from its start to the present. */
  readonly times: readonly string[];
  readonly children: readonly Html[];
}

/** A chart of values over a day, with grid lines at the top, middle and bottom. */
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
