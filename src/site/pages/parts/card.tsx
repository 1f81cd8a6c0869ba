import type { Html } from "../../html.ts";

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly hint?: string | undefined;
  readonly children: Html | readonly Html[];
}

/** A section of a page with a heading. */
export function Card({ id, title, hint, children }: CardProps): Html {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {children}
    </section>
  );
}
