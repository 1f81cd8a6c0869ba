import { expect, test } from "vitest";
import { parseCatalogue } from "../../../src/services/catalogue/parse-catalogue.ts";
import { isFull } from "../../depth.ts";
import { BASE, linesOf } from "./overlay-base.ts";

/** Each row: the mistake, an overlay, and the problems. */
const MISTAKES: readonly (readonly [string, string, readonly unknown[]])[] = [
  [
    "a list instead of a mapping",
    "- services\n",
    [
      "overlay:1:1 expected a mapping of keys to values but found a list; write a mapping of keys to values here.",
    ],
  ],
  [
    "an unknown key at the top",
    "service: []\n",
    ['overlay:1:1 service: unknown key; did you mean "services"? Remove it or rename it.'],
  ],
  [
    "a mapping instead of a list of services",
    "services:\n  two: { remove: true }\n",
    [
      "overlay:2:3 services: expected a list but found a mapping of keys to values; write a list here.",
    ],
  ],
  [
    "an empty list key",
    "services:\n",
    ["overlay:1:10 services: expected a list but found nothing; write a list here."],
  ],
  [
    "a text instead of a list of anchors",
    "anchors: none\n",
    ["overlay:1:10 anchors: expected a list but found text; write a list here."],
  ],
  [
    "an entry without a slug",
    "services: [{ name: Два }]",
    ["overlay:1:12 services[0].slug: missing; add this key."],
  ],
  [
    "a text instead of an entry",
    "services: [two]",
    [
      "overlay:1:12 services[0]: expected a mapping of keys to values but found text; write a mapping of keys to values here.",
    ],
  ],
  [
    "a slug that is a number",
    "services: [{ slug: 2, remove: true }]",
    ["overlay:1:20 services[0].slug: expected text but found a number; put it in quotes."],
  ],
  [
    "remove: false",
    "services: [{ slug: two, remove: false }]",
    ["overlay:1:33 services[0].remove: not a known value; write one of true."],
  ],
  [
    "remove beside other keys",
    "services: [{ slug: two, name: Да, remove: true }]",
    [
      "overlay:1:43 services[0].remove: stands beside other keys; leave the slug alone beside it, or take it out.",
    ],
  ],
  [
    "a category to remove",
    "categories: [{ id: banks, remove: true }]",
    ["overlay:1:27 categories[0].remove: unknown key; remove it, or use one of id, name."],
  ],
  [
    "the same slug twice",
    "services:\n  - { slug: two, name: А }\n  - { slug: two, name: Б }\n",
    [
      "overlay:3:13 services[1].slug: the same slug as services[0].slug; change or remove one of the two.",
    ],
  ],
  // Reported only for the slug, not also for the name and URL.
  [
    "the same new service twice",
    `services:
  - { slug: four, name: Четыре, category: banks, endpoints: [{ url: "https://four.example/", what: site }] }
  - { slug: four, name: Четыре, category: banks, endpoints: [{ url: "https://four.example/", what: site }] }
`,
    [
      "overlay:3:13 services[1].slug: the same slug as services[0].slug; change or remove one of the two.",
    ],
  ],
  [
    "an unknown key of an existing service",
    "services:\n  - slug: three\n    catgory: banks\n",
    [
      'overlay:3:5 services[0].catgory: unknown key; did you mean "category"? Remove it or rename it.',
    ],
  ],
  [
    "an invalid value of an existing service",
    "services:\n  - slug: three\n    endpoints:\n      - url: ftp://three.example/\n        what: site\n",
    [expect.stringMatching(/^overlay:4:14 services\[0\]\.endpoints\[0\]\.url: /u)],
  ],
  [
    "a new service with the URL of another one",
    `services:\n  - slug: four\n    name: Четыре\n    category: banks\n    endpoints:\n      - { url: "https://two.example/", what: site }\n`,
    [
      "overlay:6:16 services[0].endpoints[0].url: the same URL as services[1].endpoints[0].url of the catalogue; change or remove one of the two.",
    ],
  ],
  [
    "a changed service with the name of a later one",
    "services:\n  - { slug: one, name: Три }\n",
    [
      "overlay:2:24 services[0].name: the same name as services[2].name of the catalogue; change or remove one of the two.",
    ],
  ],
  [
    "an unknown category",
    "services:\n  - { slug: three, category: bank }\n",
    [
      'overlay:2:30 services[0].category: no category has this id; did you mean "banks"? Use one of those listed under categories.',
    ],
  ],
  [
    "no service left",
    "services: [{ slug: one, remove: true }, { slug: two, remove: true }, { slug: three, remove: true }]",
    ["overlay:1:11 services: has no service; give at least one."],
  ],
  [
    "too few anchors",
    "anchors: []\n",
    [
      "overlay:1:10 anchors: has 0 domestic anchors; give at least 4.",
      "overlay:1:10 anchors: has 0 foreign anchors; give at least 3.",
    ],
  ],
  ["an alias", "services: [*two]", [expect.stringMatching(/^overlay:1:12 .*alias/u)]],
  [
    "a dangerous key",
    "services: [{ slug: two, __proto__: {} }]",
    ["overlay:1:25 services[0].__proto__: this key is not allowed; remove it."],
  ],
  [
    "a duplicate key",
    "services: []\nservices: []\n",
    ["overlay:2:1 services: duplicate key; remove one of the two."],
  ],
  ["invalid YAML", "services: [", [expect.stringMatching(/^overlay:1:\d+ not valid YAML/u)]],
];

test.skipIf(isFull).each(MISTAKES)(
  "%s in an overlay is reported with its position",
  (_, overlay, expected) => {
    const result = parseCatalogue(BASE, overlay);
    expect(result.kind).toBe("invalid");
    expect(linesOf(result)).toEqual(expected);
  },
);

test.skipIf(isFull)("mistakes of both files are reported together, each with its file", () => {
  const broken = BASE.replace("slug: three", "slug: Three");
  expect(linesOf(parseCatalogue(broken, "services: [{ slug: two, nmae: x }]"))).toEqual([
    expect.stringMatching(/^catalogue:31:11 services\[2\]\.slug: /u),
    expect.stringMatching(/^overlay:1:25 services\[0\]\.nmae: /u),
  ]);
  expect(linesOf(parseCatalogue("[", "{"))).toEqual([
    expect.stringMatching(/^catalogue:1:\d+ not valid YAML/u),
    expect.stringMatching(/^overlay:1:\d+ not valid YAML/u),
  ]);
  // An overlay does not turn a list into a mapping.
  expect(linesOf(parseCatalogue("- a\n", "services: []"))).toEqual([
    expect.stringMatching(/^catalogue:1:1 expected a mapping/u),
  ]);
});

test.skipIf(isFull)("an overlay has the limits of a catalogue; each file counts separately", () => {
  const padding = `#${"x".repeat(2_000)}\n`;
  const nearly = padding.repeat(2_000);
  expect(parseCatalogue(BASE + nearly, nearly).kind).toBe("ok");
  expect(linesOf(parseCatalogue(BASE, padding.repeat(2_200)))).toEqual([
    "overlay:1:1 the file is over 4194304 bytes; make it shorter.",
  ]);
  expect(linesOf(parseCatalogue(BASE, Buffer.from("services: [] # \xff", "latin1")))).toEqual([
    expect.stringMatching(/^overlay:1:16 the file is not valid UTF-8/u),
  ]);
});
