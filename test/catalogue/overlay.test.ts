import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCatalogue, type ParseResult } from "../../src/catalogue/parse.ts";
import type { Catalogue } from "../../src/model/catalogue.ts";
import { atDepth, isFull } from "../depth.ts";

const SHIPPED = readFileSync(new URL("../../catalogue.yaml", import.meta.url), "utf8");

/** Three services, of which the second and third have nothing that is not needed. */
const BASE = `${readFileSync(new URL("valid.yaml", import.meta.url), "utf8")}  - slug: two
    name: Два
    category: banks
    endpoints: [{ url: "https://two.example/", what: main site }]
  - slug: three
    name: Три
    category: banks
    endpoints: [{ url: "https://three.example/", what: main site }]
`;

type Ok = Extract<ParseResult, { readonly kind: "ok" }>;

function linesOf(result: ParseResult): readonly string[] {
  const problems = result.kind === "ok" ? result.warnings : result.problems;
  return problems.map(({ file, line, column, path, message }) => {
    return `${file}:${line}:${column} ${path === "" ? "" : `${path}: `}${message}`;
  });
}

function parseOk(overlay: string, base = BASE): Ok {
  const result = parseCatalogue(base, overlay);
  if (result.kind === "invalid") throw new Error(linesOf(result).join("\n"));
  return result;
}

const PLAIN = parseOk("").catalogue;

function slugsOf({ services }: Catalogue): readonly string[] {
  return services.map(({ slug }) => slug);
}

function serviceOf({ services }: Catalogue, slug: string) {
  return services.find((one) => one.slug === slug);
}

const FOUR = `
  - slug: four
    name: Четыре
    category: banks
    endpoints: [{ url: "https://four.example/", what: main site }]
`;

describe.skipIf(isFull)("an overlay", () => {
  test.each([
    "",
    "# nothing yet\n",
    "{}",
    "null",
    "services: []",
    "categories: []\nservices: []\n",
  ])("with nothing in it (%j) changes nothing", (overlay) => {
    expect(parseCatalogue(BASE, overlay)).toEqual({
      kind: "ok",
      catalogue: PLAIN,
      changes: [],
      warnings: [],
    });
  });

  test("removes a service", () => {
    const { catalogue, changes } = parseOk("services:\n  - { slug: two, remove: true }\n");
    expect(slugsOf(catalogue)).toEqual(["one", "three"]);
    expect(changes).toEqual([{ kind: "removed", of: "service", id: "two", keys: [] }]);
  });

  test("adds a whole service, behind all others", () => {
    const { catalogue, changes } = parseOk(`services:${FOUR}`);
    expect(slugsOf(catalogue)).toEqual(["one", "two", "three", "four"]);
    expect(serviceOf(catalogue, "four")).toEqual({
      slug: "four",
      name: "Четыре",
      category: "banks",
      isAbroad: false,
      annotations: [],
      endpoints: [
        { url: "https://four.example/", what: "main site", isCritical: true, trust: "public" },
      ],
    });
    expect(changes).toEqual([{ kind: "added", of: "service", id: "four", keys: [] }]);
  });

  test("replaces the keys that it names and leaves the others, and the place in the list", () => {
    const { catalogue, changes } = parseOk("services:\n  - { slug: one, name: Единица }\n");
    expect(slugsOf(catalogue)).toEqual(["one", "two", "three"]);
    expect(serviceOf(catalogue, "one")).toEqual({
      ...serviceOf(PLAIN, "one"),
      name: "Единица",
    });
    expect(changes).toEqual([{ kind: "changed", of: "service", id: "one", keys: ["name"] }]);
  });

  test("replaces a value as a whole: endpoints that it does not list are gone", () => {
    const { catalogue, changes } = parseOk(
      `services: [{ slug: one, endpoints: [{ url: "https://api.one.example/", what: API, expect: [204] }], annotations: [] }]`,
    );
    expect(serviceOf(catalogue, "one")).toMatchObject({
      annotations: [],
      endpoints: [
        { url: "https://api.one.example/", what: "API", expect: [204], isCritical: true },
      ],
    });
    expect(serviceOf(catalogue, "one")?.endpoints).toHaveLength(1);
    expect(changes).toMatchObject([{ kind: "changed", keys: ["endpoints", "annotations"] }]);
  });

  test("adds a key that the service did not have", () => {
    const { catalogue } = parseOk("services: [{ slug: two, abroad: true }]");
    expect(serviceOf(catalogue, "two")).toEqual({ ...serviceOf(PLAIN, "two"), isAbroad: true });
  });

  test("changes and adds categories by their id", () => {
    const { catalogue, changes } = parseOk(
      `categories: [{ id: banks, name: Все банки }, { id: ours, name: Наши }]\nservices: [{ slug: two, category: ours }]`,
    );
    expect(catalogue.categories).toEqual([
      { id: "banks", name: "Все банки" },
      { id: "ours", name: "Наши" },
    ]);
    expect(serviceOf(catalogue, "two")?.category).toBe("ours");
    expect(changes).toEqual([
      { kind: "changed", of: "category", id: "banks", keys: ["name"] },
      { kind: "added", of: "category", id: "ours", keys: [] },
      { kind: "changed", of: "service", id: "two", keys: ["category"] },
    ]);
  });

  test("replaces the anchors as one list", () => {
    const anchors = ["d1", "d2", "d3", "d4", "f1", "f2", "f3"].map((name) => {
      const scope = name.startsWith("d") ? "domestic" : "foreign";
      return { url: `https://${name}.example/`, scope, network: `net ${name}` };
    });
    const { catalogue, changes } = parseOk(JSON.stringify({ anchors }));
    expect(catalogue).toEqual({ ...PLAIN, anchors });
    expect(changes).toEqual([{ kind: "changed", of: "anchors", id: "", keys: [] }]);
  });

  test("may bring a URL or a name to another service when the first has it no longer", () => {
    const { catalogue } = parseOk(
      `services: [{ slug: two, remove: true }, { slug: three, name: Два, endpoints: [{ url: "https://two.example/", what: main site }] }]`,
    );
    expect(slugsOf(catalogue)).toEqual(["one", "three"]);
    expect(serviceOf(catalogue, "three")?.name).toBe("Два");
  });

  test("that says what the catalogue says is told to be needless", () => {
    const { catalogue, changes } = parseOk("services: [{ slug: two, name: Два }]");
    expect(catalogue).toEqual(PLAIN);
    expect(changes).toEqual([{ kind: "same", of: "service", id: "two", keys: [] }]);
  });
});

