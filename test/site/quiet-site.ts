import type { SiteView } from "../../src/site/view.ts";
import { CATEGORIES, serviceOf, SITE_FIXTURE } from "./site-fixture.ts";

/** A website without problems. */
export const QUIET_SITE: SiteView = {
  ...SITE_FIXTURE,
  connectivityIssue: null,
  whiteLists: [],
  services: CATEGORIES.flatMap((category) =>
    Array.from({ length: 4 }, (_, index) =>
      serviceOf("ok", {
        slug: `${category.id}-${index}`,
        name: `${category.name} ${index}`,
        category,
      }),
    ),
  ),
  changes: [],
};
