import type { Html } from "../html.ts";

interface AxisProps {
  readonly marks: readonly string[];
}

/** Labels below a chart, from its start to the present. Hidden from screen readers: the title of the chart has the same facts. */
export function Axis({ marks }: AxisProps): Html {
  return (
    <div class="axis" aria-hidden="true">
      {marks.map((mark) => (
        <span>{mark}</span>
      ))}
    </div>
  );
}

interface ScaleProps {
  /** From the highest value to the lowest. */
  readonly marks: readonly string[];
}

/** Values at the side of a chart. */
export function Scale({ marks }: ScaleProps): Html {
  return (
    <div class="scale" aria-hidden="true">
      {marks.map((mark) => (
        <span>{mark}</span>
      ))}
    </div>
  );
}