test.skipIf(isFull)("the shipped catalogue laid over itself changes nothing", () => {
  const { catalogue, changes, warnings } = parseOk(SHIPPED, SHIPPED);
  expect(catalogue).toEqual(parseOk("", SHIPPED).catalogue);
  expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(["same"]));
  expect(changes).toHaveLength(catalogue.services.length + catalogue.categories.length + 1);
  expect(warnings).toEqual([]);
});

test.skipIf(isFull)(
  "the example of the documentation can be laid over the shipped catalogue",
  () => {
    const text = readFileSync(new URL("../../docs/catalogue.md", import.meta.url), "utf8");
    const [, example = ""] = /\n## An overlay\n[^]*?```yaml\n([^]*?)```/u.exec(text) ?? [];
    const { changes, warnings } = parseOk(example, SHIPPED);
    expect(warnings).toEqual([]);
    expect(changes.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      "added ours",
      "removed vk",
      "changed discord",
      "changed wildberries",
      "added our-shop",
    ]);
  },
);

describe.skipIf(isFull)("an entry about what the catalogue does not have", () => {
  test.each([
    [
      "services:\n  - slug: gone\n    remove: true\n",
      "overlay:2:11 services[0].slug: the catalogue has no service with this slug, so there is nothing to remove; take the entry out.",
    ],
    [
      "services:\n  - { slug: two, name: Двойка }\n  - { slug: gone, name: Был }\n",
      "overlay:3:13 services[1].slug: the catalogue has no service with this slug, so the entry changes nothing; take it out, correct the slug, or add what a new service needs: category, endpoints.",
    ],
    [
      "categories: [{ id: gone }]",
      "overlay:1:20 categories[0].id: the catalogue has no category with this id, so the entry changes nothing; take it out, correct the id, or add what a new category needs: name.",
    ],
  ])("is left out with a warning: %j", (overlay, expected) => {
    const result = parseOk(overlay);
    expect(linesOf(result)).toEqual([expected]);
    expect(slugsOf(result.catalogue)).toEqual(["one", "two", "three"]);
    expect(result.catalogue.categories).toEqual(PLAIN.categories);
    expect(result.changes.map(({ id }) => id)).not.toContain("gone");
  });
});

