import type { SiteView } from "../../src/site/view.ts";
import { CATEGORIES, serviceOf, SITE_FIXTURE } from "./site-fixture.ts";

/** A website without problems. */
export const QUIET_SITE: SiteView = {
  ...SITE_FIXTURE,
  address: {
    ...SITE_FIXTURE.address,
    people: {
      operator: "Ирина Петрова",
      contact: "mailto:status@example.ru",
      source: "https://git.example.ru/",
      wrongVerdict: "https://t.me/wrong_example",
      addSite: "https://t.me/add_example",
      measuredFrom: "Москва",
    },
  },
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
