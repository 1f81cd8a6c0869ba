import type { Html } from "../html.ts";

interface AxisProps {
  readonly marks: readonly string[];
}

/** Words below a chart, spread from its beginning to the present. The picture's own text says the same to those who cannot see it. */
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

/** Values beside a chart. */
export function Scale({ marks }: ScaleProps): Html {
  return (
    <div class="scale" aria-hidden="true">
      {marks.map((mark) => (
        <span>{mark}</span>
      ))}
    </div>
  );
}