/** Each row: what is wrong, an overlay, and what is told. */
const MISTAKES: readonly (readonly [string, string, readonly unknown[]])[] = [
  [
    "no mapping",
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
    "services that are no list",
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
    "anchors that are no list",
    "anchors: none\n",
    ["overlay:1:10 anchors: expected a list but found text; write a list here."],
  ],
  [
    "an entry without a slug",
    "services: [{ name: Два }]",
    ["overlay:1:12 services[0].slug: missing; add this key."],
  ],
  [
    "an entry that is no mapping",
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
  [
    "an unknown key of a service that is there",
    "services:\n  - slug: three\n    catgory: banks\n",
    [
      'overlay:3:5 services[0].catgory: unknown key; did you mean "category"? Remove it or rename it.',
    ],
  ],
  [
    "a bad value of a service that is there",
    "services:\n  - slug: three\n    endpoints:\n      - url: ftp://three.example/\n        what: site\n",
    [expect.stringMatching(/^overlay:4:14 services\[0\]\.endpoints\[0\]\.url: /u)],
  ],
  [
    "a new service with a URL of another",
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
    "a category that is none",
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
  ["no YAML", "services: [", [expect.stringMatching(/^overlay:1:\d+ not valid YAML/u)]],
];

test.skipIf(isFull).each(MISTAKES)(
  "%s in an overlay is told where it is written",
  (_, overlay, expected) => {
    const result = parseCatalogue(BASE, overlay);
    expect(result.kind).toBe("invalid");
    expect(linesOf(result)).toEqual(expected);
  },
);

test.skipIf(isFull)("mistakes of both files are told at once, each in its own file", () => {
  const broken = BASE.replace("slug: three", "slug: Three");
  expect(linesOf(parseCatalogue(broken, "services: [{ slug: two, nmae: x }]"))).toEqual([
    expect.stringMatching(/^catalogue:31:11 services\[2\]\.slug: /u),
    expect.stringMatching(/^overlay:1:25 services\[0\]\.nmae: /u),
  ]);
  expect(linesOf(parseCatalogue("[", "{"))).toEqual([
    expect.stringMatching(/^catalogue:1:\d+ not valid YAML/u),
    expect.stringMatching(/^overlay:1:\d+ not valid YAML/u),
  ]);
  // A catalogue that is no mapping is told, not made one.
  expect(linesOf(parseCatalogue("- a\n", "services: []"))).toEqual([
    expect.stringMatching(/^catalogue:1:1 expected a mapping/u),
  ]);
});

test.skipIf(isFull)("an overlay has the limits of a catalogue, each file by itself", () => {
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

test("removing any services leaves exactly the others, whatever the order of the entries", () => {
  const all = parseOk("", SHIPPED).catalogue;
  fc.assert(
    fc.property(fc.shuffledSubarray([...slugsOf(all)], { maxLength: 80 }), (removed) => {
      const services = removed.map((slug) => ({ slug, remove: true }));
      const { catalogue, changes } = parseOk(JSON.stringify({ services }), SHIPPED);
      expect(catalogue).toEqual({
        ...all,
        services: all.services.filter(({ slug }) => !removed.includes(slug)),
      });
      expect(changes.map(({ id }) => id)).toEqual(removed);
    }),
    { numRuns: atDepth(5, 50) },
  );
});

test("changes of different services do not depend on the order of the entries", () => {
  const entries = [
    { slug: "one", name: "А" },
    { slug: "two", remove: true },
    { slug: "three", abroad: true },
    { slug: "gone", name: "Нет" },
  ];
  const expected = parseOk(JSON.stringify({ services: entries })).catalogue;
  fc.assert(
    fc.property(fc.shuffledSubarray(entries, { minLength: entries.length }), (services) => {
      expect(parseOk(JSON.stringify({ services })).catalogue).toEqual(expected);
    }),
    { numRuns: atDepth(10, 24) },
  );
});

test("an overlay that was tampered with is accepted or told of with positions inside it", () => {
  const overlay = `categories: [{ id: ours, name: Наши }]\nservices:\n  - { slug: two, remove: true }\n  - { slug: one, name: Единица }${FOUR}`;
  const edit = fc.record({
    at: fc.nat(overlay.length),
    removed: fc.nat(30),
    inserted: fc.constantFrom(
      "\n",
      "  ",
      "- ",
      ": ",
      "{",
      "}",
      "[",
      "]",
      "*a",
      "&a ",
      "null",
      "\0",
    ),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      const text = edits.reduce(
        (before, { at, removed, inserted }) =>
          before.slice(0, at) + inserted + before.slice(at + removed),
        overlay,
      );
      const result = parseCatalogue(BASE, text);
      const lines = text.split("\n");
      for (const problem of result.kind === "ok" ? result.warnings : result.problems) {
        expect(problem).toMatchObject({ file: "overlay", message: expect.stringMatching(/\.$/u) });
        expect(problem.column).toBeGreaterThanOrEqual(1);
        expect(problem.column).toBeLessThanOrEqual((lines[problem.line - 1]?.length ?? -1) + 1);
      }
    }),
    { numRuns: atDepth(100, 500) },
  );
});
