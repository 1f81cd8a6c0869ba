import type { Anchor, Catalogue, Service } from "../../model/service/catalogue.ts";

export interface CatalogueCounts {
  readonly services: number;
  readonly endpoints: number;
  /** Services with at least one annotation. */
  readonly annotated: number;
}

export interface CategorySummary extends CatalogueCounts {
  /** Id of the category. */
  readonly category: string;
  readonly name: string;
}

export interface CatalogueSummary {
  /** In catalogue order. */
  readonly categories: readonly CategorySummary[];
  readonly totals: CatalogueCounts;
  readonly anchors: Readonly<Record<Anchor["scope"], number>>;
}

function count(services: readonly Service[]): CatalogueCounts {
  return {
    services: services.length,
    endpoints: services.reduce((sum, service) => sum + service.endpoints.length, 0),
    annotated: services.filter((service) => service.annotations.length > 0).length,
  };
}

/** What a catalogue holds, by category and in all, for `catalogue check`. Never throws. */
export function summariseCatalogue(catalogue: Catalogue): CatalogueSummary {
  const countScope = (scope: Anchor["scope"]): number =>
    catalogue.anchors.filter((anchor) => anchor.scope === scope).length;
  return {
    categories: catalogue.categories.map(({ id, name }) => ({
      category: id,
      name,
      ...count(catalogue.services.filter((service) => service.category === id)),
    })),
    totals: count(catalogue.services),
    anchors: { domestic: countScope("domestic"), foreign: countScope("foreign") },
  };
}
